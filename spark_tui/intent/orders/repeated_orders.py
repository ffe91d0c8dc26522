"""Orders that say again what the one beside them asks for, or a part of it; and those that say what the next
one shows: *don't swallow it. log(error) instead of pass*."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from spark_tui.intent.context.situation import Situation
from spark_tui.intent.orders.orders_done import is_kept
from spark_tui.intent.planning.answers import Answer, Way
from spark_tui.intent.reading.shared_places import with_place
from spark_tui.intent.words.doubts import DoubtKind, is_of
from spark_tui.intent.words.readings import CODE, PLACES, Order, Reading, Span

_PARTS = {"pattern.invert_if": "negate_condition"}
"""What an order does besides, and another one may say: *negate the condition and swap the branches*."""


def without_repeats(orders: Sequence[Order]) -> list[Order]:
    """The orders, where one that names nothing and asks for the same as the one beside it is a part of that:
    `Unnecessary "else", remove it` and `de-indent the code in get_jobs`; one that has the other as a part is
    left with the place of that."""
    out: list[Order] = []
    for order in orders:
        if out and _says_again(out[-1], order):
            named = order if order.readings[0].slots else out[-1]
            whole = next((item for item in (out[-1], order) if item.readings[0].intent in _PARTS), None)
            if whole is not None and whole is not named:
                slots = {"condition" if k == "old" else k: own for k, own in named.readings[0].slots.items()}
                named = replace(
                    whole, readings=(replace(whole.readings[0], slots=slots), *whole.readings[1:])
                )
            out[-1] = replace(named, start=out[-1].start, end=order.end)
        else:
            out.append(order)
    return out


def _says_again(order: Order, other: Order) -> bool:
    if not order.readings or not other.readings:
        return False
    first, second = order.readings[0], other.readings[0]
    part = first.intent == _PARTS.get(second.intent) or second.intent == _PARTS.get(first.intent)
    return (first.intent == second.intent or part) and not (first.slots and second.slots)


def by_the_next(
    orders: Sequence[Order], situation: Situation, answer_one: Callable[[Order, Situation], Answer]
) -> Way | None:
    """The edit of the second of two orders, where it replaces at the place of the first one what that would
    take away."""
    if len(orders) != 2 or situation.earlier is not None or not all(order.readings for order in orders):
        return None
    first, second = orders
    reading = second.readings[0]
    if not reading.intent.startswith("replace_") or not reading.slots.get("old"):
        return None
    words = situation.instruction[second.start : second.end]
    placed = None if any(map(reading.slots.get, PLACES)) else with_place(second, [first], words)
    if placed is None:
        return None
    now = replace(situation, several=True)
    found = answer_one(*with_own_words(placed, now))
    before = answer_one(*with_own_words(first, now)) if found.kind == "edit" else found
    if found.kind != "edit" or not is_kept(found) or before.kind != "edit":
        return None
    done = now.repo.with_changes(before.ways[0].plan.texts(now.repo))
    behind = answer_one(*with_own_words(placed, replace(now, repo=done)))
    there = behind.kind == "edit" and not any(is_of(mark, DoubtKind.MEANT) for mark in behind.ways[0].marked)
    return None if there else found.ways[0]


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
