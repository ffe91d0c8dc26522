"""Follow-ups that give another value or type than was written."""

from __future__ import annotations

import pytest
from intent.support import said_behind

CODE = """import sys
import logging

log = logging.getLogger(__name__)
SIZES = ("s", "m", "l")
LIMIT = 30
STEPS = 4
RED = "\\033[41m"


def mean(values):
    total = sum(values)
    if total == 1:
        return 1
    return total


def show(values, limit, unit):
    print("values")
    while len(values) > 12:
        values.pop()
    return ", ".join(values)
"""
LIMITS = [("LIMIT = 30", "LIMIT = 60"), ("STEPS = 4", "STEPS = 7")]


@pytest.mark.parametrize(
    ("edits", "text", "intent", "words", "says"),
    [
        (
            [("== 1:\n        return 1", "== 0:\n        return 0")],
            "0.0",
            "amend.value",
            {"value": "0.0"},
            ["total == 0:", "return 0.0"],
        ),
        (
            [('print("values")', 'log.info("values")')],
            "only debug",
            "amend.value",
            {"value": "debug"},
            ['log.debug("values")'],
        ),
        (
            [('"values")', '"values", file=sys.stderr)')],
            "on stdout",
            "amend.value",
            {"value": "stdout"},
            ["file=sys.stdout"],
        ),
        ([("> 12:", ">= 12:")], "15 is better", "amend.value", {"value": "15"}, [">= 15:"]),
        (LIMITS, "thirty are enough", "amend.value", {"value": "thirty"}, ["LIMIT = 60", "STEPS = 30"]),
        (
            [("> 12:", "> STEPS:"), ("sum(values)", "sum(values or ())")],
            "12 stays",
            "amend.value",
            {"value": "12"},
            ["> 12:", "sum(values or ())"],
        ),
        ([('", ".join', '" - ".join')], 'with " + " between', "amend.value", {"value": "+"}, ['" + ".join']),
        (
            [("values, limit, unit", "values: list, limit: int, unit: int")],
            "unit is a float",
            "amend.type",
            {"type": "float"},
            ["limit: int, unit: float"],
        ),
        (LIMITS, "60 is too much, 45", "amend.value", {"value": "45"}, ["LIMIT = 45", "STEPS = 7"]),
        (
            [("mean(values)", "mean(values: tuple) -> list")],
            "list[int], I mean",
            "amend.type",
            {"type": "list[int]"},
            ["values: tuple) -> list[int]:"],
        ),
        (
            [("STEPS = 4", "STEPS = 7"), ("> 12:", "> 7:")],
            "rather LIMIT",
            "amend.value",
            {"value": "LIMIT"},
            ["STEPS = LIMIT"],
        ),
    ],
)
def test_what_is_given_takes_the_place_of_what_it_is_like(
    edits: list[tuple[str, str]], text: str, intent: str, words: dict[str, str], says: list[str]
) -> None:
    made = said_behind(CODE, edits, text, intent, words)
    assert [item for item in says if item not in made] == []


@pytest.mark.parametrize("text", ["with the unit behind it", "a few more of them"])
def test_words_that_are_no_value_are_written_nowhere(text: str) -> None:
    edits = [("return total", "return max(total, 0)"), ('"values"', '"%Y-%m-%d"')]
    assert text not in said_behind(CODE, edits, text, "amend.value", {"value": text})
