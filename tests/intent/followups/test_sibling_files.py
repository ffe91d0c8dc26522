"""What was done in one file is done in the one of its name in another folder, where that folder is told."""

from __future__ import annotations

import pytest

from spark_tui.codemods.registry import from_json
from spark_tui.intent.answering.answer import answer_orders
from spark_tui.intent.context.situation import Done, Situation
from spark_tui.intent.words.readings import Order, Reading, Span
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

POOL = "LIMIT = 10\n"
FILES = {
    "net/_sync/pool.py": POOL,
    "net/_async/pool.py": POOL,
    "net/_trio/pool.py": POOL,
    "net/_async/client.py": POOL,
    "net/auto.py": POOL,
}


@pytest.mark.parametrize(
    ("text", "intent", "slots", "path"),
    [
        ("in the async one as well", "amend.also", {"function": "async one"}, "net/_async/pool.py"),
        ("the trio file has the same", "amend.everywhere", {}, "net/_trio/pool.py"),
        ("auto.py too", "amend.also", {"file": "auto.py"}, "net/auto.py"),
        ("in the other one as well", "amend.also", {"function": "other one"}, ""),
        ("in the sync one as well", "amend.also", {"function": "sync one"}, ""),
    ],
)
def test_a_folder_tells_the_file(text: str, intent: str, slots: dict[str, str], path: str) -> None:
    here = "net/_sync/pool.py"
    before = Repository(DictTree(FILES))
    now = before.with_changes({here: "LIMIT = 20\n"})
    call = from_json({"op": "set_value", "target": f"{here}::LIMIT", "value": "20"})
    words = {slot: (Span(-1, -1, said),) for slot, said in (("variable", "LIMIT"), ("value", "20"))}
    told = Situation(now, here, earlier=Done("set_value", words, (call,)), before=before, instruction=text)
    spans = {
        slot: (Span(text.index(said), text.index(said) + len(said), said),) for slot, said in slots.items()
    }
    found = answer_orders([Order(0, len(text), (Reading(intent, 0.95, spans),))], told)
    done = found.ways[0].plan.texts(now) if found.ways else {}
    assert done == ({path: "LIMIT = 20\n"} if path else {})
