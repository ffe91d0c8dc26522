"""A page laid over the workbench: lines to read and scroll, closed by Esc.

Comes in: a title and rows of pieces `(text, style name)`. Goes out: nothing. Must not know: what the rows are about.
"""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.app import ComposeResult
from textual.geometry import Size
from textual.screen import ModalScreen
from textual.scroll_view import ScrollView
from textual.strip import Strip

from spark_tui.tui.frame_clock import OnTime
from spark_tui.tui.paint import bar
from spark_tui.tui.themes import Palette
from spark_tui.tui.widgets.bar import Bar, Named


class Rows(ScrollView, can_focus=True):
    """Lines that do not wrap; arrows and page keys scroll."""

    DEFAULT_CSS = "Rows { overflow: hidden scroll; scrollbar-size: 0 0; height: 1fr; }"

    def __init__(self, rows: Sequence[Named], palette: Palette) -> None:
        super().__init__(id="rows")
        self._rows, self._palette = rows, palette

    def on_mount(self) -> None:
        self.virtual_size = Size(self.size.width, len(self._rows))

    def render_line(self, y: int) -> Strip:
        width, style = self.size.width, self._palette.styles
        at = y + self.scroll_offset.y
        pieces = [(text, style[name]) for text, name in self._rows[at]] if at < len(self._rows) else []
        return Strip(bar(pieces, [], width, style["text"]), width)

    def on_key(self, event: events.Key) -> None:
        page = max(self.size.height - 1, 1)
        steps = {"down": 1, "j": 1, "up": -1, "k": -1, "pagedown": page, "space": page, "pageup": -page}
        ends = {"home": 0, "g": 0, "end": len(self._rows), "G": len(self._rows)}
        if event.key in steps:
            self.scroll_to(y=self.scroll_offset.y + steps[event.key], animate=False)
        elif event.key in ends:
            self.scroll_to(y=ends[event.key], animate=False)
        else:
            return
        event.stop()


class Page(OnTime, ModalScreen[None], inherit_bindings=False):
    """Esc, q or Enter closes it."""

    DEFAULT_CSS = "Page { layout: vertical; }"

    def __init__(self, title: str, rows: Sequence[Named], palette: Palette) -> None:
        super().__init__()
        self._title_text, self._rows, self._palette = title, rows, palette

    def compose(self) -> ComposeResult:
        yield Bar(id="page-title", fill="rim.rule", rule="─")
        yield Rows(self._rows, self._palette)
        yield Bar(id="page-foot")

    def on_mount(self) -> None:
        title, foot = self.query_one("#page-title", Bar), self.query_one("#page-foot", Bar)
        for part in (title, foot):
            part.set_palette(self._palette)
        title.show([("─ ", "rim.rule"), (self._title_text, "rim"), (" ", "rim.rule")])
        foot.show(
            [(" Esc", "rim.key"), (" close   ", "rim.faint"), ("↑ ↓ PgUp PgDn", "rim.key"), (" scroll", "rim.faint")]
        )

    def on_key(self, event: events.Key) -> None:
        event.stop()
        if event.key in ("escape", "q", "enter", "ctrl+c", "ctrl+q", "f1"):
            self.dismiss()
