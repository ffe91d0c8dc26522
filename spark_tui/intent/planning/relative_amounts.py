"""Numbers that are changed relative to the old value: *one more*, *decrement*, *twice as long*."""

from __future__ import annotations

import re
from dataclasses import replace

from spark_tui.intent.words.readings import Reading

_RELATIVE = re.compile(
    r"\bone (?:more|less|fewer)(?=\W*\Z|\W+(?:in|inside|within|on|please|thanks)\b)"
    r"|\b(?:in|de)crement\b|\bas (?:large|big|long|high|small|short)\b",
    re.IGNORECASE,
)
_PLACES = ("function", "class", "file", "line")
_AMOUNTS = ("factor", "count")


def as_scaled(reading: Reading, instruction: str) -> Reading | None:
    """The reading as a change of the number that it names, if the instruction gives an amount relative to the
    old one; None if not, or if it names several things."""
    named = [slot for slot in reading.slots if slot not in (*_PLACES, *_AMOUNTS)]
    if reading.intent == "scale_value" or len(named) != 1 or not _RELATIVE.search(instruction):
        return None
    kept = {slot: spans for slot, spans in reading.slots.items() if slot in _PLACES}
    return replace(reading, intent="scale_value", slots={**kept, "variable": reading.slots[named[0]]})
