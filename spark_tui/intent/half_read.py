"""Two orders that were read as one: the edit takes nothing from one side of a word that joins them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from spark_tui.intent.executing import settings
from spark_tui.intent.readings import Order, Reading, Reads, Splits, SymbolRoles
from spark_tui.intent.situation import Situation
from spark_tui.intent.ways import Answer, marked_with

_JOINED = re.compile(r"(?<!\w)(?:and|then|also|plus|und|dann|et|puis|y|luego)(?!\w)|[,;+&\n。，；、]")
"""Where a further order may begin."""
_CLEAR = 0.5
"""How likely the readings of both parts have to be."""
_WHOLE = frozenset(("fix_error", "write", "question", "chat", "impossible", "amend.undo"))
"""What is read from an instruction as a whole."""


def with_both_sides(
    found: Answer,
    orders: Sequence[Order],
    now: Situation,
    reader: Reads,
    symbols: SymbolRoles,
    answer_orders: Callable[[Sequence[Order], Situation], Answer],
) -> Answer:
    """The answer to both parts of an order of which the answer found does only one; else that answer."""
    unsplit = len(orders) == 1 and found.kind == "edit" and _JOINED.search(now.instruction)
    if not unsplit or not isinstance(reader, Splits):
        return found
    earlier = now.earlier.intent if now.earlier is not None else ""
    parts = reader.split_once_more(now.instruction, symbols, earlier)
    if not _is_half_read(orders[0], parts, found):
        return found
    both = answer_orders(parts, now)
    if both.kind != "edit" or not both.ways:
        return found
    # Where only one part can be done it has to be the one that was found; the mark names the other.
    if both.reason and both.ways[0].calls != found.ways[0].calls:
        return found
    if not both.reason and both.ways[0].confidence < float(settings()["half_read"]):
        return found
    doubt = settings()["sentences"]["split"]
    return replace(both, ways=tuple(marked_with(doubt, one) for one in both.ways))


def _is_half_read(order: Order, parts: Sequence[Order], found: Answer) -> bool:
    """Whether the reading of the edit takes nothing from one of the parts, or less than they say when they
    are read alone."""
    intent = found.ways[0].done.intent if found.ways and found.ways[0].done is not None else ""
    reading = next((one for one in order.readings if one.intent == intent), None)
    alone = [part.readings[0] for part in parts if part.readings]
    if reading is None or len(alone) < 2 or any(one.intent in _WHOLE for one in (reading, *alone)):
        return False
    if _repeats(alone) or any(one.probability < _CLEAR for one in alone):
        return False
    shown = str(found.ways[0].calls)
    spans = [
        one for own in reading.slots.values() for one in own if len(own) == 1 or _stands_in(one.text, shown)
    ]
    spans += reading.left_out
    said = [one for each in alone for own in each.slots.values() for one in own]
    more = any(not any(one.start < each.end and each.start < one.end for each in spans) for one in said)
    return more or any(not any(part.start <= one.start < part.end for one in spans) for part in parts)


def _repeats(readings: Sequence[Reading]) -> bool:
    """Whether one of several readings says the same again and names nothing: `my prints, drop them`."""
    intents = [one.intent for one in readings]
    return any(not one.slots and intents.count(one.intent) > 1 for one in readings)


def _stands_in(name: str, shown: str) -> bool:
    """Whether a name stands in calls, and not only in the path of a file."""
    return re.search(rf"(?<![\w/]){re.escape(name)}(?![\w/]|\.py)", shown) is not None
