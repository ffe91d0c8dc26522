"""Draws a file with its hunks in place and decides which part of it is in view.

Only visible rows become text, and only rows that look different are sent to the terminal: each update
compares the strips on screen with the new ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from textual.geometry import Offset, Region, Size
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip
from textual.widget import Widget

from spark_tui.tui.code.code_layout import CodeLayout, CodeRow
from spark_tui.tui.code.hunk_view import HunkView, LineSelection
from spark_tui.tui.code.text_search import TextSearch
from spark_tui.tui.code.unsaved_edits import FileViewport
from spark_tui.tui.settings.keys import Keymap, keymap
from spark_tui.tui.settings.themes import PLAIN, Palette
from spark_tui.tui.widgets.code_editor import Editor, FileEditor
from spark_tui.tui.widgets.row_painter import Problems, RowPainter
from spark_tui.tui.widgets.status_bar import Named
from spark_tui.tui.widgets.typeahead import Typeahead

SPLIT_FROM_CELLS = 130
MINIMAP_CELLS = 1
_RULE, _THUMB = ("│", "rule"), ("┃", "number")
_FOUND = {_RULE: ("┤", "open"), _THUMB: ("┫", "open")}
"""Cells of the minimap, and what they are next to the matches of a search."""
_CELLS_AFTER = 4
"""Cells that stay in view after a match of a search."""


class FilePane(ScrollView, can_focus=True):
    """What `CodeView` draws."""

    DEFAULT_CSS = """
    FilePane { overflow: scroll scroll; scrollbar-size: 0 0; height: 1fr; width: 1fr; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.keymap: Keymap = keymap()
        self.typeahead = Typeahead()
        self.file = FileViewport()
        self.view = "auto"
        self.folded = False
        self.current = 0
        self.cursor = 0
        self.following = True
        self._brought = 0
        """The hunk whose change was last brought into view."""
        self.editor: Editor | None = None
        self.ghost = ""
        """The text proposed after the caret."""
        self.choice: LineSelection | None = None
        self.find: TextSearch | None = None
        self.welcome: Sequence[Named] = ()
        """The rows to show while no file is open."""
        self.layout_rows = CodeLayout(())
        self._problems: Mapping[str, Problems] = {}
        self._painter = RowPainter(PLAIN.palette)
        self._shown: list[tuple[Strip, tuple[str, str]]] = []
        self._map: list[tuple[str, str]] = []

    # What is shown

    def set_palette(self, palette: Palette) -> None:
        self._painter.set_palette(palette)
        self._shown = []
        self.refresh()

    @property
    def split(self) -> bool:
        return self.view == "split" or (self.view == "auto" and self.size.width >= SPLIT_FROM_CELLS)

    def show_file(self, file: FileViewport) -> None:
        """Another file, or the same one read again: the view starts at its top."""
        same = file.path == self.file.path
        self.file = file
        of_other_draft = isinstance(self.editor, FileEditor) and self.editor.draft is not file.draft
        if of_other_draft or not same:
            self.editor, self.ghost = None, ""
        self._painter.open(file)
        if not same:
            self.cursor = 0
            if self.find is not None:
                self.find.hit = None
            self._relayout()
            self.scroll_to(0, 0, animate=False)
        self.update()

    def show_hunks(self, hunks: Sequence[HunkView]) -> None:
        self.file.hunks = hunks
        self.update()

    def set_view(self, view: str) -> None:
        self.view = view
        self.update()

    def set_folded(self, folded: bool) -> None:
        self.folded = folded
        self.update()

    def update(self) -> None:
        """Take in what changed; the line at the top of the screen stays where it is."""
        top, cursor = self.layout_rows.row(self.scroll_offset.y), self.layout_rows.row(self.cursor)
        offset = self.scroll_offset.y
        self._relayout()
        self.cursor = min(self.layout_rows.find(cursor), max(self.layout_rows.height - 1, 0))
        if offset:
            last = max(self.layout_rows.height + self._room_below - self.size.height, 0)
            if (moved := min(self.layout_rows.find(top), last)) != offset:
                self.scroll_to(y=moved, animate=False)
        if self.following:
            self._follow()
        self.repaint()

    def show_problems(self, problems: Mapping[str, Problems]) -> None:
        """Mark the lines of files that a check complains about, until it runs again."""
        self._problems = problems
        self._relayout()
        self.repaint()

    def _relayout(self) -> None:
        editor = self.editor
        hunks = [editor.working(hunk) for hunk in self.file.hunks] if editor else self.file.hunks
        # A line that somebody may type into is never hidden.
        in_file = isinstance(editor, FileEditor)
        expanded = frozenset(hunk.id for hunk in hunks if in_file)
        folded = self.folded and not in_file and self.find is None
        self.layout_rows = CodeLayout(
            self.file.lines, hunks, split=self.split, folded=folded, expanded=expanded
        )
        marks = self.file.draft.marks if self.file.draft else ()
        self._painter.begin(
            self.layout_rows,
            hunks,
            self.current,
            editor,
            self.choice,
            marks,
            self.ghost,
            self.find,
            self._problems.get(self.file.path),
        )
        if self.find is not None and not any(hunk.state == "streaming" for hunk in hunks):
            # While the model writes the places are counted again when somebody goes to one, not with every
            # line.
            self.find.look(self.layout_rows, self._painter.text.line_text)
        width = self._painter.text.widest(self.size.width)
        # Set without its watchers: they lay out the whole screen again, and this changes with every line.
        self.set_reactive(Widget.virtual_size, Size(width, self.layout_rows.height + self._room_below))

    @property
    def _room_below(self) -> int:
        """Empty rows that can be scrolled to, so that a stream at the end of a file does not scroll line by
        line."""
        return self.size.height * 2 // 3

    def repaint(self) -> None:
        """Send only the rows that look different."""
        self._map = self._minimap()
        width, height = self.size
        if len(self._shown) != height:
            self._shown = []
            self.refresh()
            return
        fresh = self._screenful()
        changed = [y for y in range(height) if self._shown[y] != fresh[y]]
        if changed:
            self.refresh(*(Region(0, y, width, 1) for y in changed))
        self._shown = fresh

    def render_line(self, y: int) -> Strip:
        if not self.file.path:
            return self._painter.centred(self.welcome, y, self.size.width, self.size.height)
        if len(self._map) != self.outer_size.height:
            # Another height comes before anyone is told of it: marks of the old one would stand in the wrong
            # rows.
            self._map, self._shown = self._minimap(), []
        if not self._shown:
            self._shown = self._screenful()
        if y >= len(self._shown):
            return Strip(self._painter.cell(" " * self.size.width, "text"))
        strip, cell = self._shown[y]
        return Strip([*strip, *self._painter.cell(*cell)], strip.cell_length + MINIMAP_CELLS)

    def pointed_at(self, x: int, y: int) -> Offset:
        """The column of the text and the row that a cell of the screen shows; of a gutter the beginning of
        its row."""
        left, top = self.scroll_offset
        y = min(top + y, max(self.layout_rows.height - 1, 0))
        begin = self._painter.text_from(self.layout_rows.row(y), self._text_cells)
        return Offset(max(x - begin, 0) + left, y)

    @property
    def _text_cells(self) -> int:
        return self.size.width - MINIMAP_CELLS

    def _screenful(self) -> list[tuple[Strip, tuple[str, str]]]:
        """Each row of the screen with its cell of the minimap."""
        (left, top), cells, selection = self.scroll_offset, self._text_cells, self.text_selection
        cursor = self.cursor if self.has_focus else -1
        out: list[tuple[Strip, tuple[str, str]]] = []
        for y, cell in enumerate(self._map, top):
            row = self.layout_rows.row(y)
            chosen = self._painter.text.selected(row, y, selection) if selection is not None else None
            out.append((self._painter.strip(row, left, cells, y == cursor, chosen), cell))
        return out

    def selection_updated(self, selection: Selection | None) -> None:
        del selection
        self.repaint()

    def _minimap(self) -> list[tuple[str, str]]:
        """The column at the right edge: where the hunks are in the file, and which part is on screen."""
        layout, height, top = self.layout_rows, self.size.height, self.scroll_offset.y
        column = [_RULE] * height
        if layout.height > height:
            first = top * height // layout.height
            last = max((top + height) * height // layout.height, first + 1)
            column = [_THUMB if first <= y < last else _RULE for y in range(height)]
        for y in self.find.ticks(height, layout.height) if self.find else ():
            column[y] = _FOUND[column[y]]
        scale = height / max(layout.height, height)
        there: dict[int, HunkView] = {}
        for hunk in self.file.hunks:
            y = int(layout.span(hunk.id)[0] * scale)
            if 0 <= y < height and (y not in there or there[y].id != self.current):
                there[y] = hunk
        for y, hunk in there.items():
            column[y] = (hunk.mark, hunk.mark_style)
        return column

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        if round(old_value) != round(new_value):
            self._shown, self._map = [], []

    def watch_scroll_x(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_x(old_value, new_value)
        self._shown = []

    def on_resize(self) -> None:
        self._shown, self._map = [], []
        self.update()

    def on_focus(self) -> None:
        self.repaint()

    on_blur = on_focus

    # Where it looks

    def line_text(self, new: bool, line: int, hunk_id: int) -> str:
        """A line of the file, or of the new side of a hunk."""
        return self._painter.text.line_text(new, line, hunk_id)

    def _follow(self) -> None:
        """Bring the model's cursor into view, half a screen at a time: a calm jump, seldom."""
        y = self._painter.text.stream_row(self.layout_rows)
        if y is None:
            if self.current not in self.layout_rows.hunk_ids():
                return
            start, end = self.layout_rows.span(self.current)
            # One that was stopped is looked at where it stopped.
            stopped = any(hunk.state == "partial" and hunk.id == self.current for hunk in self.file.hunks)
            y = end - 1 if stopped else start
            if self._brought != self.current:
                self._show_change(self.current)
        top, height = self.scroll_offset.y, self.size.height
        if not top <= y < top + height - 1:
            self.scroll_to(y=max(y - height // 3, 0), animate=False)

    def reveal(self, hunk_id: int) -> None:
        """Bring a hunk into view, with some lines above it, and what it changes in a long line."""
        self._show_change(hunk_id)
        start, end = self.layout_rows.span(hunk_id)
        self.cursor = start
        top, height = self.scroll_offset.y, self.size.height
        if start < top + 1 or end > top + height - 1:
            room = max(height - (end - start), 2)
            self.scroll_to(y=max(start - min(room // 2, height // 3), 0), animate=False)
        self.repaint()

    def _show_change(self, hunk_id: int) -> None:
        self._brought = hunk_id
        self.show_cells(*self._painter.text.first_change(hunk_id))

    def go_to(self, y: int, *, around: int = 0) -> None:
        """The keys are on this row: in view, with this many rows around it."""
        self.cursor = y
        top, height = self.scroll_offset.y, self.size.height
        around = max(min(around, (height - 1) // 2), 0)
        if not top + around <= y < top + height - around:
            above = y < top + around
            self.scroll_to(y=max(y - around if above else y - height + 1 + around, 0), animate=False)
        self.repaint()

    def show_row(self, y: int) -> None:
        """The keys are on this row; where it was not in view, it comes a third from the top."""
        top, height = self.scroll_offset.y, self.size.height
        self.cursor = y
        if not top <= y < top + height:
            self.scroll_to(y=max(y - height // 3, 0), animate=False)

    def show_cells(self, start: int, end: int) -> None:
        """These cells of a line, with as little of a move as there can be; the left edge where that will
        do."""
        gutter = self._painter.text.gutter
        room = self.size.width - MINIMAP_CELLS - gutter
        room = room // 2 - gutter if self.split else room
        left = self.scroll_offset.x
        if end + _CELLS_AFTER <= room:
            left = 0
        elif not left <= start <= end <= left + room - _CELLS_AFTER:
            left = max(start - room // 2, 0)
        if left != self.scroll_offset.x:
            self.scroll_to(x=left, animate=False)

    def go_back_to(self, cursor: CodeRow, top: CodeRow, left: int) -> None:
        """The keys and the edges of the view, as they were before."""
        self.cursor = self.layout_rows.find(cursor)
        self.scroll_to(left, self.layout_rows.find(top), animate=False)
        self.repaint()

    def row_at_cursor(self) -> CodeRow:
        return self.layout_rows.row(self.cursor)
