"""Which words of a changed line changed, so that the eye is led to them.

Comes in: the old and the new lines of one closed hunk. Goes out: for each line the character ranges that
differ. Lines are paired by likeness in order; a line without a partner has no ranges, because all of it is
new. Must not know: colours, widgets, events.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from functools import lru_cache

Ranges = tuple[tuple[int, int], ...]
MOST_LINES = 120
LONGEST_LINE = 2_000
_PIECE = re.compile(r"\w+|\s+|[^\w\s]")
_LIKE_ENOUGH = 0.4


@lru_cache(maxsize=512)
def word_ranges(old: tuple[str, ...], new: tuple[str, ...]) -> tuple[dict[int, Ranges], dict[int, Ranges]]:
    """`(ranges by old line, ranges by new line)`; empty for blocks that are too large to pair."""
    left: dict[int, Ranges] = {}
    right: dict[int, Ranges] = {}
    if not old or not new or max(len(old), len(new)) > MOST_LINES:
        return left, right
    for a, b in _pairs(old, new):
        if len(old[a]) > LONGEST_LINE or len(new[b]) > LONGEST_LINE:
            left[a], right[b] = _middle(old[a], new[b])
        else:
            left[a], right[b] = _words(old[a], new[b])
    return left, right


def _pairs(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    if len(old) == len(new):
        return [(i, i) for i in range(len(old)) if _alike(old[i], new[i])]
    out: list[tuple[int, int]] = []
    first = 0
    for a, line in enumerate(old):
        best, at = _LIKE_ENOUGH, -1
        for b in range(first, len(new)):
            ratio = _likeness(line, new[b])
            if ratio > best:
                best, at = ratio, b
        if at >= 0:
            out.append((a, at))
            first = at + 1
    return out


def _alike(a: str, b: str) -> bool:
    return _likeness(a, b) >= _LIKE_ENOUGH


def _likeness(a: str, b: str) -> float:
    """Dice likeness of the words: cheap, and blind to order, which is enough to pair lines."""
    left, right = set(_PIECE.findall(a[:LONGEST_LINE])), set(_PIECE.findall(b[:LONGEST_LINE]))
    left, right = {w for w in left if not w.isspace()}, {w for w in right if not w.isspace()}
    return 2 * len(left & right) / (len(left) + len(right)) if left and right else 0.0


def _words(old: str, new: str) -> tuple[Ranges, Ranges]:
    a, b = _PIECE.findall(old), _PIECE.findall(new)
    starts_a, starts_b = _starts(a), _starts(b)
    left: list[tuple[int, int]] = []
    right: list[tuple[int, int]] = []
    for tag, a0, a1, b0, b1 in difflib.SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        if a1 > a0:
            left.append((starts_a[a0], starts_a[a1]))
        if b1 > b0:
            right.append((starts_b[b0], starts_b[b1]))
    return tuple(left), tuple(right)


def _middle(old: str, new: str) -> tuple[Ranges, Ranges]:
    """Of very long lines: everything between what both begin and both end with."""
    limit = min(len(old), len(new))
    head = next((i for i in range(limit) if old[i] != new[i]), limit)
    tail = next((i for i in range(limit - head) if old[-1 - i] != new[-1 - i]), limit - head)
    return ((head, len(old) - tail),), ((head, len(new) - tail),)


def _starts(pieces: list[str]) -> list[int]:
    out = [0]
    for piece in pieces:
        out.append(out[-1] + len(piece))
    return out
