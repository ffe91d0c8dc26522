"""From a reading to candidates: calls of codemods for all that its words may mean in the repository."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

from spark_tui.intent import (  # noqa: F401  (the builders register themselves)
    call_builders,
    condition_builders,
    definition_builders,
    error_builders,
    fixes,
    guard_builders,
    text_builders,
    transform_builders,
    value_builders,
)
from spark_tui.intent.building import build
from spark_tui.intent.context import Context
from spark_tui.intent.names import Names
from spark_tui.intent.readings import Reading, Span
from spark_tui.intent.situation import Candidate, Done, Situation, Unresolved

__all__ = ["Candidate", "Done", "Situation", "Unresolved", "candidates"]

_REPEATED = (
    "function",
    "symbol",
    "parameter",
    "variable",
    "class",
    "call",
    "module",
    "name",
    "value",
    "decorator",
    "file",
    "code",
)
_MOST = 12


def candidates(reading: Reading, situation: Situation, names: Names | None = None) -> list[Candidate]:
    """The ways to do what a reading says, the likeliest first; where there is none, one that says why."""
    names = names or Names(situation.repo, situation.path)
    parts = split(reading)
    if len(parts) == 1:
        return build(Context(reading, situation, names))[:_MOST]
    found = [build(Context(one, situation, names)) for one in parts]
    failed = next((each[0] for each in found if not each[0].calls), None)
    if failed is not None:
        return [replace(failed, reading=reading)]
    first = [each[0] for each in found]
    weight = 1.0
    for one in first:
        weight *= one.weight
    calls = tuple(call for one in first for call in one.calls)
    doubts = tuple(dict.fromkeys(doubt for one in first for doubt in one.doubts))
    return [Candidate(calls, reading, doubts, weight)]


def split(reading: Reading) -> list[Reading]:
    """A reading for each thing that is named where several are: `catch KeyError in load and save`."""
    slots = {
        slot: spans
        for slot, spans in reading.slots.items()
        if slot in _REPEATED and len(_distinct(spans)) > 1
    }
    if not slots:
        return [reading]
    many = max(len(_distinct(spans)) for spans in slots.values())
    out = []
    for at in range(many):
        own = {
            slot: ((_distinct(spans)[min(at, len(_distinct(spans)) - 1)],) if slot in slots else spans)
            for slot, spans in reading.slots.items()
        }
        out.append(replace(reading, slots=own))
    return list(islice(out, 6))


def _distinct(spans: tuple[Span, ...]) -> list[Span]:
    seen: dict[str, Span] = {}
    for one in spans:
        seen.setdefault(one.text, one)
    return list(seen.values())
