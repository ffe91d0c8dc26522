"""How many things there are is asked of the collection, however one of them is called."""

from __future__ import annotations

import pytest

from spark_tui.intent.conditions.worded import parse_condition

NAMES = {"children": "self.children", "child": "child", "entries": "entries", "boxes": "boxes", "n": "n"}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("more than one child", "len(self.children) > 1"),
        ("there's more than 1 child", "len(self.children) > 1"),
        ("there is at least one entry", "len(entries) >= 1"),
        ("fewer than one box is given", "len(boxes) < 1"),
    ],
)
def test_the_collection_of_what_is_counted_is_measured(text: str, code: str) -> None:
    assert [one.code for one in parse_condition(text, NAMES.get)] == [code]


@pytest.mark.parametrize("text", ["n is more than 1", "child is more than 1", "more than one row"])
def test_what_is_no_count_of_a_known_collection_is_not(text: str) -> None:
    assert not any("len(" in one.code for one in parse_condition(text, NAMES.get))
