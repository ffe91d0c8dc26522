"""Bugs whose symptom is told: the words say which shape of bug to look for, and the code has to have it."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed

CODE = """\
SHELVES = 12


def waited(begin, end):
    return (end - begin).seconds / 3600


def middle(prices):
    prices.sort()
    return prices[len(prices) // 2]


def purge(guests, day):
    for guest in guests:
        if guest.left < day:
            guests.remove(guest)


def empty_shelves(used):
    return [one for one in range(1, SHELVES) if one not in used]


def is_hour(value):
    return 0 <= value and value < 23


def kelvin(celsius):
    return celsius + 237.15


def half_year(month):
    return month // 6 + 1


def spend(wallet, who, amount):
    wallet[who] -= amount


def grade(points):
    if points > 90:
        return "A"
    if points > 75:
        return "B"
"""

CASES = [
    ("waited says 2 hours although it was a day and 2 hours", "waited", ".seconds", ".total_seconds()"),
    (
        "after middle the prices of the caller are in another order",
        "middle",
        "prices.sort()",
        "prices = sorted(prices)",
    ),
    ("empty_shelves never shows shelf 12", "empty_shelves", "(1, SHELVES)", "(1, SHELVES + 1)"),
    ("is_hour: in some lands hour 24 is valid", "is_hour", "< 23", "< 24"),
    ("kelvin: 20 gives 257.15, it should be 293.15", "kelvin", "237.15", "273.15"),
    ("half_year(6) is 2", "half_year", "month // 6", "(month - 1) // 6"),
    ("KeyError in spend", "spend", "wallet[who] -= amount", "wallet[who] = wallet.get(who, 0) - amount"),
    (
        "RET503 missing explicit return at the end of function able to return non-None value: grade",
        "grade",
        'return "B"\n',
        'return "B"\n    return None\n',
    ),
]


@pytest.mark.parametrize(("said", "function", "old", "new"), CASES, ids=[case[1] for case in CASES])
def test_the_shape_that_the_words_tell_is_mended(said: str, function: str, old: str, new: str) -> None:
    at = CODE.index(f"def {function}(")
    wanted = CODE[:at] + CODE[at:].replace(old, new, 1)
    assert changed(CODE, said, "fix_error", function=function) == wanted


def test_what_the_words_alone_tell_is_marked() -> None:
    answer = answer_to(CODE, "waited is wrong after two days", "fix_error", function="waited")
    assert "what is wrong was guessed from the words" in answer.ways[0].marked


@pytest.mark.parametrize(
    ("said", "function"),
    [
        ("middle is wrong", "middle"),  # no symptom
        ("waited is one too many", "waited"),  # the symptom of another shape
        ("kelvin: 20 gives 300, it should be 293.15", "kelvin"),  # it does not give that
        ("purge writes the name twice", "purge"),
    ],
)
def test_without_symptom_or_shape_nothing_is_offered(said: str, function: str) -> None:
    assert not answer_to(CODE, said, "fix_error", function=function).ways


def test_a_linter_names_the_line() -> None:
    line = CODE[: CODE.index("def grade")].count("\n") + 1
    text = changed(CODE, f"shop.py:{line}:0: R1710 (inconsistent-return-statements)", "fix_error")
    assert 'return "B"\n    return None\n' in text
