"""Fuzzy search: `scpy` finds `shop/cart.py`. Returns the texts that contain all letters in order, the best
match first."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Sequence
from typing import Generic, TypeVar

T = TypeVar("T")
_PIECE = 2_000
_BOUNDARY = "/_-. :"


def score(query: str, text: str) -> float | None:
    """Higher is better, None is no match. A match in one piece, starts of words, the end of a path and
    shortness count."""
    if not query:
        return 0.0
    low, want = text.lower(), query.lower()
    name = low.rfind("/") + 1
    at = low.find(want, name)
    at = at if at >= 0 else low.find(want)
    if at >= 0:
        starts = (at in (0, name)) + (at == 0 or low[at - 1] in _BOUNDARY)
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
    scored = (
        (found, -at, item)
        for at, (text, item) in enumerate(items)
        if (found := score(query, text)) is not None
    )
    return [item for _, _, item in heapq.nlargest(limit, scored, key=lambda entry: entry[:2])]


def match_positions(query: str, text: str) -> list[int]:
    """Which characters of the text the letters of the query are, for showing; none where they are not all
    there."""
    low, want = text.lower(), query.lower()
    if not want or len(low) != len(text):
        return []
    at = low.find(want, low.rfind("/") + 1)
    at = at if at >= 0 else low.find(want)
    if at >= 0:
        return list(range(at, at + len(want)))
    out: list[int] = []
    position = -1
    for char in want:
        if char == " ":
            continue
        position = low.find(char, position + 1)
        if position < 0:
            return []
        out.append(position)
    return out


class FuzzyFinder(Generic[T]):
    """`best` over hundreds of thousands of texts, asked again with each key: what a query leaves is where the
    next one, longer by a letter, looks. Not thread-safe; `given_up` is asked between pieces."""

    def __init__(self) -> None:
        self._left: list[int] = []
        self._seen = 0
        self._before: str | None = None

    def find(
        self, query: str, items: Sequence[tuple[str, T]], limit: int, given_up: Callable[[], bool]
    ) -> tuple[list[T], int] | None:
        """The likeliest, and how many there are in all; None when it was given up. `items` only grow."""
        if self._before is None or not query.startswith(self._before) or self._seen > len(items):
            self._left, self._seen, self._before = [], 0, query
        places = [*self._left, *range(self._seen, len(items))]
        left: list[int] = []
        scored: list[tuple[float, int]] = []
        for start in range(0, len(places), _PIECE):
            if given_up():
                self._before = None
                return None
            for place in places[start : start + _PIECE]:
                found = score(query, items[place][0])
                if found is not None:
                    left.append(place)
                    scored.append((found, -place))
        self._left, self._seen, self._before = left, len(items), query
        return [items[-place][1] for _, place in heapq.nlargest(limit, scored)], len(left)
