"""How much two sequences have in common at their ends: texts, lines, tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def same_at_start(one: Sequence[Any], two: Sequence[Any]) -> int:
    """With how many equal items both begin. Slices are compared, which is faster than item by item."""
    if type(one) is not type(two):  # a slice of a list equals none of a tuple
        one, two = list(one), list(two)
    low, high = 0, min(len(one), len(two))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == two[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def same_at_end(one: Sequence[Any], two: Sequence[Any], begin: int = 0) -> int:
    """With how many equal items both end, of those from an offset on."""
    return same_at_start(one[begin:][::-1], two[begin:][::-1])


def same_ends(one: Sequence[Any], two: Sequence[Any]) -> tuple[int, int]:
    """Both, where no item is of the start and of the end."""
    start = same_at_start(one, two)
    return start, same_at_end(one, two, start)
