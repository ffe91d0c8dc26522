"""The table of intents: what an instruction may ask for, and what it may name."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

TABLE = Path(__file__).with_name("intents.toml")
GROUPS = ("pattern", "amend")
"""Tables of tables: their intents are named with the group in front, such as `pattern.any`."""


@dataclass(frozen=True, slots=True)
class Slot:
    """What a sentence may name; an optional slot may be left out."""

    name: str
    optional: bool


@dataclass(frozen=True, slots=True)
class Intent:
    """One thing that may be asked for. `fields` are the further entries of the table."""

    name: str
    about: str
    slots: tuple[Slot, ...]
    fields: Mapping[str, Any]

    @property
    def slot_names(self) -> tuple[str, ...]:
        return tuple(slot.name for slot in self.slots)

    @property
    def required(self) -> tuple[str, ...]:
        return tuple(slot.name for slot in self.slots if not slot.optional)

    @property
    def amends(self) -> bool:
        """Whether it changes an answer that was given before."""
        return self.name.startswith("amend.")


def parse(text: str) -> dict[str, Intent]:
    """The intents of a table in TOML, by name and in the order of the table."""
    found: dict[str, Intent] = {}
    for key, value in tomllib.loads(text).items():
        entries = {f"{key}.{name}": entry for name, entry in value.items()} if key in GROUPS else {key: value}
        for name, entry in entries.items():
            rest = {field: entry[field] for field in entry if field not in ("about", "slots")}
            slots = tuple(Slot(slot.rstrip("?"), slot.endswith("?")) for slot in entry["slots"])
            found[name] = Intent(name, entry["about"], slots, rest)
    return found


@cache
def intents() -> Mapping[str, Intent]:
    """The intents that ship, by name and in the order of the table."""
    return parse(TABLE.read_text("utf-8"))
