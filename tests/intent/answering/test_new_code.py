"""A message that asks for a definition which is not there is answered with one or not at all."""

from __future__ import annotations

import pytest
from intent.asking import answer_to

from spark_tui.intent.answering.new_code import asks_for_code

CODE = "class Cart:\n    def total(self):\n        return 1\n"


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("write a greeting function", True),
        ("we need another class for customers", True),
        ("add a method that removes an item", True),
        ("add a class attribute", False),
        ("add a method call", False),
        ("write a docstring for the function", False),
    ],
)
def test_new_definitions_are_told_from_parts_of_those_that_are_there(text: str, new: bool) -> None:
    assert asks_for_code(text) == new


def test_no_docstring_is_written_in_the_place_of_a_function() -> None:
    assert answer_to(CODE, "write a greeting function", "write_docstring").ways == ()
    assert answer_to(CODE, "write docstrings", "write_docstring").ways != ()
    made = answer_to(CODE, "we need a clear method", "add_method", name="clear")
    assert made.ways != ()
