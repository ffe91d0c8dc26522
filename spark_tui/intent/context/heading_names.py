"""A class or function that heads a message, as in subjects of commits: *Disabled validator: …*."""

from __future__ import annotations

import re
from dataclasses import replace

from spark_tui.intent.context.situation import Situation
from spark_tui.intent.reading.intent_table import intents
from spark_tui.intent.words.readings import Reading, Span

_HEADING = re.compile(r"\s*(\w+)(?:\s+\w+){0,2}:\s")
_PLACES = ("function", "class", "file")


def with_heading_name(reading: Reading, situation: Situation) -> Reading:
    """The reading with the definition of the open file whose name heads the message as its place, where the
    reader took that for an ordinary word and no other place is named."""
    found, index = _HEADING.match(situation.instruction), situation.repo.index
    known = intents().get(reading.intent)
    slot = next((one for one in _PLACES[:2] if known is not None and one in known.slot_names), "")
    if found is None or not slot or any(reading.slots.get(one) for one in _PLACES):
        return reading
    start, end = found.span(1)
    held = (span for spans in reading.slots.values() for span in spans)
    if any(span.start < end and start < span.end for span in held):
        return reading
    if all(path != situation.path for path, _ in index.symbols(found[1])):
        return reading
    return replace(reading, slots={**reading.slots, slot: (Span(start, end, found[1]),)})
