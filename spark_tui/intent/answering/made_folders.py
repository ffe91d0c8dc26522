"""Messages that ask for the folder of a file to be made where it is written."""

from __future__ import annotations

import re
from collections.abc import Sequence

from spark_tui.intent.words.folders import folder_words
from spark_tui.intent.words.readings import Order, Reading, Span

_LIKELY = 0.75
_NEEDED = re.compile(
    r"\b(?:parent|missing|exists?|needed|necessary|there|first|before|beforehand|fehlt|existe|manque|falta)\b"
    r"|不存在|没有",
    re.IGNORECASE,
)
_WHEN = re.compile(
    r",?\s*(?:if|when|unless|in case|before|first|exists?|falls|wenn|si|cuando)\b[^.;\n]*", re.IGNORECASE
)
"""When it is made, which needs no test: nothing happens where it is there."""
_READ_AS = ("write", "impossible", "insert_at_start", "insert_at_end", "insert_before", "insert_after")


def with_folder(text: str, orders: tuple[Order, ...]) -> tuple[Order, ...]:
    """The order with such a reading first, where it is read as something new or as code in words."""
    place = folder_words(text)
    if place is None or len(orders) != 1 or not orders[0].readings or not _NEEDED.search(text):
        return orders
    first = orders[0].readings[0]
    if first.intent not in _READ_AS and first.probability > 1 - _LIKELY:
        return orders
    named, start = _named(orders[0].readings), place[0]
    behind = _WHEN.match(text, place[1])
    end = behind.end() if behind is not None else place[1]
    code = Span(start, end, text[start:end])
    return (orders[0].preferring(Reading("insert_at_start", _LIKELY, {"code": (code,), **named})),)


def _named(readings: Sequence[Reading]) -> dict[str, tuple[Span, ...]]:
    """The function that the reader found."""
    found = next((one.slots["function"] for one in readings if "function" in one.slots), ())
    return {"function": found} if found else {}
