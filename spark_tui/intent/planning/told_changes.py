"""Orders whose words tell what changes: *decrement it*, *the range ends early*, *return it as a list*."""

from __future__ import annotations

import re
from dataclasses import replace

from spark_tui.intent.context.lookup import names_of, plain_name
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.fixes.off_by_one import tells_range
from spark_tui.intent.words.phrases import step_said
from spark_tui.intent.words.readings import Order, Reading, Span

_AS_A = re.compile(r"\b(?:result|it)\b.{0,30}\bas an? ", re.IGNORECASE)
_OF_TYPES = re.compile(r"\b(?:type|typed|hints?|annotat\w*|signature)\b|->", re.IGNORECASE)
_SURE = 0.9
"""How likely such words mean what they say."""


def as_told(order: Order, situation: Situation) -> Order:
    """The order with a reading in front by which a number counts on or the end of a range moves by one, and
    with results converted that are to be returned as something else."""
    said = situation.instruction[order.start : order.end] or situation.instruction
    if situation.earlier is not None or not order.readings:
        return order
    if _AS_A.search(said) and not _OF_TYPES.search(said):
        return replace(order, readings=tuple(map(_converted, order.readings)))
    if tells_range(said):
        return _before(order, Reading("fix_error", _SURE, _places(order)))
    named = _number_named(order, situation) if step_said(said) else None
    if named is None:
        return order
    return _before(order, Reading("scale_value", _SURE, {**_places(order), "variable": (named,)}))


def _converted(reading: Reading) -> Reading:
    """A type that a function gets, as what its result is made."""
    if reading.intent != "annotate_return" or not reading.slots.get("type"):
        return reading
    slots = {slot: own for slot, own in reading.slots.items() if slot != "type"}
    return replace(reading, intent="apply_function", slots={**slots, "transform": reading.slots["type"]})


def _before(order: Order, reading: Reading) -> Order:
    others = (
        replace(other, probability=(1 - _SURE) * other.probability)
        for other in order.readings
        if other.intent != reading.intent
    )
    return replace(order, readings=(reading, *others))


def _places(order: Order) -> dict[str, tuple[Span, ...]]:
    """The function and the class that are named."""
    first = order.readings[0].slots
    return {slot: first[slot] for slot in ("function",) if slot in first}


def _number_named(order: Order, situation: Situation) -> Span | None:
    """The first name in the readings that is set to a number in the open file, or has one as its default."""
    text = situation.repo.index.text(situation.path) or ""
    names = names_of(situation.repo, situation.path)
    for reading in order.readings:
        for slot, spans in reading.slots.items():
            for span in spans if slot != "function" else ():
                name = re.escape(plain_name(span.text).rpartition(".")[2])
                if names.is_symbol(span.text) and re.search(rf"(?<!\w){name}\s*(?::[^=\n]*)?=\s*\d", text):
                    return span
    return None
