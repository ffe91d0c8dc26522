"""Finds by a few letters: `scpy` finds `shop/cart.py`.

Comes in: a query and texts. Goes out: the texts that have all letters in order, the likeliest first.
Must not know: what the texts name.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")
_BOUNDARY = "/_-. :"


def score(query: str, text: str) -> float | None:
    """Higher is likelier, None is no match. Counts: one piece, starts of words, the end of a path, shortness."""
    if not query:
        return 0.0
    low, want = text.lower(), query.lower()
    name = low.rfind("/") + 1
    at = low.find(want, name)
    at = at if at >= 0 else low.find(want)
    if at >= 0:
        starts = at == 0 or at == name or low[at - 1] in _BOUNDARY
        return 1000.0 + 200 * starts + 100 * (at >= name) - len(text) / 10
    position, gaps, starts_hit = -1, 0, 0
    for char in want:
        if char == " ":
            continue
        found = low.find(char, position + 1)
        if found < 0:
            return None
        gaps += found - position - 1
        starts_hit += found == 0 or low[found - 1] in _BOUNDARY
        position = found
    return 300.0 + 40 * starts_hit - gaps - len(text) / 10


def best(query: str, items: Iterable[tuple[str, T]], limit: int = 200) -> list[T]:
    """The likeliest items of `(text, item)`; without a query the first ones, in their order."""
    scored = ((found, -at, item) for at, (text, item) in enumerate(items) if (found := score(query, text)) is not None)
    return [item for _, _, item in heapq.nlargest(limit, scored, key=lambda entry: entry[:2])]
