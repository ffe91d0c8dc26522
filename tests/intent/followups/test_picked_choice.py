"""A message behind several edits that may be meant takes the one that only its words name."""

from __future__ import annotations

import pytest

from spark_tui.intent.followups.picked_choice import picked_choice

TITLES = (
    "raise in convert_td when n < 1",
    "raise in convert_th when n < 1",
    "raise in the file",
    "ask the model",
)


@pytest.mark.parametrize(
    ("said", "number"),
    [
        ("only in convert_td", 1),
        ("just the one in convert_th please", 2),
        ("the second one", 2),
        ("the last one", 3),
        ("not in convert_td", 0),  # says which is not meant
        ("n", 0),  # two have it
        ("rename convert_td to cell", 0),
        ("the model", 0),
        ("the fifth", 0),
        ("only", 0),
    ],
)
def test_the_choice_that_alone_has_all_names_is_taken(said: str, number: int) -> None:
    assert picked_choice(said, TITLES) == number


def test_of_one_edit_nothing_is_taken_by_its_name() -> None:
    assert picked_choice("convert_td", ("raise in convert_td", "ask the model")) == 0
    assert picked_choice("convert_td", ()) == 0
