"""The smallest set of changed blocks between two sequences of lines.

Blocks are `(a0, a1, b0, b1)`, in order, and never touch.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Iterable, Sequence
from difflib import SequenceMatcher
from typing import TypeVar

from spark_tui.shared_ends import same_ends

T = TypeVar("T")
Block = tuple[int, int, int, int]
"""`a[a0:a1]` became `b[b0:b1]`; one of the sides may be empty."""

_MYERS_EDITS = 400
"""Up to here the shortest edit script is searched (its cost grows with the square of the edits)."""


def diff(a: Sequence[Hashable], b: Sequence[Hashable]) -> list[Block]:
    """Changed blocks. Exact (a longest common subsequence stays) up to 400 edits between two anchors."""
    low, high = same_ends(a, b)
    names: dict[Hashable, int] = {}
    left = [names.setdefault(item, len(names)) for item in a[low : len(a) - high]]
    right = [names.setdefault(item, len(names)) for item in b[low : len(b) - high]]
    pairs: list[tuple[int, int]] = []
    _match(left, 0, len(left), right, 0, len(right), pairs)
    blocks = _blocks(pairs, len(left), len(right))
    return [(a0 + low, a1 + low, b0 + low, b1 + low) for a0, a1, b0, b1 in blocks]


def replace_ranges(items: Sequence[T], changes: Iterable[tuple[int, int, Iterable[T]]]) -> list[T]:
    """The items with others in the place of each `items[start:end]`, which come in order."""
    out: list[T] = []
    at = 0
    for start, end, new in changes:
        out += items[at:start]
        out += new
        at = end
    return [*out, *items[at:]]


def _blocks(pairs: list[tuple[int, int]], n: int, m: int) -> list[Block]:
    """Turn kept pairs into the changed ranges between them."""
    out: list[Block] = []
    a, b = 0, 0
    for i, j in [*pairs, (n, m)]:
        if i > a or j > b:
            out.append((a, i, b, j))
        a, b = i + 1, j + 1
    return out


def _match(
    a: list[int], a0: int, a1: int, b: list[int], b0: int, b1: int, pairs: list[tuple[int, int]]
) -> None:
    """Append the kept pairs of a[a0:a1] and b[b0:b1], in order."""
    while a0 < a1 and b0 < b1 and a[a0] == b[b0]:
        pairs.append((a0, b0))
        a0, b0 = a0 + 1, b0 + 1
    tail = 0
    while a0 < a1 and b0 < b1 and a[a1 - 1] == b[b1 - 1]:
        a1, b1, tail = a1 - 1, b1 - 1, tail + 1
    if a0 < a1 and b0 < b1 and not set(a[a0:a1]).isdisjoint(b[b0:b1]):
        kept = _myers(a, a0, a1, b, b0, b1)
        if kept is not None:
            pairs.extend(kept)
        else:
            _match_between_anchors(a, a0, a1, b, b0, b1, pairs)
    pairs.extend((a1 + k, b1 + k) for k in range(tail))


def _myers(a: list[int], a0: int, a1: int, b: list[int], b0: int, b1: int) -> list[tuple[int, int]] | None:
    """Greedy shortest edit script (Myers 1986); None when it takes more than `_MYERS_EDITS` edits."""
    n, m = a1 - a0, b1 - b0
    if abs(n - m) > _MYERS_EDITS:
        return None
    reach: dict[int, int] = {1: 0}
    trail: list[dict[int, int]] = []
    for d in range(min(n + m, _MYERS_EDITS) + 1):
        trail.append(dict(reach))
        for k in range(-d, d + 1, 2):
            if k == -d or (k != d and reach.get(k - 1, -1) < reach.get(k + 1, -1)):
                x = reach.get(k + 1, -1)
            else:
                x = reach.get(k - 1, -1) + 1
            y = x - k
            if x > n or y > m or x < 0 or y < 0:
                # Off the board: no path leads here that stays inside.
                reach[k] = -2 if (x < 0 or y < 0) else x
                continue
            while x < n and y < m and a[a0 + x] == b[b0 + y]:
                x, y = x + 1, y + 1
            reach[k] = x
            if x >= n and y >= m:
                return _walk_back(trail, d, n, m, a0, b0)
    return None


def _walk_back(
    trail: list[dict[int, int]], d: int, n: int, m: int, a0: int, b0: int
) -> list[tuple[int, int]]:
    pairs: list[tuple[int, int]] = []
    x, y = n, m
    for step in range(d, 0, -1):
        reach = trail[step]
        k = x - y
        down = k == -step or (k != step and reach.get(k - 1, -1) < reach.get(k + 1, -1))
        before = k + 1 if down else k - 1
        px = reach[before]
        py = px - before
        start = px if down else px + 1
        while x > start:
            x, y = x - 1, y - 1
            pairs.append((a0 + x, b0 + y))
        x, y = px, py
    while x > 0 and y > 0:
        x, y = x - 1, y - 1
        pairs.append((a0 + x, b0 + y))
    pairs.reverse()
    return pairs


def _match_between_anchors(
    a: list[int], a0: int, a1: int, b: list[int], b0: int, b1: int, pairs: list[tuple[int, int]]
) -> None:
    """Patience diff: split at lines that occur exactly once on both sides, then match between them."""
    anchors = _anchors(a, a0, a1, b, b0, b1)
    if not anchors:
        matcher = SequenceMatcher(None, a[a0:a1], b[b0:b1], autojunk=True)
        for match in matcher.get_matching_blocks():
            pairs.extend((a0 + match.a + k, b0 + match.b + k) for k in range(match.size))
        return
    i, j = a0, b0
    for x, y in anchors:
        if x < i or y < j:
            continue
        _match(a, i, x, b, j, y, pairs)
        pairs.append((x, y))
        i, j = x + 1, y + 1
    _match(a, i, a1, b, j, b1, pairs)


def _anchors(a: list[int], a0: int, a1: int, b: list[int], b0: int, b1: int) -> list[tuple[int, int]]:
    def once(items: list[int], low: int, high: int) -> dict[int, int]:
        seen: dict[int, int] = {}
        for at in range(low, high):
            seen[items[at]] = -1 if items[at] in seen else at
        return {item: at for item, at in seen.items() if at >= 0}

    left, right = once(a, a0, a1), once(b, b0, b1)
    common = sorted((at, right[item]) for item, at in left.items() if item in right)
    # Longest run that rises on both sides.
    tails: list[int] = []
    ends: list[int] = []
    back: list[int] = []
    for index, (_, y) in enumerate(common):
        slot = bisect_left(tails, y)
        back.append(ends[slot - 1] if slot else -1)
        if slot == len(tails):
            tails.append(y)
            ends.append(index)
        else:
            tails[slot], ends[slot] = y, index
    chain: list[tuple[int, int]] = []
    at = ends[-1] if ends else -1
    while at >= 0:
        chain.append(common[at])
        at = back[at]
    chain.reverse()
    return chain
