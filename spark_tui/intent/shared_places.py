"""Of several orders in one instruction: the place that only one of them names, and what `it` means."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from spark_tui.intent.intent_table import intents
from spark_tui.intent.readings import Order, Reading, Span

_PLACES = ("function", "class", "file")
_NAMED = ("symbol", "function", "class", "variable", "parameter", "name")
"""Slots of what an order is about, the most telling first."""
_PRONOUN = re.compile(r"(?<!\w)(?:it|its|ihm|ihr|sie|lui|elle|le|lo)(?!\w)|[它其]", re.IGNORECASE)


def with_place(order: Order, others: Sequence[Order], words: str = "") -> Order | None:
    """The order with the place of the nearest order that names one; None where it names one itself, or where
    no reading of it takes one. `others` are the orders in front, the nearest first, and those behind. Where
    its `words` say `it`, the place is what the first of them is about."""
    meant = next(_about(others[0]), None) if others and says_it(words) else None
    given = ("function", (meant,)) if meant is not None else next(_places(others), None)
    if given is None:
        return None
    slot, spans = given
    readings = tuple(_placed(one, slot, spans) for one in order.readings)
    return replace(order, readings=readings) if readings != order.readings else None


def without_repeats(orders: Sequence[Order]) -> list[Order]:
    """The orders, where one that names nothing and asks for the same as the one beside it is a part of that:
    `Unnecessary "else", remove it` and `de-indent the code in get_jobs`."""
    out: list[Order] = []
    for order in orders:
        if out and _says_again(out[-1], order):
            named = order if order.readings[0].slots else out[-1]
            out[-1] = replace(named, start=out[-1].start, end=order.end)
        else:
            out.append(order)
    return out


def _says_again(one: Order, other: Order) -> bool:
    if not one.readings or not other.readings:
        return False
    first, second = one.readings[0], other.readings[0]
    return first.intent == second.intent and not (first.slots and second.slots)


def says_it(words: str) -> bool:
    """Whether words name something by a pronoun."""
    return _PRONOUN.search(words) is not None


def _places(others: Sequence[Order]) -> Iterator[tuple[str, tuple[Span, ...]]]:
    for order in others:
        for reading in order.readings[:1]:
            for slot in _PLACES:
                if reading.slots.get(slot):
                    yield slot, reading.slots[slot]


def _placed(reading: Reading, slot: str, spans: tuple[Span, ...]) -> Reading:
    known = intents().get(reading.intent)
    named = reading.everywhere or any(reading.slots.get(one) for one in (*_PLACES, "symbol"))
    if named or known is None or slot not in known.slot_names:
        return reading
    return replace(reading, slots={**reading.slots, slot: spans})


def _about(order: Order) -> Iterator[Span]:
    for reading in order.readings[:1]:
        renamed = ("new",) if reading.intent == "rename" else ()
        yield from (reading.slots[slot][0] for slot in (*renamed, *_NAMED) if reading.slots.get(slot))
