"""One branch of an `if` that an order names: the others stay."""

from __future__ import annotations

import pytest
from intent.asking import answer_to
from intent.following import answer_behind
from intent.support import PATH, result

CHAIN = """\
def sign(n):
    if n == 0:
        return "zero"
    elif n < 0:
        return "neg"
    else:
        return "pos"
"""
PLAIN = "def two(x):\n    if x is None:\n        return 0\n    else:\n        # sum\n        return x + 1\n"


@pytest.mark.parametrize(
    ("said", "code"), [("remove the n == 0 branch", "n == 0"), ("remove the 0 branch", "0 branch")]
)
def test_below_the_first_one_the_next_becomes_the_if(said: str, code: str) -> None:
    found = answer_to(CHAIN, said, "delete_statement", code=code)
    new = CHAIN.replace('    if n == 0:\n        return "zero"\n    elif', "    if")
    assert result(found, {PATH: CHAIN}) == new


def test_what_stands_in_an_else_moves_out() -> None:
    found = answer_to(PLAIN, "remove the x is None branch", "delete_statement", code="x is None")
    assert result(found, {PATH: PLAIN}) == "def two(x):\n    # sum\n    return x + 1\n"


def test_an_if_that_is_no_branch_goes_as_a_whole() -> None:
    found = answer_to(PLAIN, "remove if x is None", "delete_statement", code="if x is None")
    assert "x + 1" not in result(found, {PATH: PLAIN})


def test_the_branch_of_the_last_edit_is_that_branch() -> None:
    now = CHAIN.replace('"zero"', '"null"')
    _, after = answer_behind(CHAIN, now, "remove that branch", "delete_statement", code="that branch")
    assert after == CHAIN.replace('    if n == 0:\n        return "zero"\n    elif', "    if")
