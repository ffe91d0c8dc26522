"""Types of several names under one order: `type load: path is a str, size: int, it returns list[str]`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from spark_tui.intent.words.phrases import table, type_code, words
from spark_tui.intent.words.readings import Order, Reading, Reads, Span, SymbolRoles

_TYPE = (
    r"(?:(?:an?|ein|une?|una?)\s+)?"
    r"(?P<type>(?:\[(?:[^\[\]]|\[[^\[\]]*\])*\]|[^\s,;.?!()\[\]]|\.(?=\w)|\s+of\s+|\s*\|\s*){1,120})"
)
_NAMED = re.compile(rf"`?(?P<name>[^\W\d]\w*)`?(?:\s*:\s*|\s+(?:is|as|ist|est|es|是)\s+){_TYPE}")
_ANNOTATES = frozenset(("annotate_parameter", "annotate_return", "annotate_variable", "annotate_all"))
_OTHER_FIRST = re.compile(r"\w+(?:\W+\w+){2,}\s*(?:[,;.\n]|\band\b|\bthen\b|\balso\b)")
"""What may be another order: some words, and one that joins."""
_LEAST = 0.3
"""How likely the reading of one of the types has to be."""
_MOST_READ = 4
"""Types that are read alone to find the function that they are for."""


@dataclass(frozen=True)
class _Typed:
    """A type in the text, and the name that it is of; no name for what is returned."""

    start: int
    end: int
    type: Span
    name: Span | None


def typed_apart(
    text: str, reader: Reads, symbols: SymbolRoles, earlier: str = ""
) -> tuple[Order, ...] | None:
    """The orders of an instruction with one for each of several types beside each other; None where
    there are not several, or where the order that has them is read as something else with only one."""
    typed = _run(list(_typed(text, symbols)), text)
    if len(typed) < 2 or all(item.name is None for item in typed):
        return None
    for one in typed[:_MOST_READ]:
        orders = reader.read(_with_only(text, one, typed), symbols, earlier)
        order = next((item for item in orders if item.start <= one.type.start < item.end), None)
        if order is None or not order.readings or not _annotates(order, text):
            return None
        if _function(order.readings[0], typed):
            at = orders.index(order)
            starts = [order.start, *(item.start for item in typed[1:]), max(order.end, typed[-1].end)]
            own = (_order(each, order.readings[0], starts[n : n + 2]) for n, each in enumerate(typed))
            return (*orders[:at], *own, *orders[at + 1 :])
    return None


def _annotates(order: Order, text: str) -> bool:
    """Whether types are what an order is about, and no other one stands in front of what they are for."""
    reading = order.readings[0]
    named = reading.slots.get("function", ())
    front = text[order.start : named[0].start] if named else ""
    return reading.intent in _ANNOTATES and reading.probability >= _LEAST and not _OTHER_FIRST.search(front)


def _order(typed: _Typed, like: Reading, ends: Sequence[int]) -> Order:
    """The order of a type, at the place of another one."""
    slots = {slot: like.slots[slot] for slot in ("function", "class", "file") if slot in like.slots}
    slots |= {"type": (typed.type,)} | ({"parameter": (typed.name,)} if typed.name is not None else {})
    intent = "annotate_parameter" if typed.name is not None else "annotate_return"
    return Order(ends[0], ends[1], (replace(like, intent=intent, slots=slots, unsure={}),))


def _function(reading: Reading, typed: Sequence[_Typed]) -> bool:
    """Whether a reading names a function that is none of the names with a type."""
    names = {item.name.text for item in typed if item.name is not None}
    return any(item.text not in names for item in reading.slots.get("function", ()))


def _typed(text: str, symbols: SymbolRoles) -> Iterator[_Typed]:
    """All names that are parameters and have a type, and the types of what is returned, in their order."""
    found: list[tuple[re.Match[str], Span | None]] = []
    one = _NAMED.search(text)
    while one is not None:
        if "parameter" in symbols.roles(one["name"]):
            found.append((one, Span(*one.span("name"), one["name"])))
        one = _NAMED.search(text, one.end("name"))
    pattern = "|".join(map(re.escape, words("returned")))
    returned = re.compile(rf"(?<!\w)(?:{pattern})\s+{_TYPE}", re.IGNORECASE)
    found += [(item, None) for item in returned.finditer(text)]
    for match, name in sorted(found, key=lambda item: item[0].start()):
        hint = match["type"].rstrip()
        start, end = match.start("type"), match.start("type") + len(hint)
        if _is_known(hint, symbols):
            yield _Typed(match.start(), end, Span(start, end, hint.strip("`")), name)


def _is_known(text: str, symbols: SymbolRoles) -> bool:
    code = type_code(text) or ""
    base = re.split(r"\W", code, maxsplit=1)[0]
    return base in table()["words"]["type_names"] or "class" in symbols.roles(base)


def _run(typed: Sequence[_Typed], text: str) -> list[_Typed]:
    """The first types, as long as nothing but joining words stands between them."""
    joins = "|".join(map(re.escape, (*words("and"), "it", "that", "the", "also", "then", "-", "plus")))
    out: list[_Typed] = []
    for item in typed:
        if out and item.start < out[-1].end:
            continue
        if out and not re.fullmatch(rf"(?:[\s,;.&*-]|\b(?:{joins})\b)*", text[out[-1].end : item.start]):
            break
        out.append(item)
    return out


def _with_only(text: str, kept: _Typed, typed: Sequence[_Typed]) -> str:
    """The text with blanks where the other types stand, and what joins them."""
    low, high = typed[0].start, typed[-1].end
    before, behind = " " * (kept.start - low), " " * (high - kept.end)
    return text[:low] + before + text[kept.start : kept.end] + behind + text[high:]
