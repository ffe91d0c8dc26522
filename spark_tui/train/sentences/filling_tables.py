"""The tables that lie beside this file: words to fill slots with, and where each slot takes its text from."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any


@cache
def toml_table(name: str) -> Mapping[str, Any]:
    """A table that lies beside this file."""
    return tomllib.loads(Path(__file__).with_name(f"{name}.toml").read_text("utf-8"))


@cache
def words(key: str) -> tuple[str, ...]:
    """A list of `filling.toml`."""
    found = toml_table("filling")[key]
    return tuple(found.split() if isinstance(found, str) else found)


def source_of(intent: str, slot: str) -> str:
    """The name of the method that draws the text of a slot."""
    table = toml_table("slot_sources")
    found: str = table.get(intent, {}).get(slot) or table["default"][slot]
    return found
