"""Of several orders of which one uses a name that nothing defines, the edit of the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from spark_tui.intent.context.situation import Situation
from spark_tui.intent.orders.several import undone
from spark_tui.intent.planning.answers import Answer, marked_with
from spark_tui.intent.planning.undefined_names import without_undefined
from spark_tui.intent.words.readings import Order


def only_defined(
    found: Answer,
    orders: Sequence[Order],
    situation: Situation,
    answer_orders: Callable[[Sequence[Order], Situation], Answer],
) -> Answer:
    """The answer without edits that use what nothing defines. If that leaves none, the edit of all orders but
    one, marked with that: the last one first, which may have relied on another."""
    kept = without_undefined(found, situation)
    for order in reversed(orders) if kept.kind == "cannot" and found.ways and len(orders) > 1 else ():
        text, others = situation.instruction, [one for one in orders if one is not order]
        blank = text[: order.start] + " " * (order.end - order.start) + text[order.end :]
        now = replace(situation, instruction=blank, whole=text)
        less = without_undefined(answer_orders(others, now), now)
        if less.kind == "edit":
            left = undone(text[order.start : order.end])
            return replace(less, ways=tuple(marked_with(left, way) for way in less.ways), reason=kept.reason)
    return kept
