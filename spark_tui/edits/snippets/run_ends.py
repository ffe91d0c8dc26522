"""Where lines of a snippet end in the file that stand beyond the last line that both have only once."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from difflib import SequenceMatcher
from itertools import accumulate
from math import inf

from spark_tui.edits.places.locate import folded

MOST_GONE = 8
"""Lines beside an anchor that may go without anything in their place."""
_ALIKE = 0.65
_MOST_ALIGNED = 100
"""Lines beyond an anchor that are compared with those of the file one by one."""
_MOST_BEGINS = 40
"""Places of the file that begin like the code which are compared with it."""
_ALIKE_COST, _UNLIKE_COST, _BLANK_COST = 0.75, 1.4, 0.6
"""What it costs to change a line into one that is alike, or is not, and to add or remove a blank one; other
lines cost 1."""
_CLEARLY = 0.5
"""By how much a reading must cost less than any other."""


class Misplaced(Exception):
    """Why code has no place. Lines are 1-based; `expected` is the first line of the code that fits
    nowhere."""

    def __init__(
        self, message: str, line: int = 0, expected: str = "", candidates: tuple[int, ...] = ()
    ) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.expected = expected
        self.candidates = candidates


def several_ways(line: str, at: int = -1) -> Misplaced:
    """The error for code whose places give different results; `at` is a line of the file, from 0."""
    return Misplaced("the lines of this code fit the file in several ways", at + 1, line)


def says_something(line: str) -> bool:
    """Whether the line is more than brackets and the like."""
    return sum(ch.isalnum() for ch in line) > 1


def alike(old: str, new: str) -> bool:
    """Whether one line may have become the other."""
    a, b = old.strip(), new.strip()
    if not a or not b:
        return a == b
    matcher = SequenceMatcher(None, a[:200], b[:200], autojunk=False)
    return matcher.quick_ratio() >= _ALIKE and matcher.ratio() >= _ALIKE


def any_stands(text: Sequence[str], lines: Sequence[str]) -> bool:
    """Whether a line of the text is one of these lines. Brackets are not if the text opens what it closes."""
    there = {folded(line) for line in lines if line.strip()}
    closed = opened(text) == 0
    return any(folded(line) in there and (says_something(line) or not closed) for line in text)


def replaced_beyond(text: Sequence[str], lines: Sequence[str], shown: Collection[str]) -> tuple[int, int]:
    """How many `lines` the text beyond an anchor replaces, both outwards from it, and how many lines of the
    text are new beyond all of these. `shown` are the lines at the anchors. Raises Misplaced where the text
    may as well replace another number of lines."""
    near = lines[: len(text) + MOST_GONE]
    if any_stands(text, near):
        if len(text) > _MOST_ALIGNED:
            raise several_ways(text[0])
        return _shown_to(text, near), 0
    count = 0
    while count < min(len(text), len(near)) and alike(near[count], text[count]):
        if text[count].strip() and folded(text[count]) in shown:
            raise several_ways(text[count])
        count += 1
    return count, len(text) - count


def fits_elsewhere(
    text: Sequence[str],
    lines: Sequence[str],
    place: tuple[int, int],
    begins: Collection[int],
    ends: Collection[int],
) -> bool:
    """Whether another stretch of the file begins and ends like the text and needs hardly more changes than
    the one at `place` (half open). `begins` and `ends` are where a stretch may."""
    if len(text) > _MOST_ALIGNED:
        return False
    cost = _changes(text, lines[slice(*place)])[-1]
    found = [at for at in begins if at == place[0] or _same(lines[at], text[0])]
    if not cost or len(found) > _MOST_BEGINS:
        return False
    for at in found:
        costs = _changes(text, lines[at : at + len(text) + MOST_GONE], cost + _CLEARLY)
        for stop, other in enumerate(costs[1:], at + 1):
            ends_alike = stop in ends and _same(lines[stop - 1], text[-1])
            if ends_alike and (at, stop) != place and other < cost + _CLEARLY:
                return True
    return False


def _shown_to(text: Sequence[str], lines: Sequence[str]) -> int:
    """How many of the lines the text replaces so that its last line stays, with the fewest changes. Raises
    Misplaced where another number, or a last line that is new, takes hardly more."""
    *inside, last = text
    costs = _changes(inside, lines)
    ends = sorted(
        (costs[at], at)
        for at, line in enumerate(lines)
        if _same(line, last) and (says_something(last) or opened(inside) == opened(lines[:at]))
    )
    others = [cost for cost, _ in ends[1:]]
    if says_something(last) or opened(text) == 0:
        others += [cost + 1.0 for cost in costs]
        others += [
            costs[at] + _ALIKE_COST
            for at, line in enumerate(lines)
            if alike(line, last) and not _same(line, last)
        ]
    if not ends or min(others, default=inf) < ends[0][0] + _CLEARLY:
        raise several_ways(last)
    at = ends[0][1]
    if lines[at].rstrip() != last.rstrip():
        raise several_ways(last)
    return at + 1


def _changes(text: Sequence[str], lines: Sequence[str], most: float = inf) -> list[float]:
    """How much changes if the text replaces the first lines, for each number of them; what is more than
    `most` is not searched."""
    row = [*accumulate(map(_line_cost, lines), initial=0.0)]
    for new in text:
        above, row = row, [row[0] + _line_cost(new)]
        for at, old in enumerate(lines):
            near = min(above[at + 1] + _line_cost(new), row[at] + _line_cost(old))
            if above[at] < min(near, most):
                near = min(near, above[at] + _swap_cost(old, new))
            row.append(near)
        if min(row) > most:
            return [inf] * len(row)
    return row


def _swap_cost(old: str, new: str) -> float:
    if old.rstrip() == new.rstrip():
        return 0.0
    return _ALIKE_COST if alike(old, new) else _UNLIKE_COST


def _line_cost(line: str) -> float:
    return 1.0 if line.strip() else _BLANK_COST


def _same(old: str, new: str) -> bool:
    """Whether the lines are equal; the indentation of those that say something may differ."""
    return folded(old) == folded(new) if says_something(new) else old.rstrip() == new.rstrip()


def opened(lines: Sequence[str]) -> int:
    """How many brackets more are opened than closed."""
    return sum((ch in "([{") - (ch in ")]}") for line in lines for ch in line)
