"""A page on top of the workbench: lines to read and scroll, closed with Esc."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.segment import Segment
from textual import events
from textual.app import ComposeResult
from textual.geometry import Size
from textual.screen import ModalScreen
from textual.scroll_view import ScrollView
from textual.strip import Strip

from spark_tui.tui.settings.themes import Palette
from spark_tui.tui.terminal.frame_clock import PaintsOnTime
from spark_tui.tui.text.segments import cells_of, code_line
from spark_tui.tui.widgets.status_bar import Named, StatusBar

_ASIDE = 20
"""Cells that a key scrolls to the side."""


class PageRows(ScrollView, can_focus=True):
    """Lines that do not wrap; arrow and page keys scroll, horizontally too if a line does not fit."""

    DEFAULT_CSS = "PageRows { overflow: hidden scroll; scrollbar-size: 0 0; height: 1fr; }"

    def __init__(self, rows: Sequence[Named], palette: Palette, on_move: Callable[[], None]) -> None:
        super().__init__(id="rows")
        self._rows, self._palette, self._on_move = rows, palette, on_move
        self._left = 0
        """Cells that are out of view on the left."""

    def on_mount(self) -> None:
        self.virtual_size = Size(self.size.width, len(self._rows))

    def on_resize(self) -> None:
        self._on_move()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self._on_move()

    @property
    def place(self) -> str:
        """Which rows are in view, of how many; empty where all are."""
        top, height, count = round(self.scroll_offset.y), self.size.height, len(self._rows)
        return f"{top + 1:,}–{min(top + height, count):,} of {count:,}" if count > height else ""

    def render_line(self, y: int) -> Strip:
        width, style = self.size.width, self._palette
        at = y + self.scroll_offset.y
        row = self._rows[at] if at < len(self._rows) else []
        text, layer = "", []
        for piece, name in row:
            layer.append((len(text), len(text) + len(piece), style[name]))
            text += piece
        more = [Segment("…", style["number"])] if cells_of(row) > self._left + width else []
        shown = code_line(text, style["text"], [layer], self._left, width - len(more))
        return Strip([*shown, *more], width)

    def _scroll_sideways(self, by: int) -> None:
        """As far as the widest line in view goes."""
        top, (width, height) = self.scroll_offset.y, self.size
        widest = max((cells_of(row) for row in self._rows[top : top + height]), default=0)
        self._left = min(max(self._left + by, 0), max(widest - width + 1, 0))
        self.refresh()

    def on_key(self, event: events.Key) -> None:
        page = max(self.size.height - 1, 1)
        steps = {"down": 1, "j": 1, "up": -1, "k": -1, "pagedown": page, "space": page, "pageup": -page}
        steps |= {"ctrl+d": page, "ctrl+u": -page}
        ends = {"home": 0, "g": 0, "end": len(self._rows), "G": len(self._rows)}
        if event.key in steps:
            self.scroll_to(y=self.scroll_offset.y + steps[event.key], animate=False)
        elif event.key in ends:
            self.scroll_to(y=ends[event.key], animate=False)
        elif event.key in ("left", "h", "right", "l"):
            self._scroll_sideways(-_ASIDE if event.key in ("left", "h") else _ASIDE)
        elif event.key in ("shift+left", "shift+right", "0", "dollar_sign"):
            self._scroll_sideways(-(10**9) if event.key in ("shift+left", "0") else 10**9)
        else:
            return
        event.stop()


class Page(PaintsOnTime, ModalScreen[None], inherit_bindings=False):
    """Esc, q or Enter closes it."""

    DEFAULT_CSS = "Page { layout: vertical; }"

    def __init__(self, title: str, rows: Sequence[Named], palette: Palette) -> None:
        super().__init__()
        self._title_text, self._rows, self._palette = title, rows, palette

    def compose(self) -> ComposeResult:
        yield StatusBar(id="page-title", fill="pane.rule", rule="─")
        yield PageRows(self._rows, self._palette, self._show_title)
        yield StatusBar(id="page-foot")

    def on_mount(self) -> None:
        for part in self.query(StatusBar):
            part.set_palette(self._palette)
        foot = self.query_one("#page-foot", StatusBar)
        close, scroll = (" close   ", "pane.faint"), (" scroll", "pane.faint")
        foot.show([(" Esc", "pane.key"), close, ("↑ ↓ ← → PgUp PgDn", "pane.key"), scroll])

    def _show_title(self) -> None:
        place = self.query_one(PageRows).place
        self.query_one("#page-title", StatusBar).show(
            [("─ ", "pane.rule"), (self._title_text, "pane"), (" ", "pane.rule")],
            [(f" {place}", "pane.faint"), (" ─", "pane.rule")] if place else (),
        )

    def on_key(self, event: events.Key) -> None:
        event.stop()
        if event.key in ("escape", "q", "enter", "ctrl+c", "ctrl+q", "f1", "question_mark"):
            self.dismiss()
