"""Parts of an instruction of which the further ones are no orders of their own, whatever they are read as."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from spark_tui.intent.context.situation import Situation
from spark_tui.intent.names.told_by_place import numbered_exceptions
from spark_tui.intent.planning.what_is_used import opposite
from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import Order, Span

_TURNED = 0.1
"""How likely a part is read to be the reverse of the whole, from which it is none of its own."""
_WORD_BEFORE = re.compile(r"(\w+)\W*\Z")
_NEAR = 40
"""How many characters in front of a slot are looked at for the word before it."""


def is_one_order(order: Order, parts: Sequence[Order], now: Situation) -> bool:
    """Whether the parts together are the one order that was read."""
    return (
        _cuts_code(parts, now)
        or _turns(order, parts)
        or _is_parallel(order, parts, now)
        or _excepts(parts, now)
    )


def _cuts_code(parts: Sequence[Order], now: Situation) -> bool:
    """Whether a part would begin within a line of the open file that the message shows."""
    said = now.instruction
    lines = {line.strip() for line in (now.repo.index.text(now.path) or "").splitlines()} if parts else set()
    starts = [(said.find(line), len(line)) for line in lines if line in said]
    return any(low < part.start < low + size for low, size in starts for part in parts[1:])


def _turns(order: Order, parts: Sequence[Order]) -> bool:
    """Whether a part, which lacks the verb, may put in what the whole takes away beside another thing, or the
    reverse: *"b" from TAGS* of *remove "a" and "b" from TAGS*."""
    first = order.readings[0] if order.readings else None
    if first is None or not any(len(own) > 1 for own in first.slots.values()):
        return False
    back, others = opposite(first.intent), (one for part in parts[1:] for one in part.readings)
    return any(one.intent == back and one.probability > _TURNED for one in others)


def _is_parallel(order: Order, parts: Sequence[Order], now: Situation) -> bool:
    """Whether a part begins with the word that stood in front of one like it: *by age and then by name*."""
    first = order.readings[0] if order.readings else None
    for one, other in (pair for own in (first.slots.values() if first else ()) for pair in pairwise(own)):
        front, again = (_front(now.instruction, span) for span in (one, other))
        part = next((part for part in parts[1:] if part.start <= other.start < part.end), None)
        if part is None or not front or front != again:
            continue
        words = re.findall(r"\w+", now.instruction[part.start : other.start].lower())
        if set(words[:-1]) <= {*phrases.words("and"), *phrases.words("more")}:
            return True
    return False


def _excepts(parts: Sequence[Order], now: Situation) -> bool:
    """Whether a part only says by its number what is left out: *all but the first*."""
    places = [(found.start(), found.end()) for found in numbered_exceptions(now.instruction)]
    return any(low < part.start <= high for low, high in places for part in parts[1:])


def _front(text: str, span: Span) -> str:
    """The word in front of a slot."""
    found = _WORD_BEFORE.search(text[max(span.start - _NEAR, 0) : span.start])
    return found[1].lower() if found is not None else ""
