"""For lines that are not in a file: where they almost are, and the first one that differs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from spark_tui.edits.line_pairs import bag_of_words, likeness

_COMMON = 200
"""A line that occurs more often than this does not identify a place."""
_SLACK = 4
"""How many inserted or deleted lines to search for the rest of the quoted lines."""
_COMPARED = 400
"""This many characters of a line are compared: the cost grows with their square."""
_ALIKE = 0.6
"""Two lines that share so much may be the same, changed."""
_TRIED = 40
"""This many lines, the most alike by their words, are compared character by character."""


@dataclass(frozen=True, slots=True)
class FirstDifference:
    """0-based: `lines[line]` is not `quoted[quoted]`, and all quoted lines before it match."""

    line: int
    quoted: int
    starts: tuple[int, ...]


def nearest(quoted: Sequence[str], lines: Sequence[str], low: int = 0) -> FirstDifference | None:
    """The nearest place at or after `low`, or None if nothing is similar."""
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
    return _first_difference(quoted, lines, best, low, _distinct(ranked, len(quoted)))


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
) -> FirstDifference:
    """Take the beginning from one start and the rest from another one close by, so that most lines are
    explained; the first difference is where the beginning ends. Lines put in or taken out cost a little."""
    near = range(max(start - _SLACK, low, 0), start + _SLACK + 1)
    best: tuple[float, int, int] = (-1.0, 0, 0)
    for first in near:
        prefix = 0
        while (
            prefix < len(quoted) and first + prefix < len(lines) and lines[first + prefix] == quoted[prefix]
        ):
            prefix += 1
        for rest in near:
            explained = prefix + sum(
                lines[rest + k] == quoted[k] for k in range(prefix, len(quoted)) if rest + k < len(lines)
            )
            score = explained - (0.5 + 0.01 * abs(rest - first) if rest != first else 0.0)
            best = max(best, (score, prefix, first))
    _, prefix, first = best
    prefix = min(prefix, len(quoted) - 1)
    return FirstDifference(first + prefix, prefix, starts)


def _by_likeness(quoted: Sequence[str], lines: Sequence[str], low: int) -> FirstDifference | None:
    """None of the lines is in the file: compare the first quoted line that has words with every line by its
    words."""
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
        ratio = SequenceMatcher(None, quoted[key][:_COMPARED], lines[at][:_COMPARED], autojunk=False).ratio()
        if ratio > best:
            best, best_at = ratio, at
    if best_at < 0:
        return None
    start = max(best_at - key, low)
    return FirstDifference(start, 0, (start,))


def likelier_line(new: Sequence[str], lines: Sequence[str], first: int, last: int) -> int:
    """For new lines in place of `first` to `last`, which only numbers name: the line, also counted
    from 1, that they more likely begin or end at; 0 where there is none."""
    if not new or first > last:
        return 0
    if begin := _likelier(new[0], lines, first):
        return begin
    end = _likelier(new[-1], lines, last)
    # Lines that begin at the right one may end as any other; the one behind them would be there twice.
    begins = likeness(bag_of_words(new[0]), bag_of_words(lines[first - 1])) >= _ALIKE
    return 0 if begins and end != last + 1 else end


def _likelier(new: str, lines: Sequence[str], place: int) -> int:
    """A line close by that the new one is at least twice as like as the one at that place."""
    want = bag_of_words(new)
    near = range(max(place - _SLACK, 1), min(place + _SLACK, len(lines)) + 1)
    alike = {at: likeness(want, bag_of_words(lines[at - 1])) for at in near if want}
    best = max(alike, key=lambda at: (alike[at], -abs(at - place)), default=place)
    return best if alike and alike[best] >= _ALIKE and alike[place] <= alike[best] / 2 else 0
