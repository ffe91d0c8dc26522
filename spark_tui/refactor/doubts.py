"""Why an edit that accounts for every word of an order may still not be what is meant.

Comes in: an order and the text that a rule made of it. Goes out: whether it is in doubt. Must not know: rules.
"""

from __future__ import annotations

import re

from spark_tui.refactor.loose_ends import left_undone, runs
from spark_tui.refactor.order import Order
from spark_tui.refactor.turns import asked, turned

_COUNTED = re.compile(r"\b(?:first|second|third|last|next|previous) (?:line|statement)\b", re.I)


def doubted(order: Order, text: str) -> bool:
    """Something in the order turns it; the code would not run; a name of the file is read that nothing makes. Who
    numbers the line or spells the code has seen what comes of it."""
    if turned(order.said) or asked(order.instruction) or asked(order.said):
        return True
    if order.src.tree is None:
        return False
    if not runs(order.src, text):
        return True
    pointed = order.numbered or _COUNTED.search(order.said)
    return not pointed and any(
        name in order.identifiers and not _spelled(order, name) for name in left_undone(order.src, text)
    )


def _spelled(order: Order, name: str) -> bool:
    """Whether the order holds code in which the name stands."""
    lines = [line.strip() for line in order.src.lines if re.search(rf"\b{name}\b", line)]
    pieces = [piece for piece in order.quoted if not piece.isidentifier()]
    pieces += [line for line in lines if len(line) > 2 * len(name) and line in order.said]
    return any(re.search(rf"\b{name}\b", piece) for piece in pieces)
