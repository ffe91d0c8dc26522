"""The text of the rows of the code pane, its colours, its changed words, and its width."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING

from rich.style import Style

from spark_tui.shared_ends import same_ends
from spark_tui.tui.code.code_layout import CodeLayout, CodeRow, sides
from spark_tui.tui.code.hunk_view import REFUSED, HunkView
from spark_tui.tui.code.text_search import TextSearch
from spark_tui.tui.code.unsaved_edits import FileViewport
from spark_tui.tui.settings.themes import Palette
from spark_tui.tui.text import syntax_highlight
from spark_tui.tui.text.safe_text import column_of, index_at, is_plain, width
from spark_tui.tui.text.segments import Layer

if TYPE_CHECKING:
    from textual.selection import Selection


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
        return [(i, i) for i in range(len(old)) if _likeness(old[i], new[i]) >= _LIKE_ENOUGH]
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


def _likeness(a: str, b: str) -> float:
    """Dice likeness of the words: cheap, and blind to order, which is enough to pair lines."""
    left, right = set(_PIECE.findall(a[:LONGEST_LINE])), set(_PIECE.findall(b[:LONGEST_LINE]))
    left, right = {w for w in left if not w.isspace()}, {w for w in right if not w.isspace()}
    return 2 * len(left & right) / (len(left) + len(right)) if left and right else 0.0


def _words(old: str, new: str) -> tuple[Ranges, Ranges]:
    a, b = _PIECE.findall(old), _PIECE.findall(new)
    starts_a, starts_b = ([*accumulate(map(len, pieces), initial=0)] for pieces in (a, b))
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
    head, tail = same_ends(old, new)
    return ((head, len(old) - tail),), ((head, len(new) - tail),)


_MEASURED_LINES, _MEASURED_CHARACTERS = 4_000, 400_000


class RowText:
    """Holds what rows have in common: the file, its colours, its hunks."""

    def __init__(self, palette: Palette) -> None:
        self.style = palette
        self._lines: Sequence[str] = ()
        self._states = syntax_highlight.LineStates((), None)
        self.hunks: dict[int, HunkView] = {}
        self._new_states: dict[int, syntax_highlight.LineStates] = {}
        self._widths: dict[int, tuple[int, int]] = {}
        self.number_cells = 3
        self._widest_line = 0
        self.stream: tuple[HunkView, int, bool] | None = None
        self.find: TextSearch | None = None

    def set_palette(self, palette: Palette) -> None:
        self.style = palette

    def open(self, file: FileViewport) -> None:
        self._lines = file.lines
        self._states = syntax_highlight.LineStates(file.lines, syntax_highlight.language_for(file.path))
        self._new_states.clear()
        self.number_cells = max(len(str(len(file.lines))), 3)
        self._widest_line = _widest(file.lines)

    def retext(self, first: int) -> None:
        """The lines of the file from `first` on changed."""
        self._states.forget_from(first)
        self._widest_line = max(self._widest_line, *map(len, self._lines[first : first + 2]), 0)
        self.number_cells = max(len(str(len(self._lines))), 3)

    def show(self, hunks: Sequence[HunkView]) -> None:
        """Set the hunks of the file."""
        self.hunks = {hunk.id: hunk for hunk in hunks}
        self._new_states = {k: v for k, v in self._new_states.items() if k in self.hunks}
        self.stream = None
        for hunk in hunks:
            if hunk.state == "streaming":
                shown = sides(hunk, self._lines)
                at = shown.old + shown.kept if shown.repeating else hunk.added - 1
                self.stream = (hunk, at, shown.repeating)

    @property
    def gutter(self) -> int:
        return self.number_cells + 5

    def widest(self, pane: int) -> int:
        """Cells of the widest row, so that there is something to scroll to."""
        new = 0
        for hunk in self.hunks.values():
            count, widest = self._widths.get(hunk.id, (-1, 0))
            new = max(new, widest if count == len(hunk.new) else self._widest_of(hunk))
        return max(self._widest_line, new) + self.gutter + 2 if pane else pane

    def _widest_of(self, hunk: HunkView) -> int:
        """Of the new side; lines that were measured before are not measured again while it grows."""
        count, widest = self._widths.get(hunk.id, (0, 0))
        if count > len(hunk.new):
            count = widest = 0
        widest = max(widest, max(map(width, hunk.new[count:]), default=0))
        self._widths[hunk.id] = (len(hunk.new), widest)
        return widest

    def stream_row(self, layout: CodeLayout) -> int | None:
        """The row on which the model writes."""
        if self.stream is None:
            return None
        hunk, index, repeating = self.stream
        if repeating:
            return layout.row_of_line(index)
        start, end = layout.span(hunk.id)
        return max(end - 1, start)

    def text_of(self, row: CodeRow) -> str:
        """The source of a row, unwrapped and without its gutter; of a row with both sides the new one."""
        hunk = self.hunks.get(row.hunk)
        if row.index >= 0 and hunk is not None:
            return hunk.new_line(row.index)
        return self._lines[row.old] if row.kind in ("same", "old", "pair") and row.old >= 0 else ""

    def line_text(self, new: bool, line: int, hunk_id: int) -> str:
        """A line of the file, or of the new side of a hunk."""
        return self.hunks[hunk_id].new_line(line) if new else self._lines[line]

    def found(self, row: CodeRow, new: bool, text: str) -> Layer:
        """The matches in a row, and the current one in a different style."""
        if self.find is None or self.find.pattern is None:
            return []
        hit, layer = self.find.hit, []
        here = hit is not None and hit.is_of(row, new)
        for match in self.find.pattern.finditer(text):
            current = here and hit is not None and match.start() == hit.start
            layer.append((*match.span(), self.style["found.current" if current else "found"]))
        return layer

    def selected(self, row: CodeRow, y: int, selection: Selection | None) -> tuple[int, int] | None:
        """Which characters of the row are selected."""
        span = selection.get_span(y) if selection is not None else None
        if span is None:
            return None
        text = self.text_of(row)
        return index_at(text, span[0]), len(text) if span[1] < 0 else index_at(text, span[1])

    def content(self, row: CodeRow, hunk: HunkView | None, side: str) -> tuple[str, list[Layer], int | None]:
        """The text of a row, its layers of style, and the column of the model's cursor."""
        cursor: int | None = None
        if side == "new" and hunk is not None:
            complete, text = row.index < len(hunk.new), hunk.new_line(row.index)
            if self.stream == (hunk, row.index, False):
                cursor = len(text)
            layers = [self._styled(self._new_spans(hunk, row.index))] if complete else []
            layers.append(self._words(hunk, row.index, new=True))
            return text, layers, cursor
        text = self._lines[row.old]
        if hunk is not None and self.stream == (hunk, row.old, True):
            cursor = len(hunk.tail)
        layers = [self._styled(self._states.spans(row.old))]
        if side == "old" and hunk is not None:
            # What goes is drawn in one quiet colour, so that what comes is read first; it is struck until it
            # is known which words of it go.
            quiet = Style(color=self.style["old"].color, strike=hunk.state == "streaming" or None)
            layers = [] if hunk.state not in REFUSED else layers
            begin = len(text) - len(text.lstrip())
            layers.append([(begin, len(text), quiet)] if hunk.state not in REFUSED else [])
            layers.append(self._words(hunk, row.old - hunk.start + 1, new=False))
        return text, layers, cursor

    def _styled(self, spans: Sequence[syntax_highlight.Span]) -> Layer:
        return [(start, end, self.style["syntax." + kind]) for start, end, kind in spans]

    def _new_spans(self, hunk: HunkView, index: int) -> Sequence[syntax_highlight.Span]:
        states = self._new_states.get(hunk.id)
        if states is None or states.source is not hunk.new:
            above = self._states.above(min(hunk.start - 1, len(self._lines)))
            states = syntax_highlight.LineStates(hunk.new, self._states.language, above)
            self._new_states[hunk.id] = states
        return states.spans(index)

    def first_change(self, hunk_id: int) -> tuple[int, int]:
        """The cells of the first changed words of a hunk, on its new side if they are there."""
        hunk = self.hunks[hunk_id]
        old_ranges, new_ranges = word_ranges(hunk.old, tuple(hunk.new))
        for lines, ranges in ((hunk.new, new_ranges), (hunk.old, old_ranges)):
            for index, ((start, end), *_) in ((at, found) for at, found in ranges.items() if found):
                return column_of(lines[index], start), column_of(lines[index], end)
        return 0, 0

    def _words(self, hunk: HunkView, index: int, *, new: bool) -> Layer:
        if hunk.state == "streaming" or hunk.state in REFUSED or not hunk.old:
            return []
        ranges = word_ranges(hunk.old, tuple(hunk.new))[1 if new else 0].get(index, ())
        style = self.style["new.word" if new else "old.word"]
        return [(start, end, style) for start, end in ranges]


def _widest(lines: Sequence[str]) -> int:
    """Cells of the widest line. Of many, and of long ones with more than plain letters, the longest are
    measured and the others counted in characters: close enough to scroll by."""
    widest, room = 0, _MEASURED_CHARACTERS
    for line in sorted(lines, key=len, reverse=True)[:_MEASURED_LINES]:
        if is_plain(line) or room <= 0:
            widest = max(widest, len(line))
        else:
            room -= len(line)
            widest = max(widest, width(line))
    return widest
