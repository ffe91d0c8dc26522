"""Which row of the code pane shows what: a file with its hunks in place, unified or split, folded or whole.

A layout is a list of segments with running sums: finding a row costs a binary search, and growing a hunk
costs its segments, whatever the length of the file. A decided hunk shows only its outcome until it is
expanded.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Literal, NamedTuple

from spark_tui.tui.code.hunk_view import REFUSED, TAKEN, WITHOUT_LINES, HunkView

RowKind = Literal["same", "old", "new", "pair", "fold", "gone", "failed", "end"]
FOLD_CONTEXT = 3


@dataclass(frozen=True, slots=True)
class CodeRow:
    """One row.

    `old` is the 0-based line of the file as read, -1 for none; `index` counts the hunk's new lines. `number`
    is the number in the gutter: the old one for a removed line, the new one for every other. It describes the
    position of a row, not its identity, so comparisons ignore it.
    """

    kind: RowKind
    old: int = -1
    index: int = -1
    hunk: int = 0
    folded: int = 0
    number: int = field(default=0, compare=False)


@dataclass(slots=True)
class _Segment:
    kind: RowKind
    rows: int
    old: int
    old_count: int = 0
    hunk: int = 0
    new_count: int = 0
    first_new: int = 0
    shift: int = 0
    """How many lines the hunks above have added to the file; known when it is added."""
    stays: bool = False
    """Old lines that stay in the file, because the hunk was refused."""


class Sides(NamedTuple):
    """What a hunk shows: old lines `[old, old + old_count)` and new lines from `first_new` on."""

    old: int
    old_count: int
    first_new: int
    new_count: int
    kept: int = 0
    """Leading lines that the stream has repeated unchanged so far: shown as plain context."""
    repeating: bool = False
    """Nothing differs yet: the old lines are context, and the model's cursor moves over them."""


def sides(hunk: HunkView, lines: Sequence[str]) -> Sides:
    """While a hunk streams, and where it was stopped, lines that it repeats are not shown as a change."""
    start = hunk.start - 1
    if hunk.state != "streaming":
        kept = hunk.repeated
        return Sides(start, hunk.removed, kept, hunk.added - kept, kept)
    limit = min(hunk.removed, len(hunk.new), max(len(lines) - start, 0))
    kept = 0
    while kept < limit and lines[start + kept] == hunk.new[kept]:
        kept += 1
    left = lines[start + kept : start + hunk.removed][:1]
    if left and kept == len(hunk.new) and left[0].startswith(hunk.tail):
        return Sides(start, hunk.removed, kept, 0, kept, repeating=True)
    return Sides(start, hunk.removed, kept, hunk.added - kept, kept)


def _limits(ordered: Sequence[HunkView], end: int) -> list[int]:
    """For each hunk the line (0-based) before which its old side ends at the latest. The lines of a refused
    hunk that are those of a later one too are shown there: the later hunk decides about them."""
    if not any(hunk.state in REFUSED for hunk in ordered):
        return [end] * len(ordered)
    out, limit = [], end
    for hunk in reversed(ordered):
        refused = hunk.state in REFUSED
        out.append(limit if refused else end)
        limit = limit if refused or hunk.state in WITHOUT_LINES else min(hunk.start - 1, end)
    return out[::-1]


