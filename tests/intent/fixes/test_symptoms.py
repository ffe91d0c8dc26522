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
