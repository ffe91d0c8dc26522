"""The stage: one file with its hunks in place, drawn a line at a time.

Only visible rows are ever made into text, and only rows that look different are sent to the terminal: each update
compares the strips on screen with the new ones. Comes in: a `FileView` and which hunk is current.
Goes out: `Intent`s and `Looked`. Must not know: the session, the app, where lines come from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from textual import events
from textual.geometry import Region, Size
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip
from textual.widget import Widget

from spark_tui.tui.by_line import LineChoice
from spark_tui.tui.hunks import Hunk
from spark_tui.tui.keys import Keymap, keymap
from spark_tui.tui.layout import Layout, Row
from spark_tui.tui.messages import Intent, Looked
from spark_tui.tui.printable import column_of
from spark_tui.tui.themes import PLAIN, Palette
from spark_tui.tui.widgets.bar import Named
from spark_tui.tui.widgets.code_edit import HunkEditor
from spark_tui.tui.widgets.code_rows import RowPainter, line_of
from spark_tui.tui.widgets.minimap import minimap

SPLIT_FROM_CELLS = 130
MINIMAP_CELLS = 1


@dataclass
class FileView:
    """What is on the stage."""

    path: str = ""
    lines: Sequence[str] = ()
    hunks: Sequence[Hunk] = field(default_factory=list)


class CodeView(ScrollView, can_focus=True):
    DEFAULT_CSS = """
    CodeView { overflow: scroll scroll; scrollbar-size: 0 0; height: 1fr; width: 1fr; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.keymap: Keymap = keymap()
        self.file = FileView()
        self.view = "auto"
        self.folded = False
        self.expanded: frozenset[int] = frozenset()
        self.current = 0
        self.cursor = 0
        self.following = True
        self.editor: HunkEditor | None = None
        self.choice: LineChoice | None = None
        self.welcome: Sequence[Named] = ()
        """What stands here while no file does."""
        self.layout_rows = Layout(())
        self._painter = RowPainter(PLAIN.palette)
        self._strips: dict[tuple[int, bool], Strip] = {}
        self._shown: list[tuple[Strip, tuple[str, str]]] = []
        self._map: list[tuple[str, str]] = []

    # What is shown

    def set_palette(self, palette: Palette) -> None:
        self._painter.set_palette(palette)
        self._forget()

    @property
    def split(self) -> bool:
        return self.view == "split" or (self.view == "auto" and self.size.width >= SPLIT_FROM_CELLS)

    def show_file(self, file: FileView) -> None:
        """Another file, or the same one read again: the view starts at its top."""
        same = file.path == self.file.path
        self.file = file
        self._painter.open(file)
        if not same:
            self.cursor = 0
            self._relayout()
            self.scroll_to(0, 0, animate=False)
        self.update()

    def show_hunks(self, hunks: Sequence[Hunk]) -> None:
        self.file.hunks = hunks
        self.update()

    def show_current(self, hunk_id: int) -> None:
        if hunk_id != self.current:
            self.current = hunk_id
            self.update()

    def toggle(self, hunk_id: int) -> None:
        """Show all of a decided hunk, or its outcome only."""
        self.expanded ^= {hunk_id}
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
            moved = min(
                self.layout_rows.find(top), max(self.layout_rows.height + self._room_below - self.size.height, 0)
            )
            if moved != offset:
                self.scroll_to(y=moved, animate=False)
        if self.following:
            self._follow()
        self._repaint()

    def _relayout(self) -> None:
        editor = self.editor
        hunks = [editor.working() if editor and h.id == editor.hunk_id else h for h in self.file.hunks]
        self.layout_rows = Layout(self.file.lines, hunks, split=self.split, folded=self.folded, expanded=self.expanded)
        self._painter.begin(self.layout_rows, hunks, self.current, editor.caret if editor else None, self.choice)
        width = self._painter.widest(self.size.width)
        # Set without its watchers: they lay out the whole screen again, and this changes with every line.
        self.set_reactive(Widget.virtual_size, Size(width, self.layout_rows.height + self._room_below))

    @property
    def _room_below(self) -> int:
        """Empty rows that can be scrolled to, so that a stream at the end of a file does not scroll line by line."""
        return self.size.height * 2 // 3

    def _forget(self) -> None:
        self._strips.clear()
        self._shown = []
        self.refresh()

    def _repaint(self) -> None:
        """Send only the rows that look different."""
        self._strips.clear()
        self._map = self._minimap()
        if len(self._shown) != self.size.height:
            self._shown = []
            self.refresh()
            return
        width = self.size.width
        fresh = self._screenful()
        for y, (before, now) in enumerate(zip(self._shown, fresh, strict=True)):
            if before != now:
                self.refresh(Region(0, y, width, 1))
        self._shown = fresh

    def render_line(self, y: int) -> Strip:
        if not self.file.path:
            return self._painter.centred(self.welcome, y, self.size.width, self.size.height)
        if not self._map:
            self._map = self._minimap()
        if not self._shown:
            self._shown = self._screenful()
        strip, cell = self._shown[y] if y < len(self._shown) else (self._strip(-1), (" ", "text"))
        # The mouse is told here which cell of the text stands where: for rows that are drawn, not for each compared.
        at = y + self.scroll_offset.y
        start = self._painter.text_from(self.layout_rows.row(at), self.size.width - MINIMAP_CELLS)
        gutter, text = strip.divide([start, strip.cell_length])
        text = text.apply_offsets(self.scroll_offset.x, at)
        return Strip([*gutter, *text, *self._painter.cell(*cell)], self.size.width)

    def _screenful(self) -> list[tuple[Strip, tuple[str, str]]]:
        """Each row of the screen with its cell of the minimap."""
        top = self.scroll_offset.y
        return [(self._strip(top + y), cell) for y, cell in enumerate(self._map)]

    def _strip(self, y: int) -> Strip:
        here = y == self.cursor and self.has_focus
        strip = self._strips.get((y, here))
        if strip is None:
            width = self.size.width - MINIMAP_CELLS
            row = self.layout_rows.row(y)
            chosen = self._painter.selected(row, y, self.text_selection)
            strip = self._painter.strip(row, self.scroll_offset.x, width, here, chosen)
            self._strips[y, here] = strip
        return strip

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """What the mouse has selected: source lines, unwrapped, as they are."""
        last = self.layout_rows.height - 1
        first = selection.start.y if selection.start is not None else 0
        end = min(selection.end.y, last) if selection.end is not None else last
        lines: list[str] = []
        for y in range(first, end + 1):
            row = self.layout_rows.row(y)
            span = self._painter.selected(row, y, selection)
            if span is not None and row.kind not in ("fold", "gone", "failed"):
                lines.append(self._painter.text_of(row)[slice(*span)])
        return "\n".join(lines), "\n"

    def place(self) -> tuple[int, tuple[int, int] | None]:
        """Where the person looks in the file as read, 1-based: the line of the keys, and the selected lines."""
        line = self.layout_rows.row(self.cursor).old + 1
        selection = self.text_selection
        if selection is None or selection.start is None or selection.end is None:
            return line, None
        rows = [self.layout_rows.row(y).old for y in range(selection.start.y, selection.end.y + 1)]
        known = [row + 1 for row in rows if row >= 0]
        return line, (known[0], known[-1]) if known else None

    def selection_updated(self, selection: Selection | None) -> None:
        del selection
        self._repaint()

    def _minimap(self) -> list[tuple[str, str]]:
        return minimap(self.layout_rows, self.file.hunks, self.size.height, self.scroll_offset.y, self.current)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        if round(old_value) != round(new_value):
            self._shown, self._map = [], []

    def watch_scroll_x(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_x(old_value, new_value)
        self._strips.clear()
        self._shown = []

    def on_resize(self) -> None:
        self._shown, self._map = [], []
        self.update()

    def on_focus(self) -> None:
        self._repaint()

    def on_blur(self) -> None:
        self._repaint()

    # Where it looks

    def _follow(self) -> None:
        """Bring the model's cursor into view, half a screen at a time: a calm jump, seldom."""
        y = self._painter.stream_row(self.layout_rows)
        if y is None:
            if self.current not in self.layout_rows.hunk_ids():
                return
            y = self.layout_rows.span(self.current)[0]
        top, height = self.scroll_offset.y, self.size.height
        if not top <= y < top + height - 1:
            self.scroll_to(y=max(y - height // 3, 0), animate=False)

    def reveal(self, hunk_id: int) -> None:
        """Bring a hunk into view, with some lines above it."""
        start, end = self.layout_rows.span(hunk_id)
        self.cursor = start
        top, height = self.scroll_offset.y, self.size.height
        if start < top + 1 or end > top + height - 1:
            room = max(height - (end - start), 2)
            self.scroll_to(y=max(start - min(room // 2, height // 3), 0), animate=False)
        self._repaint()

    def move(self, action: str) -> None:
        """The movements of the registry."""
        page = max(self.size.height - 2, 1)
        step = {"line.down": 1, "line.up": -1, "page.down": page, "page.up": -page}
        last = max(self.layout_rows.height - 1, 0)
        if action in ("left", "right"):
            self.scroll_to(x=max(self.scroll_offset.x + (8 if action == "right" else -8), 0), animate=False)
            return
        target = {"top": 0, "bottom": last}.get(action, self.cursor + step.get(action, 0))
        self.go_to(min(max(target, 0), last))
        self.following = False
        self.post_message(Looked())

    def go_to(self, y: int) -> None:
        self.cursor = y
        top, height = self.scroll_offset.y, self.size.height
        if not top <= y < top + height:
            self.scroll_to(y=y if y < top else y - height + 1, animate=False)
        self._repaint()

    def row_at_cursor(self) -> Row:
        return self.layout_rows.row(self.cursor)

    # What the person does

    def edit(self, hunk: Hunk) -> None:
        """Keys go into the new side of this hunk from now on."""
        self.following = False
        self.editor = HunkEditor(hunk)
        self._typed()

    def end_edit(self) -> HunkEditor | None:
        editor, self.editor = self.editor, None
        self.update()
        return editor

    def choose_line(self, hunk: Hunk) -> None:
        """Take the line at the cursor out of the hunk, or in again."""
        if self.choice is None or self.choice.hunk_id != hunk.id:
            self.choice = LineChoice(hunk.id)
        line = line_of(self.row_at_cursor())
        if line is not None and self.row_at_cursor().hunk == hunk.id:
            self.choice.toggle(line)
        self.update()

    def end_choice(self) -> LineChoice | None:
        choice, self.choice = self.choice, None
        self.update()
        return choice

    def _typed(self) -> None:
        """Show what was typed, with the caret in view."""
        self.update()
        if self.editor is None:
            return
        hunk_id, index, column = self.editor.caret
        start, end = self.layout_rows.span(hunk_id)
        self.go_to(next((y for y in range(start, end) if self.layout_rows.row(y).index == index), start))
        at = column_of(self.editor.buffer.line, column)
        room = self.size.width - self._painter.gutter - MINIMAP_CELLS - 1
        if not self.scroll_offset.x <= at < self.scroll_offset.x + room:
            self.scroll_to(x=max(at - room // 2, 0), animate=False)

    def on_key(self, event: events.Key) -> None:
        action = self.keymap.action("edit" if self.editor else "code", event.key)
        if action is not None:
            self.post_message(Intent(action))
        elif self.editor is not None and self.editor.buffer.press(event.key, event.character):
            self._typed()
        else:
            return
        event.stop()
        event.prevent_default()

    def on_paste(self, event: events.Paste) -> None:
        if self.editor is not None:
            event.stop()
            self.editor.buffer.insert(event.text.replace("\r\n", "\n").replace("\r", "\n"))
            self._typed()

    def on_click(self, event: events.Click) -> None:
        self.go_to(min(event.y + self.scroll_offset.y, max(self.layout_rows.height - 1, 0)))
        self.post_message(Looked())

    def _scrolled(self) -> None:
        self.following = False
        self.post_message(Looked())

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.stop()
        self.scroll_to(y=self.scroll_offset.y + 3, animate=False)
        self._scrolled()

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.stop()
        self.scroll_to(y=self.scroll_offset.y - 3, animate=False)
        self._scrolled()
