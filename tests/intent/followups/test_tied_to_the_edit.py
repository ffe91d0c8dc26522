"""Follow-ups whose subject, place or kind is told by what was written."""

from __future__ import annotations

import pytest
from intent.following import answer_behind
from intent.support import PATH

from spark_tui.codemods.registry import Operation, from_json
from spark_tui.intent.answering.answer import answer_orders
from spark_tui.intent.context.situation import Done, Situation
from spark_tui.intent.words.readings import Order, Reading, Span
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

CODE = '''import warnings


class Wrapper:
    def __init__(self, inner):
        self.inner = inner


class Proxy:
    def name(self):
        return self.inner.name

    def find(self, key: str) -> int | str:
        """Find it."""
        warnings.warn("old", UserWarning)
        return self.inner.get(key, None)

    def __init__(self, inner):
        self.inner = inner


def is_plain(text):
    for sign in text:
        if ord(sign) > 255:
            return False
    return True


class Late(RuntimeError):
    pass
'''
LOOP = CODE[CODE.index("    for sign") : CODE.index("\n\nclass Late")]


@pytest.mark.parametrize(
    ("old", "new", "text", "intent", "slots", "wanted"),
    [
        (
            "class Proxy:\n",
            'class Proxy:\n    """Pass it on."""\n\n',
            "move its __init__ to the top",
            "move_to_top",
            {"symbol": "__init__"},
            '"""Pass it on."""\n\n    def __init__(self',
        ),
        (
            "UserWarning)",
            "UserWarning, stacklevel=2)",
            "and make it a DeprecationWarning",
            "add_argument",
            {"value": "DeprecationWarning"},
            '"old", DeprecationWarning, stacklevel=2)',
        ),
        (
            "get(key, None)",
            "get(key)",
            "the annotation can be int | bytes",
            "amend.type",
            {"type": "int | bytes"},
            "key: str) -> int | bytes:",
        ),
        (
            "get(key, None)",
            "get(key)",
            "the annotation of key can be int | bytes",
            "amend.type",
            {"type": "int | bytes"},
            "key: int | bytes) -> int | str:",
        ),
        (
            LOOP,
            "    return not any(ord(sign) > 255 for sign in text)\n",
            "the limit should be 127",
            "amend.value",
            {"value": "127"},
            "return not any(ord(sign) > 127 for",
        ),
        (
            "Late(RuntimeError)",
            "Late(Exception)",
            "no, TimeoutError",
            "amend.exception",
            {"exception": "TimeoutError"},
            "class Late(TimeoutError):",
        ),
    ],
)
def test_what_is_meant_is_told_by_what_was_written(
    old: str, new: str, text: str, intent: str, slots: dict[str, str], wanted: str
) -> None:
    _, after = answer_behind(CODE, CODE.replace(old, new), text, intent, **slots)
    assert wanted in after


def behind(
    files: dict[str, str], calls: list[Operation], text: str, intent: str, **slots: str
) -> dict[str, str | None]:
    """The files that change behind an edit of several orders, of which the last is the last call."""
    before = Repository(DictTree(files))
    now = before
    for one in calls:
        plan = one.plan(now)
        now = now.with_changes(plan.texts(now))
    done = Done("annotate_return", {}, tuple(calls[-1:]), others=tuple(calls[:-1]))
    told = Situation(now, PATH, earlier=done, before=before, instruction=text)
    spans = {
        slot: (Span(text.index(word), text.index(word) + len(word), word),) for slot, word in slots.items()
    }
    found = answer_orders([Order(0, len(text), (Reading(intent, 0.95, spans),))], told)
    assert found.kind == "edit", found.reason
    return dict(found.ways[0].plan.texts(before if found.ways[0].from_before else now))


def test_the_same_elsewhere_is_all_that_was_asked_for() -> None:
    files = {PATH: "def one(text):\n    return bool(text)\n\n\ndef two(text):\n    return not text\n"}
    calls = [
        from_json({"op": "annotate_parameter", "target": f"{PATH}::one", "name": "text", "hint": "str"}),
        from_json({"op": "annotate_return", "target": f"{PATH}::one", "hint": "bool"}),
    ]
    after = behind(files, calls, "same for two", "amend.also", function="two")
    assert "def two(text: str) -> bool:" in (after[PATH] or "")


def test_a_constant_that_was_made_moves_to_a_file() -> None:
    files = {PATH: 'def one():\n    return "a long text"\n', "constants.py": "LIMIT = 3\n"}
    made = from_json(
        {"op": "extract_constant", "place": f"in {PATH}", "value": '"a long text"', "name": "TEXT"}
    )
    after = behind(files, [made], "move it to constants.py", "amend.place", file="constants.py")
    assert 'TEXT = "a long text"' in (after["constants.py"] or "")
    assert "import TEXT" in (after[PATH] or "")
