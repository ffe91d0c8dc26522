"""Readings of a message after an edit that mean another one, or that its other readings make less likely."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from spark_tui.intent.words.readings import Reading

_LESS = 0.3
_WITHOUT_PLACE = ("amend.first", "amend.last")


def likelier_readings(readings: Sequence[Reading]) -> list[Reading]:
    """The readings as they are likelier after an edit."""
    return [_as_other_name(one) for one in _placed(readings)]


def _placed(readings: Sequence[Reading]) -> tuple[Reading, ...]:
    """The readings, of which those that name no place count less where one names what stands before or after
    it: *between the name and the total*."""
    likely = max((one.probability for one in readings), default=0.0)
    named = any(one.slots.get("anchor") and one.probability >= _LESS * likely for one in readings)
    return tuple(
        replace(one, probability=_LESS * one.probability)
        if named and one.intent in _WITHOUT_PLACE and not one.slots
        else one
        for one in readings
    )


def _as_other_name(reading: Reading) -> Reading:
    """A rename that does not say of what as another name for what was written."""
    bare = reading.intent == "rename" and set(reading.slots) == {"new"}
    return replace(reading, intent="amend.name") if bare else reading
