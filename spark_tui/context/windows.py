"""Which lines of a file a model with a small window reads: windows that begin and end where definitions
do.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from spark_tui.context.edit_scope import lines_in_scope
from spark_tui.context.relevance import NEAR, FileRelevance, InstructionTerms
from spark_tui.context.symbols import Definition, Outline

MOST_WINDOWS = 8
"""An edit of more places than lie in this many windows says what it left out."""
_LINES = re.compile(
    r"\b(?:lines?|ln)\.?\s*#?(\d+)(?:\s*(?:-|–|\.\.|to|and|through|until)\s*(\d+))?"
    r"|\bL(\d+)(?:\s*-\s*L?(\d+))?\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Window:
    """Lines `first..last`, 1-based, both included."""

    first: int
    last: int
    tokens: int

    def holds(self, first: int, last: int) -> bool:
        return self.first <= last and first <= self.last


@dataclass(frozen=True, slots=True)
class WindowChoice:
    """Windows to read, in the order of the file, and why those. `missed` would have been read if there were
    room."""

    windows: tuple[Window, ...]
    why: str
    missed: int = 0


def tile_windows(
    n_lines: int, found: Outline, cost: Callable[[int], int], *, most_tokens: int, most_lines: int
) -> tuple[Window, ...]:
    """Windows over the whole file, none of which tears a definition that fits into one. `cost(line)` in
    tokens."""
    totals = list(accumulate(map(cost, range(1, n_lines + 1)), initial=0))

    def fits(first: int, last: int) -> bool:
        return last - first + 1 <= most_lines and totals[last] - totals[first - 1] <= most_tokens

    out: list[tuple[int, int]] = []
    for first, last in _blocks(1, n_lines, sorted(found.definitions, key=lambda d: d.first), fits):
        if out and fits(out[-1][0], last):
            out[-1] = (out[-1][0], last)
        else:
            out.append((first, last))
    return tuple(Window(first, last, totals[last] - totals[first - 1]) for first, last in out)


def _blocks(
    first: int, last: int, definitions: Sequence[Definition], fits: Callable[[int, int], bool]
) -> Iterator[tuple[int, int]]:
    """Stretches that should not be torn, in order: definitions with the lines after them; what is too large
    is taken apart by what it holds, and where it holds nothing, by lines. `definitions` in the order of their
    first lines."""
    if first > last:
        return
    if fits(first, last):
        yield first, last
        return
    inner = [d for d in definitions if first <= d.first and d.last <= last]
    inner = [d for d in inner if (d.first, d.last) != (first, last)]
    top: list[Definition] = []
    for definition in inner:
        if not top or definition.first > top[-1].last:
            top.append(definition)
    if not top:
        at = first
        while at <= last:
            end = at
            while end < last and fits(at, end + 1):
                end += 1
            yield at, end
            at = end + 1
        return
    starts = [first] if top[0].first > first else []
    starts += [item.first for item in top]
    at = 0
    for begin, end in zip(starts, [*(start - 1 for start in starts[1:]), last], strict=True):
        held, at = _begun_in(inner, at, end)
        whole = [d for d in held if d.first == begin]
        if whole and not fits(begin, end):
            # After its own first line a definition is taken apart by what lies in it.
            yield from _blocks(begin, end, [d for d in held if d is not whole[0]], fits)
        else:
            yield from _blocks(begin, end, held if not whole else [], fits)


def _begun_in(inner: Sequence[Definition], at: int, end: int) -> tuple[list[Definition], int]:
    """Definitions from the `at`-th on that begin before a block's end and lie in it, and where the next
    block's begin. One pass over all of them: a file may define tens of thousands."""
    held = []
    while at < len(inner) and inner[at].first <= end:
        if inner[at].last <= end:
            held.append(inner[at])
        at += 1
    return held, at


def choose_windows(
    windows: Sequence[Window],
    file: FileRelevance,
    instruction: str,
    *,
    selection: tuple[int, int] | None = None,
    cursor: int = 0,
) -> WindowChoice:
    """What is selected, else the lines that are named, else every place where the instruction is about every
    place, else the window that most speaks for; among equals the nearest to the cursor."""
    if len(windows) <= 1:
        return WindowChoice(tuple(windows), "it fits")
    if selection is not None:
        return _some([w for w in windows if w.holds(*selection)], windows, "the selection")
    ranges = list(_line_numbers(instruction, len(file.lines)))
    if named := [w for w in windows if any(w.holds(a, b) for a, b in ranges)]:
        return _some(named, windows, "the lines that are named")
    terms = InstructionTerms(instruction)
    if places := lines_in_scope(terms, file.lines, file.found):
        wanted = sorted(places)
        hit = [w for w in windows if bisect_left(wanted, w.first) < bisect_right(wanted, w.last)]
        return _some(hit, windows, "every place that is named")
    scores = file.scores([w.first for w in windows], terms, cursor)
    best = max(scores)
    if best > (NEAR if cursor and not terms.points else 0.0):
        near = [w for w, score in zip(windows, scores, strict=True) if score == best]
        chosen = min(near, key=lambda w: _away(w, cursor))
        pointed = terms.points and chosen.first <= cursor <= chosen.last
        return WindowChoice((chosen,), "the cursor" if pointed else "the names in the instruction")
    if cursor:
        return WindowChoice((min(windows, key=lambda w: _away(w, cursor)),), "the cursor")
    return WindowChoice((windows[0],), "the beginning of the file")


def _some(wanted: Sequence[Window], windows: Sequence[Window], why: str) -> WindowChoice:
    if not wanted:
        return WindowChoice((windows[0],), "the beginning of the file")
    return WindowChoice(tuple(wanted[:MOST_WINDOWS]), why, max(0, len(wanted) - MOST_WINDOWS))


def _away(window: Window, cursor: int) -> int:
    return max(window.first - cursor, cursor - window.last, 0)


def _line_numbers(instruction: str, n_lines: int) -> Iterator[tuple[int, int]]:
    for match in _LINES.finditer(instruction):
        first = int(match[1] or match[3])
        last = int(match[2] or match[4] or first)
        if first <= n_lines:
            yield min(first, last), max(first, last)
