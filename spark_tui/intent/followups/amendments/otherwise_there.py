"""Messages that ask for what an edit did at another place, with something else for it: *einzahlen too: no
negative amounts*, *clean gets one too, 0 would do*."""

from __future__ import annotations

from dataclasses import replace

from spark_tui.intent.context.situation import Situation
from spark_tui.intent.followups.orders.left_to_written import definitions_written
from spark_tui.intent.planning.resolve import find_candidates
from spark_tui.intent.words.readings import Order, Reading

_JOINED = frozenset(("also_allow", "also_require", "amend.condition"))
_TESTING = frozenset(("guard_raise", "guard_return", "skip_in_loop", "stop_loop"))
_KEPT = ("exception", "result")
_LESS = 0.3


def with_otherwise_there(order: Order, situation: Situation) -> Order:
    """The order as one of the kind of the last edit, where it names another function and what is to be tested
    there, or says more of what is to be done there than that it is the same."""
    earlier = situation.earlier
    if earlier is None or not order.readings:
        return order
    return _with_more(_as_test(order, situation), earlier.intent)


def _as_test(order: Order, situation: Situation) -> Order:
    """A further condition for a function in which nothing was written is a test of its own."""
    first, earlier = order.readings[0], situation.earlier
    functions = first.slots.get("function", ())
    if earlier is None or earlier.intent not in _TESTING or first.intent not in _JOINED or not functions:
        return order
    own = {name.rpartition(".")[2] for name in definitions_written(situation)}
    if functions[0].text.strip("`'\"()").rpartition(".")[2] in own or not first.slots.get("condition"):
        return order
    kept = {slot: earlier.slots[slot] for slot in _KEPT if earlier.slots.get(slot)}
    there = replace(first, intent=earlier.intent, slots={**kept, **first.slots})
    if not any(one.calls for one in find_candidates(there, replace(situation, earlier=None))):
        return order
    return order.preferring(there)


def _with_more(order: Order, done: str) -> Order:
    """Of two readings that name the same place, the one that also says a value for it."""
    also = next((one for one in order.readings if one.intent == "amend.also" and one.slots), None)
    for one in order.readings if also is not None else ():
        if one.intent == done and also is not None and _holds(one, also):
            rest = (
                replace(item, probability=_LESS * item.probability) if item is also else item
                for item in order.readings
                if item is not one
            )
            sure = one.probability + (1 - _LESS) * also.probability
            return replace(order, readings=(replace(one, probability=sure), *rest))
    return order


def _holds(one: Reading, other: Reading) -> bool:
    """Whether a reading has all that another one has, and more."""
    same = all(one.slots.get(slot) == spans for slot, spans in other.slots.items())
    return same and len(one.slots) > len(other.slots)
