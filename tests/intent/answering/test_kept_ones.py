"""Of all of a kind that goes, what is to stay may be said first, or with the kind behind it."""

from __future__ import annotations

import pytest
from support.long_texts import ENDLESS

from spark_tui.intent.answering.kept_ones import with_kind_of_all


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("keep the first print, remove the others", "remove all print but the first"),
        ("keep the last two prints in f and delete the rest", "delete all prints but the last two in f"),
        ("remove all but the first print in f", "remove all print but the first in f"),
        ("remove all prints but the first", "remove all prints but the first"),
        ("remove all but the first in f", "remove all but the first in f"),
        ("keep the first name, call the others by number", "keep the first name, call the others by number"),
    ],
)
def test_the_kind_stands_behind_all(text: str, wanted: str) -> None:
    assert with_kind_of_all(text) == wanted


@pytest.mark.parametrize("said", ["keep the first |a ", "|remove all but ", "keep the first print| "])
def test_long_messages_are_looked_at_once(said: str) -> None:
    begin, piece = said.split("|")
    with_kind_of_all(begin + piece * (ENDLESS // len(piece)))
