"""For lines that are not in a file: where they almost are, and the first one that differs.

Comes in: quoted lines and the file's lines, both already folded. Goes out: a `Difference`. Must not know: files.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from spark_tui.edits.diff import diff
from spark_tui.edits.words import bag_of_words

_COMMON = 200
"""A line that stands more often than this in the file says nothing about the place."""
_TRIED = 40
"""So many lines, the most alike by their words, are compared character by character."""


@dataclass(frozen=True, slots=True)
class Difference:
    """0-based: `lines[line]` is not `quoted[quoted]`, and all quoted lines before it are as they should be."""

    line: int
    quoted: int
    starts: tuple[int, ...]


def nearest(quoted: Sequence[str], lines: Sequence[str], low: int = 0) -> Difference | None:
    """The nearest place at or behind `low`, or None where nothing is alike."""
    where: dict[str, list[int]] = {line: [] for line in quoted if line}
    for at in range(low, len(lines)):
        seen = where.get(lines[at])
        if seen is not None:
            seen.append(at)
    votes: Counter[int] = Counter()
    for k, line in enumerate(quoted):
        spots = where.get(line, ())
        if len(spots) <= _COMMON:
            votes.update(at - k for at in spots)
    if not votes:
        return _by_likeness(quoted, lines, low)
    ranked = sorted(votes, key=lambda start: (-_weight(votes, start, len(quoted)), -votes[start], start))
    best = ranked[0]
    starts = _distinct(ranked, len(quoted))
    return _first_difference(quoted, lines, best, low, starts)


def _weight(votes: Counter[int], start: int, reach: int) -> int:
    """Votes of this start and of the starts close by: lines that were put in or taken out shift the rest."""
    near = min(3, reach)
    return sum(votes[start + k] for k in range(-near, near + 1))


def _distinct(ranked: Sequence[int], reach: int) -> tuple[int, ...]:
    chosen: list[int] = []
    for start in ranked:
        if all(abs(start - other) >= reach for other in chosen):
            chosen.append(max(start, 0))
        if len(chosen) == 3:
            break
    return tuple(chosen)


def _first_difference(
    quoted: Sequence[str], lines: Sequence[str], start: int, low: int, starts: tuple[int, ...]
) -> Difference:
    """Align around the voted start, then walk from the first quoted line to where the file goes another way."""
    slack = 4
    first = max(low, start - slack, 0)
    window = lines[first : start + len(quoted) + slack]
    kept: dict[int, int] = {}
    a = b = 0
    end = (len(quoted), len(quoted), len(window), len(window))
    for a0, a1, _, b1 in [*diff(quoted, window), end]:
        while a < a0:
            kept[a] = b
            a, b = a + 1, b + 1
        a, b = a1, b1
    anchor = next(iter(kept), None)
    if anchor is None:
        return Difference(max(start, 0), 0, starts)
    at = max(first + kept[anchor] - anchor, 0)
    for k, line in enumerate(quoted):
        if at + k >= len(lines) or lines[at + k] != line:
            return Difference(at + k, k, starts)
    return Difference(at, 0, starts)


def _by_likeness(quoted: Sequence[str], lines: Sequence[str], low: int) -> Difference | None:
    """No line of them stands anywhere: compare the first quoted line that has words with every line by its words."""
    key = next((k for k, line in enumerate(quoted) if any(ch.isalnum() for ch in line)), None)
    if key is None:
        return None
    want = bag_of_words(quoted[key])
    scored = []
    for at in range(low, len(lines)):
        have = bag_of_words(lines[at])
        shared = len(want & have)
        if shared:
            scored.append((-shared / len(want | have), at))
    if not scored:
        scored = [(0.0, at) for at in range(low, len(lines)) if lines[at]][:_TRIED]
    scored.sort()
    best, best_at = 0.5, -1
    for _, at in scored[:_TRIED]:
        ratio = SequenceMatcher(None, quoted[key], lines[at], autojunk=False).ratio()
        if ratio > best:
            best, best_at = ratio, at
    if best_at < 0:
        return None
    start = max(best_at - key, low)
    return Difference(start, 0, (start,))
