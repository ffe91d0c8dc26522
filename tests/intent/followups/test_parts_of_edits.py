"""Messages after an edit by which a part of it goes, or comes elsewhere too."""

from __future__ import annotations

from typing import Any

import pytest
from intent.support import PATH

from spark_tui.intent.answering.answer import Answer, answer_orders
from spark_tui.intent.context.situation import Done, Situation
from spark_tui.intent.words.readings import Order, Reading, Span
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

CODE = '''"""Ferries and who rides on them."""

import json
from typing import Optional

SEATS = 40
DECKS = 2
LABELS = {
    "upper": str.upper,
}


class Ferry:
    def __init__(self, name, berth):
        self.name = name
        self.berth = berth

    def board(self, count, berth):
        left = SEATS - count
        # one seat is for the crew
        return [self.name, left, count]

    def is_moored(self):
        return self.berth > 0


def load(path):
    if path:
        if path.endswith(".json"):
            return json.loads(path)
    print("nothing to load")
    ratio(1)
    return None


def rate(rows, speed: Optional[int] = None):
    rows["fast"] = float(rows["fast"])
    rows["slow"] = float(rows["slow"])
    try:
        total = sum(rows)
    except ValueError:
        raise ValueError("bad rows")
    ratio(SEATS)
    print("rated", total)
    if total > DECKS:
        total += 1
    elif total:
        total += 2
    return total
'''
NUMBERS = [("SEATS = 40", "SEATS = 50"), ("DECKS = 2", "DECKS = 3")]
LINE = [("ratio(SEATS)", "ratio(SEATS, deep=True)")]
CRUDE = [
    ("from typing import Optional\n", ""),
    ("Optional[int]", "int | None"),
    ("left = SEATS", "left = DECKS"),
]
NESTED = [
    (
        '    if path:\n        if path.endswith(".json"):\n            return',
        '    if path and path.endswith(".json"):\n        return',
    ),
    ("        # one seat is for the crew\n", ""),
    ("DECKS = 2", "DECKS = 3"),
]
WARNED = [
    ("import json\n", "import json\nimport sys\n"),
    ('"rated", total', '"rated", total, file=sys.stderr'),
]
RAISED = [('raise ValueError("bad rows")', 'raise LookupError("bad rows")')]
FAST = [
    (
        '    rows["fast"] = float(rows["fast"])\n',
        '    try:\n        rows["fast"] = float(rows["fast"])\n'
        '    except TypeError:\n        rows["fast"] = 0\n',
    )
]
MOORED = [("        left = SEATS", "        if berth is None:\n            return []\n        left = SEATS")]
BRANCH = [
    (
        "    elif total:\n        total += 2\n",
        "    elif total:\n        total += 2\n    elif rows:\n        total = 9\n",
    )
]
LOGGED = [("        total += 1\n", '        print("deep")\n        total += 1\n')]


def behind(
    edits: list[tuple[str, str]], words: str, intent: str = "amend.other_reading", **slots: Any
) -> tuple[Answer, str]:
    """The answer to a message of which only some words were read, and the text of the file with it."""
    before, text = Repository(DictTree({PATH: CODE})), CODE
    for old, new in edits:
        assert old in text
        text = text.replace(old, new)
    now = before.with_changes({PATH: text})
    said = {
        slot: (Span(words.index(one), words.index(one) + len(one), one, f'"{one}"' in words),)
        for slot, one in slots.items()
    }
    told = Situation(now, PATH, earlier=Done("write", {}, ()), before=before, instruction=words)
    found = answer_orders([Order(0, len(words), (Reading(intent, 0.8, said),))], told)
    base = before if found.ways and found.ways[0].from_before else now
    return found, (found.ways[0].plan.texts(base).get(PATH) or "") if found.ways else ""


@pytest.mark.parametrize(
    ("edits", "words", "there", "gone"),
    [
        (NUMBERS, "the seats were fine, leave those alone", ["SEATS = 40", "DECKS = 3"], []),
        (NUMBERS, "lass die decks wie vorher", ["SEATS = 50", "DECKS = 2"], []),
        (NUMBERS, "it stays at 40", ["SEATS = 40", "DECKS = 3"], []),
        (NESTED, "leave the ifs as they were", ["    if path:\n        if", "DECKS = 3"], ["# one seat"]),
    ],
)
def test_a_part_that_stays_as_it_was_goes_alone(
    edits: list[tuple[str, str]], words: str, there: list[str], gone: list[str]
) -> None:
    found, text = behind(edits, words)
    assert found.kind == "edit" and found.ways[0].marked
    assert all(item in text for item in there) and not any(item in text for item in gone)


