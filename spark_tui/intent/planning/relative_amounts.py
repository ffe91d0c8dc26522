"""Numbers that are changed relative to the old value: *one more*, *decrement*, *twice as long*."""

from __future__ import annotations

import re
from dataclasses import replace

from spark_tui.intent.values.literals.numbers import is_length
from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import Reading, Span

_RELATIVE = re.compile(
    r"\bone (?:more|less|fewer)(?=\W*\Z|\W+(?:in|inside|within|on|please|thanks)\b)"
    r"|\b(?:in|de)crement\b|\bas (?:large|big|long|high|small|short)\b",
    re.IGNORECASE,
)
_PLACES = ("function", "class", "file", "line")
_AMOUNTS = ("factor", "count")
_CUT = ("variable", "parameter")
_MAY_CUT = re.compile("set_value|set_default|round_value|limit_loop|format_number|limit_value")


def as_scaled(reading: Reading, instruction: str) -> Reading | None:
    """The reading as a change of the number that it names, if the instruction gives an amount relative to the
    old one, or of the text, if it counts characters; None if not, or if it names several things."""
    length = next((spans for spans in reading.slots.values() if is_length(spans[0], instruction)), ())
    shorter = phrases.any_stands_in(phrases.words("shortening"), instruction.lower())
    if length and shorter and _MAY_CUT.match(reading.intent):
        said = [spans[-1] for slot in _CUT for spans in [reading.slots.get(slot, ())] if spans]
        kept = {slot: spans for slot, spans in reading.slots.items() if slot in _PLACES}
        kept |= {"variable": (as_last_word(said[0]),)} if said else {}
        return replace(reading, intent="limit_value", slots={**kept, "maximum": length})
    named = [slot for slot in reading.slots if slot not in (*_PLACES, *_AMOUNTS)]
    if reading.intent == "scale_value" or len(named) != 1 or not _RELATIVE.search(instruction):
        return None
    kept = {slot: spans for slot, spans in reading.slots.items() if slot in _PLACES}
    return replace(reading, intent="scale_value", slots={**kept, "variable": reading.slots[named[0]]})


def as_last_word(span: Span) -> Span:
    """The last word of a span: `name` of *limit name*."""
    word = span.text.split()[-1]
    return replace(span, start=span.end - len(word), text=word)
