"""A rename that names nothing is of the one name that the message has elsewhere."""

from __future__ import annotations

from intent.support import situation

from spark_tui.intent.context.described_names import with_only_name
from spark_tui.intent.words.readings import Reading, Span

FILES = {"shop.py": "MOST_ROWS = 3\nLEAST_ROWS = 1\n\n\ndef loadAll():\n    return MOST_ROWS\n"}


def named(text: str, new: str) -> str:
    at = text.index(new)
    reading = Reading("rename", 0.7, {"new": (Span(at, at + len(new), new),)})
    return with_only_name(reading, situation(FILES, instruction=text)).text("symbol")


def test_the_name_at_another_place_is_renamed() -> None:
    assert named("MOST_ROWS is confusing, rename the constant to LIMIT", "LIMIT") == "MOST_ROWS"
    assert named("rename the function to load_all, loadAll is not our style", "load_all") == "loadAll"


def test_of_several_or_unknown_names_none_is() -> None:
    assert not named("MOST_ROWS and LEAST_ROWS are confusing, rename it to LIMIT", "LIMIT")
    assert not named("OTHER_ROWS is confusing, rename the constant to LIMIT", "LIMIT")
    assert not named("rename the constant to MOST_ROWS", "MOST_ROWS")
