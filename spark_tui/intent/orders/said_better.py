"""An order in front that says what the next one shows: *don't swallow it. log(error) instead of pass*."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from spark_tui.intent.context.situation import Situation
from spark_tui.intent.orders.orders_done import is_kept
from spark_tui.intent.orders.own_words import with_own_words
from spark_tui.intent.planning.answers import Answer, Way
from spark_tui.intent.reading.shared_places import with_place
from spark_tui.intent.words.doubts import DoubtKind, is_of
from spark_tui.intent.words.readings import PLACES, Order


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
