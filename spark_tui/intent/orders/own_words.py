"""An order with its own words only: those of the others say nothing of where it is to be done."""

from __future__ import annotations

from dataclasses import replace

from spark_tui.intent.context.situation import Situation
from spark_tui.intent.words.readings import CODE, Order, Reading, Span


def with_own_words(order: Order, now: Situation) -> tuple[Order, Situation]:
    """The order, and the situation with blanks for what is said in front of it and after it. What fills a
    slot and stands there has no place any more."""
    text = now.instruction
    own = " " * order.start + text[order.start : order.end] + " " * (len(text) - order.end)
    readings = tuple(_moved(reading, order, text) for reading in order.readings)
    return replace(order, readings=readings), replace(now, instruction=own, whole=text)


def _moved(reading: Reading, order: Order, text: str) -> Reading:
    slots = {
        slot: tuple(_without_place(span, order, text) for span in spans)
        for slot, spans in reading.slots.items()
    }
    left_out = tuple(_without_place(span, order, text) for span in reading.left_out)
    return replace(reading, slots=slots, left_out=left_out)


def _without_place(span: Span, order: Order, text: str) -> Span:
    if span.start < 0 or order.start <= span.start < order.end:
        return span
    shown = "`" in (*text[span.start : span.start + 1], *text[max(span.start - 1, 0) : span.start])
    return Span(CODE, CODE, span.text, True) if shown else Span(-1, -1, span.text, span.quoted)
