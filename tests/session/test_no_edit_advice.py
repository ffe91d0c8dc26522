"""What is said where an answer brought no hunk."""

from __future__ import annotations

import pytest

from spark_tui.session.no_edit_advice import no_edit_advice, why_no_hunk


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
    assert f"form: {form}" in no_edit_advice("cannot", asked)
    assert no_edit_advice("no_edit", asked) == no_edit_advice("cannot", asked)


@pytest.mark.parametrize("reason", ["stop", "interrupted", "length", ""])
def test_an_answer_that_is_no_verdict_gets_no_advice(reason: str) -> None:
    assert no_edit_advice(reason, "rename it") == ""


@pytest.mark.parametrize(
    "typed",
    [
        "rename cust to customer everywhere @shop/orders.py",
        "Change the default of limit to 5 @shop/report.py",
        "raise ValueError in add when qty is below 1 @shop/cart.py",
        'raise KeyError("no such item") in find when key is below 0',
        "annotate the parameter qty of add with int",
        "add `import os` at the top",
    ],
)
def test_the_form_that_was_just_typed_is_not_suggested(typed: str) -> None:
    assert "form" not in no_edit_advice("cannot", typed)
    assert "check the names" in no_edit_advice("cannot", typed)


CODE = {
    "a fence without a path": "Here it is:\n\n```python\nx = 2\n```\n",
    "a fence in a list": "1. Change this:\n   ```\n   x = 2\n   ```\n",
    "a diff without files": "@@ -1,2 +1,2 @@\n-x = 1\n+x = 2\n",
    "a block of another format": "<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n",
    "a patch of another format": "*** Begin Patch\n*** Update File: a.py\n",
}


@pytest.mark.parametrize("answer", CODE.values(), ids=CODE)
def test_code_that_was_not_placed_is_not_called_nothing_to_change(answer: str) -> None:
    assert "code that spark could not place" in why_no_hunk("stop", answer)


@pytest.mark.parametrize(
    ("reason", "answer", "edited", "said"),
    [
        ("cannot", "", False, "declined"),
        ("no_edit", "", False, "sees nothing to change"),
        ("stop", "", True, "the edit changes nothing"),
        ("stop", "Have a look at `limit` first.\n", False, "text without an edit"),
        ("stop", " \n", False, "empty"),
    ],
)
def test_each_way_to_bring_no_hunk_has_words_of_its_own(
    reason: str, answer: str, edited: bool, said: str
) -> None:
    assert said in why_no_hunk(reason, answer, edited=edited)
