"""What is said where the built-in model had no edit."""

from __future__ import annotations

import pytest

from spark_tui.session.advice import advice


@pytest.mark.parametrize(
    ("asked", "form"),
    [
        ("InvalidTimeError's docstring says date, it should say time", "add the docstring"),
        ("the order's cust should be renamed @shop/orders.py", "rename OLD to NEW"),
        ("make five the default", "change the default of NAME to 5"),
        ("validate the quantity", 'raise ValueError("why") in FUNCTION when NAME is below 1'),
        ("give it an encoding argument", "add the parameter NAME"),
        ("improve this @tests/docstrings.py", "rename OLD to NEW, or: change the default"),
    ],
)
def test_the_form_that_is_nearest_to_what_was_asked_is_named(asked: str, form: str) -> None:
    assert f"as: {form}" in advice("cannot", asked)
    assert advice("no_edit", asked) == advice("cannot", asked)


@pytest.mark.parametrize("reason", ["stop", "interrupted", "length", ""])
def test_an_answer_that_is_no_verdict_gets_no_advice(reason: str) -> None:
    assert advice(reason, "rename it") == ""
