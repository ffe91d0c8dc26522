"""Orders that say *inline* in front of a name: the reader learned them of local variables only."""

from __future__ import annotations

import re
from collections.abc import Sequence

from spark_tui.intent.words.readings import Order, Reading, Span, SymbolRoles
from spark_tui.pysource.words import word_set

_SAID = re.compile(
    r"\W*(?:(?:please|can you|could you|let's|just|bitte)\s+)*inlin(?:e[ds]?|ing|en)\b", re.IGNORECASE
)
_NAME = re.compile(r"[^\W\d]\w*(?:\.\w+)*")
_SURE = 0.95
_ROLES = frozenset(("function", "constant", "variable", "local", "method"))
_KINDS = word_set("call calls constant function functions helper method value variable")
"""What says what a name is, and may be a name itself."""


def with_inlined(text: str, orders: Sequence[Order], symbols: SymbolRoles) -> tuple[Order, ...]:
    """The orders, with such a reading first where the name is that of a function or constant."""
    return tuple(_inlined(text, order, symbols) or order for order in orders)


def _inlined(text: str, order: Order, symbols: SymbolRoles) -> Order | None:
    said = _SAID.match(text, order.start, order.end)
    if said is None:
        return None
    names = list(_NAME.finditer(text, said.end(), order.end))
    known = [item for item in names if symbols.roles(item[0]) & _ROLES]
    first = next((item for item in known if item[0] not in _KINDS), None)
    if first is None or "local" in symbols.roles(first[0]):
        return None
    before = [item for item in known if item.start() < first.start()]
    if any("local" in symbols.roles(item[0]) and text[item.end() : first.start()].strip() for item in before):
        return None  # a variable has the name of a kind: "inline value in load"
    span = Span(*first.span(), first[0])
    return order.preferring(Reading("inline_variable", _SURE, {"variable": (span,)}))