class CodeLayout:
    """The rows of one file. Built again when hunks change; asked for visible rows only."""

    def __init__(
        self,
        lines: Sequence[str],
        hunks: Iterable[HunkView] = (),
        *,
        split: bool = False,
        folded: bool = False,
        expanded: frozenset[int] = frozenset(),
    ) -> None:
        self.lines = lines
        self.split = split
        self._segments: list[_Segment] = []
        self._of_hunk: dict[int, tuple[int, int]] = {}
        self._shift = 0
        at = 0
        ordered = sorted(hunks, key=lambda h: (h.start, h.id))
        for hunk, limit in zip(ordered, _limits(ordered, len(lines)), strict=True):
            shown = sides(hunk, lines)
            start = min(max(shown.old, at), len(lines))
            self._same(at, min(start + shown.kept, len(lines)), folded, first=at == 0)
            at = self._hunk(hunk, shown, start, limit, hunk.id in expanded)
        self._same(at, len(lines), folded, first=not ordered, last=True)
        self._ends = list(accumulate(segment.rows for segment in self._segments))

    @property
    def height(self) -> int:
        return self._ends[-1] if self._ends else 0

    def _add(self, segment: _Segment) -> None:
        if segment.rows:
            segment.shift = self._shift
            self._segments.append(segment)

    def _same(self, start: int, end: int, folded: bool, *, first: bool = False, last: bool = False) -> None:
        count = end - start
        if count <= 0:
            return
        head = 0 if first else FOLD_CONTEXT
        tail = 0 if last else FOLD_CONTEXT
        if not folded or count <= head + tail + 1 or (first and last):
            self._add(_Segment("same", count, start))
            return
        self._add(_Segment("same", head, start))
        self._add(_Segment("fold", 1, start + head, count - head - tail))
        self._add(_Segment("same", tail, end - tail))

    def _hunk(self, hunk: HunkView, shown: Sides, start: int, limit: int, expanded: bool) -> int:
        """Add the rows of a hunk, with old lines before `limit` alone; returns the line after its old
        side."""
        first = len(self._segments)
        old = start + shown.kept
        old_end = max(min(shown.old + shown.old_count, limit), old)
        old_count, new_count, first_new = old_end - old, shown.new_count, shown.first_new
        if not expanded and hunk.state in TAKEN:
            old_count = 0
        elif hunk.state in WITHOUT_LINES or (not expanded and hunk.state in REFUSED):
            new_count = 0
        if shown.repeating:
            self._add(_Segment("same", old_count, old, hunk=hunk.id))
        elif hunk.state in WITHOUT_LINES:
            self._add(_Segment("failed", 1, old, hunk=hunk.id))
        elif not old_count and not new_count and not shown.kept:
            self._add(_Segment("gone", 1, old, old_end - old, hunk.id))
        elif self.split and old_count and new_count:
            rows = max(old_count, new_count)
            self._add(_Segment("pair", rows, old, old_count, hunk.id, new_count, first_new))
        else:
            self._add(_Segment("old", old_count, old, old_count, hunk.id, stays=hunk.state in REFUSED))
            self._add(_Segment("new", new_count, old, 0, hunk.id, new_count, first_new))
        self._of_hunk[hunk.id] = (first, len(self._segments))
        if hunk.state not in REFUSED and hunk.state not in WITHOUT_LINES and not shown.repeating:
            self._shift += shown.new_count - (old_end - old)
        return old_end

    def row(self, y: int) -> CodeRow:
        """The row at `y`; rows outside are `end`."""
        if not 0 <= y < self.height:
            return CodeRow("end")
        at = bisect_right(self._ends, y)
        segment = self._segments[at]
        offset = y - (self._ends[at] - segment.rows)
        old, new = segment.old + offset, segment.first_new + offset
        below = segment.old + segment.shift + offset + 1
        match segment.kind:
            case "same":
                return CodeRow("same", old, hunk=segment.hunk, number=below)
            case "old":
                return CodeRow("old", old, hunk=segment.hunk, number=below if segment.stays else old + 1)
            case "new":
                return CodeRow("new", -1, new, segment.hunk, number=below)
            case "pair":
                old = old if offset < segment.old_count else -1
                new = new if offset < segment.new_count else -1
                return CodeRow("pair", old, new, segment.hunk, number=below)
            case _:
                return CodeRow(segment.kind, segment.old, hunk=segment.hunk, folded=segment.old_count)

    def texts(self) -> Iterator[tuple[int, bool, int, int, int]]:
        """Stretches of rows that show text, from top to bottom: the first row, whether it is the new side of
        a hunk, the first line there, how many, and the hunk. A stretch with both sides comes twice."""
        y = 0
        for segment in self._segments:
            if segment.kind in ("same", "old"):
                yield y, False, segment.old, segment.rows, segment.hunk
            elif segment.kind == "new":
                yield y, True, segment.first_new, segment.rows, segment.hunk
            elif segment.kind == "pair":
                yield y, False, segment.old, segment.old_count, segment.hunk
                yield y, True, segment.first_new, segment.new_count, segment.hunk
            y += segment.rows

    def span(self, hunk_id: int) -> tuple[int, int]:
        """The rows `[first, end)` of a hunk; an empty range at its place when nothing of it shows yet."""
        if hunk_id not in self._of_hunk:
            return (0, 0)
        first, end = self._of_hunk[hunk_id]
        start = self._ends[first - 1] if first else 0
        return (start, self._ends[end - 1] if end > first else start)

    def find(self, row: CodeRow) -> int:
        """Where a row of an earlier layout is now: the same line, else the nearest line after it."""
        if row.hunk in self._of_hunk and row.kind != "same":
            start, end = self.span(row.hunk)
            for y in range(start, min(end, start + 4_000)):
                if self.row(y) == row:
                    return y
            return start
        return self.row_of_line(row.old)

    def row_of_line(self, old: int) -> int:
        """The row that shows line `old` (0-based) of the file, or the row that hides it."""
        for at, segment in enumerate(self._segments):
            start = self._ends[at] - segment.rows
            count = segment.old_count if segment.kind in ("fold", "pair", "gone") else segment.rows
            if segment.kind != "new" and segment.old <= old < segment.old + count:
                return start + min(old - segment.old, segment.rows - 1)
            if segment.kind in ("same", "old") and segment.old > old:
                return start
        return max(self.height - 1, 0)

    def row_of_number(self, number: int) -> int:
        """The row of a line of the edited file: the last one whose number in the gutter is no larger."""
        found = 0
        for y in range(self.height):
            row = self.row(y)
            if row.kind in ("same", "new", "pair") and row.number <= number:
                found = y
                if row.number == number:
                    break
        return found

    def hunk_ids(self) -> list[int]:
        """From top to bottom."""
        return list(self._of_hunk)