def test_the_only_comment_of_an_edit_is_known_to_be_meant() -> None:
    found, text = behind(NESTED, "the comment was fine")
    assert found.kind == "edit" and not found.ways[0].marked
    assert "# one seat" in text and "DECKS = 3" in text and "    if path:\n" not in text


@pytest.mark.parametrize("words", ["keep going", "all of it as it was", "no, leave it", "keep the 7"])
def test_words_for_keeping_without_a_part_mean_no_part(words: str) -> None:
    found, _ = behind(NUMBERS, words, "chat")
    assert found.kind == "chat"


def test_an_import_comes_back_with_the_part_that_uses_it_and_goes_with_the_other() -> None:
    _, text = behind(CRUDE, "not in rate", "amend.except", function="rate")
    assert (
        "from typing import Optional\n" in text and "speed: Optional[int]" in text and "DECKS - count" in text
    )
    _, text = behind([*WARNED, ("DECKS = 2", "DECKS = 3")], "not in rate", "amend.except", function="rate")
    assert "import sys" not in text and "DECKS = 3" in text and 'print("rated", total)' in text


@pytest.mark.parametrize(
    ("edits", "words", "slots", "there"),
    [
        (RAISED, "load too", {"function": "load"}, []),
        (LINE, "also in load", {"function": "load"}, ["ratio(1, deep=True)"]),
        (FAST, "slow too", {"variable": "slow"}, ['    except TypeError:\n        rows["slow"] = 0\n']),
        (
            MOORED,
            "is_moored too",
            {"function": "is_moored"},
            ["        if self.berth is None:\n            return []\n        return self"],
        ),
    ],
)
def test_the_same_is_done_to_what_is_named(
    edits: list[tuple[str, str]], words: str, slots: dict[str, str], there: list[str]
) -> None:
    found, text = behind(edits, words, "amend.also", **slots)
    assert (found.kind == "edit") == bool(there)
    assert all(item in text for item in there) and all(new in text for _, new in edits * bool(there))


@pytest.mark.parametrize(
    ("edits", "words", "intent", "anchor", "there"),
    [
        (
            LOGGED,
            "behind the increment",
            "amend.after",
            "increment",
            '        total += 1\n        print("deep")\n',
        ),
        (
            BRANCH,
            "before the total one",
            "amend.before",
            "total",
            "    elif rows:\n        total = 9\n    elif total:\n",
        ),
    ],
)
def test_what_was_written_moves_beside_what_words_name(
    edits: list[tuple[str, str]], words: str, intent: str, anchor: str, there: str
) -> None:
    found, text = behind(edits, words, intent, anchor=anchor)
    assert found.kind == "edit" and there in text


def test_orders_that_leave_an_edit_as_it_is_together_are_no_edit() -> None:
    code = (
        "def report(rows):\n    out = []\n    for kind, amount in rows:\n        out.append(amount)\n"
        "    return out\n"
        "\n\ndef save(path):\n    return open(path, 'w')\n"
    )
    before, asked = Repository(DictTree({PATH: code})), "sort the loop in report by amount"
    slots = {"function": (Span(17, 23, "report"),), "key": (Span(27, 33, "amount"),)}
    ordered = Order(0, len(asked), (Reading("sort_loop", 0.95, slots),))
    (way, *_) = answer_orders([ordered], Situation(before, PATH, instruction=asked)).ways
    now = before.with_changes(way.plan.texts(before))
    text = "leave report alone, do it in save"
    told = Situation(now, PATH, earlier=way.done, before=before, changed=(PATH,), instruction=text)
    save = {"function": (Span(29, 33, "save"),)}
    orders = [
        Order(0, 18, (Reading("amend.except", 0.95, {"function": (Span(6, 12, "report"),)}),)),
        Order(20, 33, (Reading("amend.place", 0.67, save), Reading("amend.except", 0.01, save))),
    ]
    found = answer_orders(orders, told)
    assert found.kind == "cannot" and "leave everything as it is" in found.reason


def test_a_default_stands_close_to_a_parameter_that_loses_its_type() -> None:
    code = "def move(x, grow=False):\n    print(x, grow)\n"
    before = Repository(DictTree({PATH: code}))
    now = before.with_changes({PATH: code.replace("x, grow=False):", "x: int, grow: bool = False) -> None:")})
    said = {"parameter": (Span(4, 8, "grow"),)}
    told = Situation(now, PATH, earlier=Done("write", {}, ()), before=before, instruction="not grow")
    found = answer_orders([Order(0, 8, (Reading("amend.except", 0.95, said),))], told)
    (way, *_) = found.ways
    text = way.plan.texts(before if way.from_before else now)[PATH] or ""
    assert text.startswith("def move(x: int, grow=False) -> None:\n")
