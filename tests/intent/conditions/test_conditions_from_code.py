"""Conditions whose words are not those of the code: found by what can fail there and by shared names."""

from __future__ import annotations

import pytest
from intent.support import PATH, situation

from spark_tui.intent.answering.answer import answer_orders
from spark_tui.intent.words.readings import Order, Reading, Span
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

STOCK = """\
import re

SHELVES = {}


def price(label):
    label = label.lower()
    shelf = SHELVES[label]
    return shelf.price


def share(parts, whole):
    done = len(parts)
    return done / whole.size


def book(self, guest):
    self.guests.append(guest)
    return True


def code_of(text):
    found = re.search(r"[A-Z]+", text)
    return found.group()


def load(path):
    names = []
    for line in open(path):
        cells = line.split(";")
        names.append(cells[2])
    return names
"""


RULES = """\
class Door:
    OPEN = "open"
    SHUT = "shut"

    def push(self, who):
        if self.state == Door.OPEN or self.state == Door.SHUT:
            return who

    def knock(self, who):
        if self.state == Door.OPEN:
            return who
        raise KeyError(who)

    def last(self, names):
        best = None
        for name in names:
            best = name
        return best.upper()


def event_of(data):
    if data["kind"] == "ring":
        return 1, "ring"
    elif data["kind"] == "bell":
        return 2, "bell"


def rows(path):
    with open(path) as lines:
        for line in lines:
            print(line)
"""


def after(said: str, intent: str, program: str = STOCK, **slots: str) -> str:
    """The file after an instruction that is read as an intent with pieces of it as slots."""
    spans = {}
    for slot, text in slots.items():
        at = said.index(text)
        spans[slot] = (Span(at, at + len(text), text),)
    files = {PATH: program}
    answer = answer_orders(
        [Order(0, len(said), (Reading(intent, 0.95, spans),))], situation(files, instruction=said)
    )
    way = answer.ways[0] if answer.ways else answer.best
    assert way is not None, answer.reason
    return way.plan.texts(Repository(DictTree(files))).get(PATH) or ""


@pytest.mark.parametrize(
    ("said", "intent", "slots", "wanted"),
    [
        (
            "KeyError: 'tea' in price, return 0 for labels nobody put up",
            "guard_return",
            {"function": "price", "condition": "labels nobody put up", "result": "0"},
            "    label = label.lower()\n    if label not in SHELVES:\n        return 0\n    shelf",
        ),
        (
            "share divides by zero, give 0 as long as nothing came in",
            "guard_return",
            {"function": "share", "condition": "nothing came in", "result": "0"},
            "    if whole.size == 0:\n        return 0\n",
        ),
        (
            "book: raise ValueError when the guest is there already",
            "guard_raise",
            {"function": "book", "condition": "the guest is there already", "exception": "ValueError"},
            "    if guest in self.guests:\n        raise ValueError(",
        ),
        (
            "code_of gives None if the regex doesnt match",
            "guard_return",
            {"function": "code_of", "condition": "the regex doesnt match", "result": "None"},
            "    if found is None:\n        return None\n    return found.group()",
        ),
        (
            "skip blank lines in load",
            "skip_in_loop",
            {"function": "load", "condition": "blank lines"},
            "        if not line.strip():\n            continue\n        cells",
        ),
        (
            "skip lines with fewer than 3 columns in load",
            "skip_in_loop",
            {"function": "load", "condition": "fewer than 3 columns"},
            '        cells = line.split(";")\n        if len(cells) < 3:\n            continue\n',
        ),
        (
            "load should take anything but .csv lines",
            "skip_in_loop",
            {"function": "load", "condition": "anything but .csv lines"},
            '        if not line.endswith(".csv"):\n            continue\n',
        ),
    ],
    ids=lambda item: item if isinstance(item, str) and " " in item else "",
)
def test_a_condition_in_words_follows_from_the_code(
    said: str, intent: str, slots: dict[str, str], wanted: str
) -> None:
    assert wanted in after(said, intent, **slots)


@pytest.mark.parametrize(
    ("said", "intent", "slots", "wanted"),
    [
        (
            "event_of should be 0 and not None for the rest",
            "set_return",
            {"function": "event_of", "result": "0", "old": "None", "condition": "the rest"},
            '        return 2, "bell"\n    return 0\n',
        ),
        (
            "event_of: bell is 7 from now on",
            "set_return",
            {"function": "event_of", "result": "7", "condition": "bell"},
            '        return 7, "bell"\n',
        ),
        (
            "knock should give None when nobody is there",
            "set_return",
            {"function": "knock", "result": "None", "condition": "nobody is there"},
            "            return who\n        return None\n",
        ),
        (
            "last: raise LookupError if best is None",
            "guard_raise",
            {"function": "last", "condition": "best is None", "exception": "LookupError"},
            'if best is None:\n            raise LookupError("best must not be None")\n        return best',
        ),
        (
            "skip the header in rows",
            "skip_in_loop",
            {"function": "rows", "condition": "the header"},
            "        next(lines, None)\n        for line in lines:",
        ),
        (
            "the door is shut: push returns None then",
            "guard_return",
            {"function": "push", "condition": "the door is shut", "result": "None"},
            "        if self.state == Door.SHUT:\n            return None\n",
        ),
    ],
    ids=lambda item: item if isinstance(item, str) and " " in item else "",
)
def test_what_is_said_of_a_case_is_done_where_the_code_has_it(
    said: str, intent: str, slots: dict[str, str], wanted: str
) -> None:
    assert wanted in after(said, intent, RULES, **slots)


def test_a_condition_that_nothing_there_is_about_is_not_guessed() -> None:
    with pytest.raises(AssertionError):
        after(
            "book: return None when the moon is full",
            "guard_return",
            function="book",
            condition="the moon is full",
        )
