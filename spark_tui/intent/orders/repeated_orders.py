"""Orders that say again what the one beside them asks for, or a part of it; and two that would write the same
thing with different values."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from spark_tui.codemods.families.files import SetKey
from spark_tui.codemods.families.functions.arguments import SetArgument
from spark_tui.codemods.families.functions.signature import SetDefault
from spark_tui.codemods.families.values.replacement import SetValue
from spark_tui.codemods.registry import Operation
from spark_tui.intent.context.lookup import key, plain_name
from spark_tui.intent.context.situation import Candidate, Situation
from spark_tui.intent.orders.orders_done import is_kept
from spark_tui.intent.planning.answers import Answer, Way
from spark_tui.intent.reading.shared_places import with_place
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import DoubtKind, is_of
from spark_tui.intent.words.readings import CODE, PLACES, Order, Reading, Span

_PARTS = {"pattern.invert_if": "negate_condition"}
"""What an order does besides, and another one may say: *negate the condition and swap the branches*."""


def without_repeats(orders: Sequence[Order], text: str) -> list[Order]:
    """The orders of a text, where one that names nothing and asks for the same as the one beside it is a part
    of that: `Unnecessary "else", remove it` and `de-indent the code in get_jobs`; one that has the other as a
    part is left with the place of that. So is a base *instead of* which another one comes."""
    out: list[Order] = []
    for order in orders:
        if out and _is_exchanged(out[-1], order, text):
            out[-1] = replace(out[-1], end=order.end)
        elif out and _says_again(out[-1], order):
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


def _is_exchanged(order: Order, other: Order, text: str) -> bool:
    """Whether an order only says instead of what the one before puts a base: *instead of ValueError*."""
    first = order.readings[0].intent if order.readings else ""
    words = tuple(f"{word} " for word in phrases.words("exchanged"))
    return first == "add_base" and text[other.start : other.end].lower().lstrip().startswith(words)


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


def clash(ways: Sequence[Way]) -> int | None:
    """Which of some edits is the less certain of two that write the same thing."""
    for at, later in enumerate(ways):
        for before, one in enumerate(ways[:at]):
            if any(_same(mine, other) for mine in later.calls for other in one.calls):
                loose = [not _is_named(item) for item in (one, later)]
                return before if loose == [True, False] else at if loose[1] else None
    return None


def _is_named(way: Way) -> bool:
    """Whether the words of an edit are the name of what it sets. A key is named as it is spelled."""
    slots = way.done.slots if way.done is not None else {}
    if keys := {_spelled(call.key) for call in way.calls if isinstance(call, SetKey)}:
        return any(_spelled(plain_name(item.text)) in keys for item in slots.get("key", ()))
    names = {key(str(call.target).rpartition("::")[2]) for call in way.calls if isinstance(call, SetValue)}
    return any(key(plain_name(item.text)) in names for item in slots.get("variable", ())) or not names


def _spelled(name: str) -> str:
    return re.sub(r"[\s_-]+", "-", name.rpartition(".")[2].strip("\"'")).lower()


def untaken(
    weighed: list[tuple[float, Candidate]], taken: Sequence[Operation]
) -> list[tuple[float, Candidate]]:
    """The candidates that do not write what another order of the same instruction writes."""
    return [
        item for item in weighed if not any(_same(call, other) for call in item[1].calls for other in taken)
    ]


def _same(operation: Operation, other: Operation) -> bool:
    """Whether two calls set the same thing to different values."""
    if isinstance(operation, SetValue) and isinstance(other, SetValue):
        return operation.target == other.target and operation.value != other.value
    if isinstance(operation, SetKey) and isinstance(other, SetKey):
        same = (operation.path, operation.key) == (other.path, other.key)
        return same and operation.value != other.value
    if isinstance(operation, SetArgument) and isinstance(other, SetArgument):
        same = (operation.callee, operation.place, operation.name) == (other.callee, other.place, other.name)
        return same and operation.value != other.value
    if isinstance(operation, SetDefault) and isinstance(other, SetDefault):
        same = (operation.target, operation.name) == (other.target, other.name)
        return same and operation.default != other.default
    return False
