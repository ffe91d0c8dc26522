"""Paints a row of the code pane: gutter, marks, syntax, changes, and the model's cursor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from spark_tui.tui.code.code_layout import CodeLayout, CodeRow
from spark_tui.tui.code.hunk_view import (
    MARKS,
    REFUSED,
    TAKEN,
    WORDS,
    HunkState,
    HunkView,
    Line,
    LineSelection,
)
from spark_tui.tui.code.text_search import TextSearch
from spark_tui.tui.code.unsaved_edits import FileViewport, Mark
from spark_tui.tui.settings.themes import Palette
from spark_tui.tui.text.safe_text import column_of, index_at, shorten, visible, width
from spark_tui.tui.text.segments import Layer, code_line, joined
from spark_tui.tui.widgets.code_editor import Editor, marked
from spark_tui.tui.widgets.row_text import RowText

BAR, CURRENT_BAR = "▎", "▌"
STREAM_CURSOR = "▊"
MINE = MARKS["unsaved"]
PROBLEM = "✗"
Problems = Mapping[int, str]
"""The style of the mark of each line that a check complains about."""
Drawn = dict[tuple[int, int, int, bool], list[Segment]]
"""Text of rows as it was drawn: by line, first cell, cells, and whether the keys are there."""
_MOST_DRAWN, _MOST_HUNKS = 20_000, 400
_LEAST_CUT = 8
"""Fewer cells have no room for a mark where a line is cut."""


def line_of(row: CodeRow, side: str = "") -> Line | None:
    """The line of a hunk that a row shows; of a row with both sides the new one, unless it is asked for."""
    if side == "new" or (not side and row.index >= 0):
        return ("+", row.index + 1)
    return ("-", row.old + 1) if row.hunk and row.kind in ("old", "pair") and row.old >= 0 else None


class RowPainter:
    """Draws rows; `text` holds their contents."""

    def __init__(self, palette: Palette) -> None:
        self.text = RowText(palette)
        self._current = 0
        self._layout = CodeLayout(())
        self._editor: Editor | None = None
        self._ghost = ""
        self._typed_lines: dict[int, bool] = {}
        """Rows that the person changed and did not save, and whether a stretch of them begins there."""
        self._problems: Problems = {}
        self._choice: LineSelection | None = None
        self._chosen: tuple[int, int] | None = None
        self._drawn: Drawn = {}
        self._drawn_of: dict[int, tuple[list[str], HunkState, Drawn]] = {}

    def set_palette(self, palette: Palette) -> None:
        self.text.set_palette(palette)
        self._forget_drawn()

    def open(self, file: FileViewport) -> None:
        self.text.open(file)
        self._forget_drawn()

    def retext(self, first: int) -> None:
        self.text.retext(first)
        self._forget_drawn()

    def _forget_drawn(self) -> None:
        self._drawn.clear()
        self._drawn_of.clear()

    def begin(
        self,
        layout: CodeLayout,
        hunks: Sequence[HunkView],
        current: int,
        editor: Editor | None = None,
        choice: LineSelection | None = None,
        marks: Sequence[Mark] = (),
        ghost: str = "",
        find: TextSearch | None = None,
        problems: Problems | None = None,
    ) -> None:
        """Prepare for the rows of a new layout. `editor` is where the user types, `ghost` the ghost text
        after the caret, `marks` the unsaved lines, `find` the search."""
        self.text.find = find
        self._problems = problems or {}
        self._editor, self._choice, self._ghost = editor, choice, ghost
        self._typed_lines = {
            row: row == mark.row for mark in marks for row in range(mark.row, max(mark.end, mark.row + 1))
        }
        self.text.show(hunks)
        if len(self._drawn) > _MOST_DRAWN or len(self._drawn_of) > _MOST_HUNKS:
            self._forget_drawn()
        self._current = current
        self._layout = layout

    def centred(self, rows: Sequence[Sequence[tuple[str, str]]], y: int, cells: int, height: int) -> Strip:
        """Row `y` of some rows centred in the pane, cut if there is no room."""
        at = y - max((height - len(rows)) // 2, 0)
        row = rows[at] if 0 <= at < len(rows) else ()
        text = self.text.style["text"]
        left = max((cells - sum(width(piece) for piece, _ in row)) // 2, 0)
        pieces = [Segment(" " * left, text), *(Segment(piece, self.text.style[name]) for piece, name in row)]
        return Strip(pieces).adjust_cell_length(cells, text)

    def cell(self, text: str, style: str) -> list[Segment]:
        return [Segment(text, self.text.style[style])]

    def text_from(self, row: CodeRow, cells: int) -> int:
        """The cell at which the text of a row starts, after its gutter; of a row with both sides the new
        one."""
        return self.text.gutter + ((cells - 1) // 2 + 1 if row.kind == "pair" else 0)

    def strip(
        self, row: CodeRow, x: int, cells: int, here: bool, chosen: tuple[int, int] | None = None
    ) -> Strip:
        """One row; `here` is where the keys are, `chosen` what is selected in it."""
        self._chosen = chosen
        if row.kind == "end":
            return Strip([Segment(" " * cells, self.text.style["text"])], cells)
        if row.kind in ("fold", "gone", "failed"):
            return self._sentence(row, cells, here)
        if row.kind == "pair":
            return self._pair(row, x, cells, here)
        return Strip(self._side(row, row.kind, x, cells, here), cells)

    def _pair(self, row: CodeRow, x: int, cells: int, here: bool) -> Strip:
        left = (cells - 1) // 2
        out = self._side(row, "old" if row.old >= 0 else "none", x, left, here)
        out.append(Segment("│", self.text.style["rule"]))
        out += self._side(row, "new" if row.index >= 0 else "none", x, cells - left - 1, here)
        return Strip(out, cells)

    def _side(self, row: CodeRow, side: str, x: int, cells: int, here: bool) -> list[Segment]:
        if side == "none":
            return [Segment(" " * cells, self.text.style["text"])]
        hunk = self.text.hunks.get(row.hunk)
        base, sign, sign_style = self._look(hunk, side, here)
        number = str(row.old + 1 if side == "old" and row.kind == "pair" else row.number)
        out = self._gutter(row, hunk, side, number, sign, base, sign_style, here)
        room = cells - self.text.gutter
        kept = self._kept(row, hunk, side)
        key = (row.old if hunk is None else row.index, x, room, here)
        if kept is not None:
            if key not in kept:
                text, layers, _ = self.text.content(row, hunk, side)
                kept[key] = self._line(text, base, layers, x, room)
            return [*joined(out), *kept[key]]
        text, layers, cursor = self.text.content(row, hunk, side)
        layers = [*layers, self.text.found(row, side == "new", text)]
        if self._chosen is not None and side != "old":
            layers = [*layers, [(*self._chosen, self.text.style["selection"])]]
        if self._left_out(hunk, row, side):
            base, sign = self.text.style["text"], "·"
            out[-2:] = [Segment(sign, base + self.text.style["number"]), Segment(" ", base)]
            layers = [[(0, len(text), self.text.style["ghost"])]]
        out = joined(out)
        text, layers = self._with_caret(row, side, text, layers)
        at = column_of(text, cursor) - x if cursor is not None else -1
        if not 0 <= at < room:
            return out + self._line(text, base, layers, x, room)
        before = code_line(text, base, layers, x, at)
        after = code_line(text, base, layers, x + at + 1, room - at - 1)
        return [*out, *before, Segment(STREAM_CURSOR, base + self.text.style["stream"]), *after]

    def _line(self, text: str, base: Style, layers: list[Layer], x: int, room: int) -> list[Segment]:
        """A line in its room; where more of it is out of view at a side, that is said."""
        end, cut = x + room, Segment("…", base + self.text.style["ghost"])
        before = [cut] if x and room >= _LEAST_CUT and text[: index_at(text, x)].strip() else []
        x, room = x + len(before), room - len(before)
        # A line of many thousand characters is not measured for this.
        if room < _LEAST_CUT or not (len(text) > 4 * end or width(text.rstrip()) > end):
            return [*before, *code_line(text, base, layers, x, room)]
        return [*before, *code_line(text, base, layers, x, room - 1), cut]

    def _kept(self, row: CodeRow, hunk: HunkView | None, side: str) -> Drawn | None:
        """Where what was drawn of such a row is kept: only its number changes while lines come above it. None
        where somebody writes in it, or may."""
        if self._editor or self._choice or self._chosen or self.text.find:
            return None
        if hunk is None:
            return self._drawn if side == "same" else None
        if side != "new" or row.index >= len(hunk.new) or self.text.stream == (hunk, row.index, False):
            return None
        lines, state, drawn = self._drawn_of.get(hunk.id, (None, None, {}))
        if lines is not hunk.new or state != hunk.state:
            drawn = {}
            self._drawn_of[hunk.id] = hunk.new, hunk.state, drawn
        return drawn

    def _with_caret(self, row: CodeRow, side: str, text: str, layers: list[Layer]) -> tuple[str, list[Layer]]:
        """What is selected, the caret, and ghost text after it, where a person types in this row."""
        editor = self._editor
        at = editor.row_of(row, side) if editor else -1
        if editor is None or at < 0:
            return text, layers
        span = marked(editor, at)
        if span is not None:
            text, layers = text + " ", [*layers, [(*span, self.text.style["selection"])]]
        if at == editor.buffer.row:
            caret = editor.buffer.column
            if self._ghost:
                layers = [*layers, [(caret, caret + len(self._ghost), self.text.style["ghost"])]]
            text = text[:caret] + self._ghost + text[caret:] + " "
            layers = [*layers, [(caret, caret + 1, self.text.style["caret"])]]
        return text, layers

    def _left_out(self, hunk: HunkView | None, row: CodeRow, side: str) -> bool:
        """Whether this line was left out when single lines were chosen."""
        if hunk is None or self._choice is None or self._choice.hunk_id != hunk.id:
            return False
        return line_of(row, side) in self._choice.out

    def _look(self, hunk: HunkView | None, side: str, here: bool) -> tuple[Style, str, Style]:
        """Ground of the row, its sign, and the style of the sign."""
        text = self.text.style["text"]
        if hunk is None or side == "same":
            base, sign, sign_style = text, " ", self.text.style["number"]
        elif side == "old":
            refused = hunk.state in REFUSED
            base = text if refused else text + self.text.style["old"]
            sign, sign_style = (" ", text) if refused else ("−", self.text.style["old.mark"])
        else:
            base, sign, sign_style = text + self.text.style["new"], "+", self.text.style["new.mark"]
        if here and (side == "same" or base == text):
            # A changed line keeps its own ground: there the number alone shows where the keys are.
            base, sign_style = base + self.text.style["cursor"], sign_style + self.text.style["cursor"]
        return base, sign, sign_style

    def _gutter(
        self,
        row: CodeRow,
        hunk: HunkView | None,
        side: str,
        number: str,
        sign: str,
        base: Style,
        sign_style: Style,
        here: bool,
    ) -> list[Segment]:
        style = self.text.style
        ground = style["text"] + style["cursor"] if here else style["text"]
        number = f"{number:>{self.text.number_cells}} "
        if hunk is None and row.kind == "same" and row.old in self._typed_lines:
            return self._my_gutter(number, ground, base, first=self._typed_lines[row.old])
        number_style = style["number.current"] if here else ground + style["number"]
        problem = self._problems.get(row.number) if side in ("same", "new") else None
        if hunk is None and problem is not None:
            return [Segment(PROBLEM, ground + style[problem]), Segment(f"{number}   ", number_style)]
        if hunk is None:
            # One piece, not two: blanks look the same in any ink, and each piece costs forty bytes on the
            # wire.
            return [Segment(f" {number}   ", number_style)]
        mark, look = " ", style[hunk.mark_style]
        bar = Segment(
            CURRENT_BAR if hunk.id == self._current else BAR,
            (base if side != "same" else ground) + Style(color=look.color),
        )
        if side != "none" and row == self._layout.row(self._layout.span(hunk.id)[0]):
            mark = hunk.mark
        if problem is not None and mark == " ":
            mark, look = PROBLEM, style[problem]
        beginning = [Segment(mark, ground + look), Segment(number, number_style)]
        if mark == " " and number_style.bgcolor == ground.bgcolor and not number_style.reverse:
            beginning = [Segment(f" {number}", number_style)]
        return [*beginning, bar, Segment(sign, sign_style if side != "same" else ground), Segment(" ", base)]

    def _my_gutter(self, number: str, ground: Style, base: Style, *, first: bool) -> list[Segment]:
        """Of a line that the person changed and did not save."""
        typed = self.text.style["mine"]
        return [
            Segment(MINE if first else " ", ground + typed),
            Segment(number, ground + self.text.style["number"]),
            Segment(BAR, ground + Style(color=typed.color)),
            Segment(" ", ground),
            Segment(" ", base),
        ]

    def _sentence(self, row: CodeRow, cells: int, here: bool) -> Strip:
        """A row with a sentence instead of a line."""
        hunk = self.text.hunks.get(row.hunk)
        pad = " " * (self.text.number_cells + 1)
        if row.kind == "fold" or hunk is None:
            text, style = f" {pad}⋯ {row.folded} unchanged lines", self.text.style["fold"]
        elif row.kind == "failed":
            text, style = f"{hunk.mark}{pad}{visible(hunk.note)}", self.text.style["note"]
        else:
            count = hunk.removed if hunk.state in TAKEN or not hunk.added else hunk.added
            verb = "removed" if hunk.state in TAKEN else WORDS[hunk.state]
            lines = f"{count} line{'s' * (count != 1)} " if count else ""  # none of an insertion that begins
            text = f"{hunk.mark}{pad}{lines}{verb}"
            style = self.text.style["text"] + self.text.style[hunk.mark_style]
        if here:
            style += self.text.style["cursor"]
        text = shorten(text, cells)
        return Strip([Segment(text, style), Segment(" " * (cells - width(text)), style)], cells)
