"""A vertical line between two panes."""

from __future__ import annotations

from rich.segment import Segment
from textual.strip import Strip
from textual.widget import Widget

from spark_tui.tui.settings.themes import PLAIN, Palette


class Divider(Widget):
    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._palette: Palette = PLAIN.palette

    def set_palette(self, palette: Palette) -> None:
        self._palette = palette
        self.refresh()

    def render_line(self, y: int) -> Strip:  # noqa: ARG002
        return Strip([Segment("│", self._palette["rim.rule"])], 1)
