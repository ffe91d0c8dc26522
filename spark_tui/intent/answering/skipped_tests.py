"""Messages that only say that a test is skipped: *skip test_load for now*. The network reads them as
questions, and as exceptions from an edit."""

from __future__ import annotations

import re

from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import Order, Reading, Span, SymbolRoles

_LIKELY = 0.9
_WORD = re.compile(r"\w+")
_MARK = "skip"
_TEST = ("test", "tests", "for")


def with_skipped_test(text: str, orders: tuple[Order, ...], symbols: SymbolRoles) -> tuple[Order, ...]:
    """The order with such a reading first, where no word says more."""
    said = list(_WORD.finditer(text))
    named = [word for word in said if word[0].startswith("test") and symbols.roles(word[0])]
    verb = next((word for word in said if word[0].lower() in phrases.words("skipping")), None)
    if len(orders) != 1 or len(named) != 1 or verb is None or not verb.start() < named[0].start():
        return orders
    idle = {*phrases.words("articles"), *phrases.words("rest"), *_TEST}
    if any(word[0].lower() not in idle for word in said if word not in (verb, named[0])):
        return orders
    slots = {
        slot: (Span(*word.span(), shown),)
        for slot, word, shown in (("decorator", verb, _MARK), ("function", named[0], named[0][0]))
    }
    return (orders[0].preferring(Reading("add_decorator", _LIKELY, slots)),)
