"""Errors that are told and not shown: one too many, one too few, a text that is split too often."""

from __future__ import annotations

import pytest
from intent.support import PATH, situation

from spark_tui.intent.answering.answer import Answer, answer_orders
from spark_tui.intent.words.readings import Order, Reading, Span
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

CODE = """\
import random


def pages(total, per):
    return list(range(1, total // per))


def full(items, limit):
    return bool(items) and len(items) > limit


def pick(items):
    return items[random.randint(0, 6)]


def offset(page, size):
    first = page * size
    return first


def turn(floor, top):
    if floor == top:
        return -1
    return 1


def pair(line):
    name, rest = line.split(",")
    words, more = line.split(" ")
    return name, rest, words, more


def drop(table, old):
    for key in table:
        if key < old:
            table.pop(key)


def steps(xs):
    return [xs[i + 1] - xs[i] for i in range(len(xs) - 1)]


def rises(xs):
    out = []
    for i in range(len(xs)):
        out.append(xs[i + 1] > xs[i])
    return out
"""


def fixed(said: str, function: str) -> Answer:
    at = said.index(function)
    slots = {"function": (Span(at, at + len(function), function),)}
    order = Order(0, len(said), (Reading("fix_error", 1.0, slots),))
    return answer_orders([order], situation({PATH: CODE}, instruction=said))


@pytest.mark.parametrize(
    ("said", "function", "old", "new"),
    [
        ("pages is one short", "pages", "total // per)", "total // per + 1)"),
        ("full: with a limit of 3 four fit in", "full", "> limit", ">= limit"),
        ("pair: too many values to unpack, only the first comma counts", "pair", '(",")', '(",", 1)'),
        ("too many values to unpack in pair, any whitespace may stand there", "pair", '(" ")', "()"),
        ("drop: dictionary changed size during iteration", "drop", "in table:", "in list(table):"),
        ("IndexError: list index out of range in rises", "rises", "(len(xs)):", "(len(xs) - 1):"),
    ],
)
def test_what_is_told_is_fixed(said: str, function: str, old: str, new: str) -> None:
    way = fixed(said, function).ways[0]
    assert way.plan.texts(Repository(DictTree({PATH: CODE})))[PATH] == CODE.replace(old, new, 1)


def test_a_place_that_was_guessed_is_marked() -> None:
    assert "what is one off was guessed" in fixed("off by one in full", "full").ways[0].marked


def test_without_a_word_for_it_no_comparison_is_turned() -> None:
    assert not fixed("full is broken", "full").ways


def test_a_lack_of_values_is_no_reason_to_split_once() -> None:
    assert not fixed("ValueError: not enough values to unpack in pair", "pair").ways
