"""Orders that say again what the one beside them asks for, or a part of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from spark_tui.intent.words.readings import Order

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
