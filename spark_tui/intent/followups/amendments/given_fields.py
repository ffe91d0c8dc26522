"""The calls of the last edit with what a message gives in the one field that holds such a thing."""

from __future__ import annotations

from functools import lru_cache

from spark_tui.codemods.registry import MalformedCall, Operation, from_json, to_json
from spark_tui.intent.context.situation import Candidate, Done
from spark_tui.intent.followups.followup_table import followup_table
from spark_tui.intent.words.readings import Reading


def with_given_field(reading: Reading, earlier: Done) -> list[Candidate]:
    """The calls once more; none where no field holds such a thing, or several do."""
    names = _fields().get(reading.intent, ())
    held = [(at, name) for at, call in enumerate(earlier.calls) for name in names if hasattr(call, name)]
    given = reading.slots.get(str(followup_table()["given"].get(reading.intent, "")), ())
    if len(held) != 1 or len(given) != 1:
        return []
    at, name = held[0]
    made = _with_field(earlier.calls[at], name, given[0].text.strip())
    if made is None or made == earlier.calls[at]:
        return []
    return [Candidate((*earlier.calls[:at], made, *earlier.calls[at + 1 :]), reading)]


def _with_field(call: Operation, name: str, text: str) -> Operation | None:
    try:
        return from_json({**to_json(call), name: text})
    except MalformedCall:
        return None


@lru_cache(maxsize=1)
def _fields() -> dict[str, tuple[str, ...]]:
    return {intent: tuple(names) for intent, names in followup_table()["fields"].items()}
