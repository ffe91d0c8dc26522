"""Readings of other intents that are asked for in nearly the same words, by the table `neighbours.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from importlib.resources import files
from typing import Any

from spark_tui.intent.intent_table import intents
from spark_tui.intent.readings import Reading
from spark_tui.intent.ways import UNSURE

_PLACES = ("function", "class", "file")


@lru_cache(maxsize=1)
def _table() -> Mapping[str, Mapping[str, Any]]:
    return tomllib.loads(files("spark_tui.intent").joinpath("neighbours.toml").read_text("utf-8"))


def neighbours(reading: Reading, tried: bool = False) -> Iterator[tuple[Reading, float, str]]:
    """Readings of neighbours, with what they weigh and what was guessed.

    With `tried` those that are planned beside the reading, else those for a reading of which no call could be
    built."""
    for name, entry in _table().get(reading.intent, {}).items():
        if bool(entry.get("tried", False)) != tried:
            continue
        pairs = dict(entry.get("slots", {}))
        known = intents()[name]
        pairs.update(
            {
                slot: slot
                for slot in known.slot_names
                if slot in _PLACES and slot not in (*pairs, *pairs.values())
            }
        )
        slots = {own: spans for own, given in pairs.items() if (spans := reading.slots.get(given))}
        if any(slot not in slots for slot in known.required if pairs.get(slot)):
            continue
        yield replace(reading, intent=name, slots=slots, unsure={}), float(entry["weight"]), UNSURE
