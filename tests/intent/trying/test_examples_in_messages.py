"""Calls and values that a message shows are found, and which of the values is wanted."""

from __future__ import annotations

import pytest

from spark_tui.intent.trying.examples import examples_in
from spark_tui.pysource.source import Source

CODE = """
from collections import namedtuple
from decimal import Decimal

Box = namedtuple("Box", "low high")


class BadInput(ValueError):
    pass


class Till:
    def sell(self, price):
        return price


def median(values):
    return values[0]


def slugify(text):
    return text
"""


def said(message: str, path: str = "app/stats.py") -> list[tuple[str, list[str], list[str]]]:
    """For each example its call, the values that are said to be wanted, and the others."""
    return [
        (
            one.code,
            [value.code for value in one.said if value.wanted],
            [value.code for value in one.said if not value.wanted and not value.apart],
        )
        for one in examples_in(message, Source(CODE, path))
    ]


@pytest.mark.parametrize(
    ("message", "call", "wanted", "others"),
    [
        ("median([1, 2]) returns 1, should be 1.5", "median([1, 2])", ["1.5"], ["1"]),
        ("`median([1, 2])` gives 1 instead of 1.5", "median([1, 2])", ["1.5"], ["1"]),
        ("expected 1.5 but median([1, 2]) is 1", "median([1, 2])", ["1.5"], ["1"]),
        ("median([1, 2])\ngot 1\nwant 1.5", "median([1, 2])", ["1.5"], ["1"]),
        ("median([1, 2]) -> 1  (expected: 1.5)", "median([1, 2])", ["1.5"], ["1"]),
        ("median([1, 2]) liefert 1, soll 1.5 sein", "median([1, 2])", ["1.5"], ["1"]),
        ("median([]) raises IndexError, should return None", "median([])", ["None"], ["IndexError"]),
        ("median([]) should raise BadInput", "median([])", ["BadInput"], []),
        ("median([1, -2]) should be −0.5", "median([1, -2])", ["-0.5"], []),
        ("median([1, 2]) must give Decimal('1.5')", "median([1, 2])", ["Decimal('1.5')"], []),
        ("median([1]) gives Box(low=1, high=1)", "median([1])", [], ["Box(low=1, high=1)"]),
        ("median([1]) gives Point(x=1, y=2)", "median([1])", [], []),
        ("slugify('A  B') -> a--b instead of a-b", "slugify('A  B')", ["'a-b'"], ["'a--b'"]),
        ("slugify('A B') should be “a-b”", "slugify('A B')", ["'a-b'"], []),
        ("stats.median([1, 2]) should be 1.5", "median([1, 2])", ["1.5"], []),
        ("app.stats.median([1, 2]) should be 1.5", "median([1, 2])", ["1.5"], []),
        ('till.sell("2") should be 2', 'Till().sell("2")', ["2"], []),
        ("median([1, 2]) gives 1. Version 3 did it.", "median([1, 2])", [], ["1"]),
    ],
)
def test_one_example(message: str, call: str, wanted: list[str], others: list[str]) -> None:
    assert said(message) == [(call, wanted, others)]


def test_a_function_that_is_a_place_is_no_example() -> None:
    assert said("in slugify(), text should be '' by default") == []
    assert said("in my terminal slugify() gives None, should be ''") == [("slugify()", ["''"], ["None"])]


def test_each_call_has_the_values_behind_it() -> None:
    message = "median([3]) -> 1 (expected 3)\nmedian([5]) -> 1 (expected 5)"
    assert said(message) == [("median([3])", ["3"], ["1"]), ("median([5])", ["5"], ["1"])]


def test_values_at_the_end_are_shared_out() -> None:
    message = ">>> median([3])\n1\n>>> median([5])\n2\n\nexpected 3 and 5"
    assert said(message) == [("median([3])", ["3"], ["1"]), ("median([5])", ["5"], ["2"])]


def test_what_a_prompt_shows_comes_first() -> None:
    message = ">>> from app.stats import Till\n>>> t = Till()\n>>> t.sell('2')\n'2'\nshould be 2"
    found = examples_in(message, Source(CODE, "app/stats.py"))
    assert found[0].setup == "from app.stats import Till\nt = Till()"


@pytest.mark.parametrize(
    "message",
    [
        "other(3) gives 4, should be 5",
        "the median is wrong",
        "median of 1 and 2 should be 1.5",
        "median([1, ",
    ],
)
def test_no_example(message: str) -> None:
    assert said(message) == []
