"""Orders with what a message says in the place of what they said."""

from __future__ import annotations

import pytest

from spark_tui.steers.merged import in_its_place

LINES = ("def save(path, value):", '    """Save it."""', "    return value")


@pytest.mark.parametrize(
    ("asked", "said", "order"),
    [
        ("rename value to form", "form should be draft", "rename value to draft"),
        ('document value: "The form."', "the text should be 'A draft.'", "document value: 'A draft.'"),
        ("let save return path", "raise KeyError", "let save raise KeyError"),
    ],
)
def test_what_is_to_be_takes_the_place_of_what_was_said(asked: str, said: str, order: str) -> None:
    assert next(in_its_place(LINES, asked, said), "") == order


def test_what_is_done_besides_takes_no_statement_away() -> None:
    assert list(in_its_place(LINES, "let save return path", "print path", also=True)) == []
