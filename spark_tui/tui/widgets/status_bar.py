"""A line of the workbench with pieces at the left and at the right, redrawn only when they change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from textual.strip import Strip
from textual.widget import Widget

from spark_tui.tui.settings.themes import PLAIN, Palette
from spark_tui.tui.text.segments import bar

Named = Sequence[tuple[str, str]]


class StatusBar(Widget):
    """Header, title, status, footer: each is one of these with other pieces."""

    DEFAULT_CSS = "StatusBar { height: 1; }"

    def __init__(self, *, fill: str = "pane", rule: str = " ", group: int = 1, id: str | None = None) -> None:
        super().__init__(id=id)
        self.palette: Palette = PLAIN.palette
        self._fill, self._rule, self._group = fill, rule, group
        self._left: Named = ()
        self._right: Named = ()

    def show(self, left: Named, right: Named = ()) -> None:
        if (list(left), list(right)) != (list(self._left), list(self._right)):
            self._left, self._right = left, right
            self.refresh()

    def show_keys(self, keys: Iterable[tuple[str, str]]) -> None:
        """Keys, each with what it does."""
        pairs = (((f" {key}", "pane.key"), (f" {what}  ", "pane.faint")) for key, what in keys)
        self.show([piece for pair in pairs for piece in pair])

    @property
    def text(self) -> str:
        """The whole text, as if there were room for it."""
        return "".join(text for text, _ in (*self._left, *self._right))

    def set_palette(self, palette: Palette) -> None:
        self.palette = palette
        self.refresh()

    def render_line(self, y: int) -> Strip:  # noqa: ARG002
        width = self.outer_size.width  # it has no border, and the other is looked for in the whole layout
        style = self.palette
        left = [(text, style[name]) for text, name in self._left]
        right = [(text, style[name]) for text, name in self._right]
        return Strip(bar(left, right, width, style[self._fill], self._rule, self._group), width)
