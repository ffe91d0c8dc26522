"""Conditions whose words are not those of the code: found by what can fail there and by shared names."""

from __future__ import annotations

import pytest
from intent.support import PATH, situation

from spark_tui.intent.answer import answer_orders
from spark_tui.intent.readings import Order, Reading, Span
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.tree import DictTree

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


def after(said: str, intent: str, **slots: str) -> str:
    """The file after an instruction that is read as an intent with pieces of it as slots."""
    spans = {}
    for slot, text in slots.items():
        at = said.index(text)
        spans[slot] = (Span(at, at + len(text), text),)
    files = {PATH: STOCK}
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
    ids=lambda one: one if isinstance(one, str) and " " in one else "",
)
def test_a_condition_in_words_follows_from_the_code(
    said: str, intent: str, slots: dict[str, str], wanted: str
) -> None:
    assert wanted in after(said, intent, **slots)
