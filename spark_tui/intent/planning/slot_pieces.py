"""Words of slots before they are resolved: several pieces that are one text, quoted ones with a prefix, and
numbers relative to the old value (*one more*, *twice as long*)."""

from __future__ import annotations

import re
from dataclasses import replace

from spark_tui.intent.values.literals.numbers import is_length
from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import Reading, Span

_FOLLOWS = re.compile(r"[\s,;:–-]*")
BETWEEN = {
    "message": _FOLLOWS,
    "text": _FOLLOWS,
    "transform": re.compile(r"\s+(?:in|by|to|from)\s+"),
    "condition": re.compile(r"[\s,]*(?:and|or|und|oder|et|ou|y|o|且|或|并且|或者)[\s,]*"),
}
"""What may stand between the pieces of one text."""
_PREFIX = re.compile(r"(?<!\w)(?:[bf]r?|r[bf]?)\Z", re.IGNORECASE)
_RELATIVE = re.compile(
    r"\bone (?:more|less|fewer)(?=\W*\Z|\W+(?:in|inside|within|on|please|thanks)\b)"
    r"|\b(?:in|de)crement\b|\bas (?:large|big|long|high|small|short)\b",
    re.IGNORECASE,
)
_PLACES = ("function", "class", "file", "line")
_AMOUNTS = ("factor", "count")
_CUT = ("variable", "parameter")
_MAY_CUT = re.compile("set_value|set_default|round_value|limit_loop|format_number|limit_value")


def with_prefix(span: Span, instruction: str) -> Span:
    """The code of a quoted text with a prefix: `b"."`, `f"{name}"`."""
    start = span.start - (instruction[span.start : span.start + 1] not in ("'", '"', ""))
    found = _PREFIX.search(instruction[: max(start, 0)]) if span.quoted else None
    if found is None or instruction[start] not in "'\"" or not span.text:
        return span
    mark = instruction[start]
    return Span(found.start(), span.end, f"{found[0]}{mark}{span.text}{mark}")


def one_text(spans: tuple[Span, ...], instruction: str, between: re.Pattern[str]) -> tuple[Span, ...]:
    """The quoted ones of several pieces of text; of others those with no more than `between` as one."""
    quoted = tuple(span for span in spans if span.quoted)
    if len(spans) < 2 or quoted:
        return quoted or spans
    out = [spans[0]]
    for one in spans[1:]:
        if between.fullmatch(instruction[out[-1].end : one.start]):
            start = out.pop().start
            one = Span(start, one.end, instruction[start : one.end])
        out.append(one)
    return tuple(out) if between is _FOLLOWS else tuple(sorted(out, key=lambda item: -len(item.text)))


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
