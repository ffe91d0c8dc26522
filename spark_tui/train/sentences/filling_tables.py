"""The words that fill slots, and where each slot takes its text from."""

from __future__ import annotations

from functools import cache

from spark_tui.train.templates.tables import table


@cache
def words(key: str) -> tuple[str, ...]:
    """A list of `filling.toml`."""
    found = table("sentences/filling")[key]
    return tuple(found.split()) if isinstance(found, str) else tuple(found)


def source_of(intent: str, slot: str) -> str:
    """The name of the method that draws the text of a slot."""
    sources = table("sentences/slot_sources")
    found: str = sources.get(intent, {}).get(slot) or sources["default"][slot]
    return found
