"""Messages that only say which tests are skipped: *skip test_load for now*, *skip all tests but test_load*.
The network reads them as questions, and as exceptions from an edit."""

from __future__ import annotations

import re
from collections.abc import Sequence

from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import CODE, Order, Reading, Span, SymbolRoles

_LIKELY = 0.9
_WORD = re.compile(r"\w+")
_MARK = "skip"
_TEST = ("test", "tests", "for", "and", "everything", "every", "all", "each", "other")
_ALL, _BUT = ("tests", "test", "all", "everything"), ("but", "except", "besides", "than")
_ALL_BUT = rf"\b(?:{'|'.join(_ALL)})\b[\w\s]*\b(?:{'|'.join(_BUT)})\W+(?:(?:for|the)\s+)*(?:tests?\s+)?"
_DEFINED = re.compile(r"\s*(?:async\s+)?def\s+(test\w*)\(")


def with_skipped_tests(
    text: str, orders: tuple[Order, ...], symbols: SymbolRoles, lines: Sequence[str]
) -> tuple[Order, ...]:
    """The order with such a reading first, where no word says more: of the tests that are named, or of those
    of the open file, without the named ones."""
    said = list(_WORD.finditer(text))
    named = [word for word in said if word[0].startswith("test") and symbols.roles(word[0])]
    verb = next((word for word in said if word[0].lower() in phrases.words("skipping")), None)
    if len(orders) != 1 or verb is None or (named and verb.start() > named[0].start()):
        return orders
    idle = {*phrases.words("articles"), *phrases.words("rest"), *_TEST, *_BUT}
    words = [word[0].lower() for word in said if word != verb and word not in named]
    all_but = bool(named) and re.search(_ALL_BUT + re.escape(named[0][0]), text, re.IGNORECASE) is not None
    if not all_but and any(word not in idle or (named and word in _BUT) for word in words):
        return orders
    spans, left_out = [Span(*word.span(), word[0]) for word in named], list[Span]()
    if not named or all_but:
        kept = {word[0] for word in named}
        there = [found[1] for line in lines if (found := _DEFINED.match(line))]
        if not any(word in _ALL for word in words) or not kept <= set(there):
            return orders
        left_out = spans
        spans = [Span(CODE, CODE, name, True) for name in there if name not in kept]
    slots = {"decorator": (Span(*verb.span(), _MARK),), "function": tuple(spans)}
    skipped = Reading("add_decorator", _LIKELY, slots, tuple(left_out))
    return (orders[0].preferring(skipped),) if spans else orders
