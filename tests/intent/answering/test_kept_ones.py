"""Of all of a kind that goes, what is to stay may be said first, or with the kind behind it."""

from __future__ import annotations

import time

import pytest

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


def test_long_messages_take_no_time() -> None:
    begun = time.process_time()
    for text in (
        "keep the first " + "a " * 5000,
        "remove all but " * 700,
        "keep the first print" + " " * 10_000,
    ):
        with_kind_of_all(text)
    assert time.process_time() - begun < 1
