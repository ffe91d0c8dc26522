"""Searches the text of the code pane: every match, counted, and the current one. Only the rows that match are
kept; the matches within a row are located when one is visited."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from spark_tui.tui.code.code_layout import CodeLayout, CodeRow

LineText = Callable[[bool, int, int], str]
"""The text of a line: whether it is on the new side of a hunk, its index, and the hunk."""


@dataclass(frozen=True, slots=True)
class SearchHit:
    """One place: a row of the pane and characters of the line that it shows, of the new side of a hunk if
    `new`."""

    y: int
    new: bool
    line: int
    hunk: int
    start: int
    end: int

    def is_of(self, row: CodeRow, new: bool) -> bool:
        """Whether the row shows the line of this place on that side."""
        return self.new == new and (
            (row.hunk == self.hunk and row.index == self.line) if new else row.old == self.line >= 0
        )


def pattern_of(query: str) -> re.Pattern[str] | None:
    """Capitals count where one is typed; None for nothing."""
    if not query:
        return None
    return re.compile(re.escape(query), 0 if any(map(str.isupper, query)) else re.IGNORECASE)


@dataclass(slots=True)
class SearchOrigin:
    """Where the person was before."""

    cursor: CodeRow
    top: CodeRow
    left: int
    following: bool


@dataclass(slots=True)
class TextSearch:
    """One search. While `typing`, letters go into the query; afterwards the places stay marked until Esc."""

    origin: SearchOrigin
    query: str = ""
    typing: bool = True
    hit: SearchHit | None = None
    number: int = 0
    """Which of the places was jumped to, from 0."""
    round_the_end: bool = False
    pattern: re.Pattern[str] | None = None
    _rows: list[tuple[int, bool, int, int]] = field(default_factory=list)
    _ends: list[int] = field(default_factory=list)
    _text: LineText = lambda *_: ""
    _ticks: tuple[tuple[int, int], list[int]] | None = None

    @property
    def total(self) -> int:
        return self._ends[-1] if self._ends else 0

    def ask(self, query: str) -> None:
        """Another text; `look` counts its places."""
        self.query, self.pattern = query, pattern_of(query)
        self.hit, self.number, self.round_the_end = None, 0, False

    def look(self, layout: CodeLayout, text: LineText) -> None:
        """Count the places in what is shown now; the one that was jumped to stays the one."""
        self._text, self._ticks = text, None
        self._rows, counts = [], []
        if self.pattern is not None:
            found = self.pattern.findall
            for y, new, first, count, hunk in layout.texts():
                for offset in range(count):
                    times = len(found(text(new, first + offset, hunk)))
                    if times:
                        self._rows.append((y + offset, new, first + offset, hunk))
                        counts.append(times)
            if layout.split:
                order = sorted(range(len(counts)), key=lambda at: self._rows[at][:2])
                self._rows, counts = [self._rows[at] for at in order], [counts[at] for at in order]
        self._ends = list(accumulate(counts))
        if self.hit is not None:
            self._find_again(self.hit)

    def _find_again(self, hit: SearchHit) -> None:
        same = (hit.new, hit.line, hit.hunk)
        for at, row in enumerate(self._rows):
            if row[1:] == same:
                before = sum(start < hit.start for start, _ in self._places(at))
                self.number = (self._ends[at - 1] if at else 0) + before
                self.hit = self.at(self.number) if self.number < self.total else None
                return
        self.hit, self.number = None, 0

    def _places(self, at: int) -> list[tuple[int, int]]:
        _, new, line, hunk = self._rows[at]
        found = self.pattern.finditer(self._text(new, line, hunk)) if self.pattern else ()
        return [match.span() for match in found]

    def at(self, number: int) -> SearchHit:
        at = bisect_right(self._ends, number)
        y, new, line, hunk = self._rows[at]
        start, end = self._places(at)[number - (self._ends[at - 1] if at else 0)]
        return SearchHit(y, new, line, hunk, start, end)

    def from_row(self, y: int) -> int:
        """The number of the first place on row `y` or below it; as many as there are when none is."""
        at = bisect_right(self._rows, y - 1, key=lambda row: row[0])
        return self._ends[at - 1] if at else 0

    def go(self, number: int) -> SearchHit | None:
        """To that place, round the end and the beginning."""
        if not self.total:
            self.hit = None
            return None
        self.round_the_end = not 0 <= number < self.total
        self.number = number % self.total
        self.hit = self.at(self.number)
        return self.hit

    def ticks(self, height: int, rows: int) -> Sequence[int]:
        """Which of `height` cells have matches next to them, if the cells represent this many rows."""
        size = height, max(rows, height)
        if self._ticks is None or self._ticks[0] != size:
            self._ticks = size, sorted({y * height // size[1] for y, *_ in self._rows if y < size[1]})
        return self._ticks[1]
