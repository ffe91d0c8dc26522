"""Repaints only the rows that changed, each from the widget in front.

Textual asks every widget between the first and the last changed row for all of its lines, and puts a box
around each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from rich.segment import Segment
from textual._compositor import ChopsUpdate, Compositor, CompositorUpdate, ReflowResult
from textual.color import Color
from textual.events import Resize
from textual.geometry import Region, Size
from textual.scrollbar import ScrollBar
from textual.strip import Strip
from textual.widget import Widget

from spark_tui.tui.terminal.output import Piece, TerminalWriter

if TYPE_CHECKING:
    from rich.console import Console
    from textual.app import App
    from textual.screen import Screen

    _Mixed = App[Any]
else:
    _Mixed = object


class PartialFrame(CompositorUpdate):
    """What to paint, and, once compared with what the terminal shows, the output for it."""

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self.pieces = pieces
        self.sequences = ""

    def render_segments(self, console: Console) -> str:
        del console
        return self.sequences


class PaintsPartially(Compositor):
    """Takes the place of a Textual compositor. Lines of `bare` widgets have nothing of Textual's around them:
    no border, no padding, every cell with its ground."""

    def __init__(self, bare: tuple[type[Widget], ...]) -> None:
        super().__init__()
        self._bare = bare
        self._grounds: dict[Widget, Color] = {}
        """What each widget stands on: filters want to know. Another theme lays everything out again."""

    def reflow(self, parent: Widget, size: Size) -> ReflowResult:
        self._grounds.clear()
        return super().reflow(parent, size)

    def update_widgets(self, widgets: set[Widget]) -> None:
        """A scrollbar without room is dirty after every scroll; Textual would take it for a new widget, and
        place all of them again."""
        shown = {widget for widget in widgets if widget.outer_size or not isinstance(widget, ScrollBar)}
        super().update_widgets(shown)

    def render_partial_update(self) -> ChopsUpdate | None:
        regions, self._dirty_regions = self._dirty_regions, set()
        screen = self.size.region
        spans = self._regions_to_spans(region.intersection(screen) for region in regions)
        pieces = [piece for span in spans for piece in self._pieces(*span)]
        # Textual hands this on as it is.
        return PartialFrame(pieces) if pieces else None  # type: ignore[return-value]

    def _pieces(self, y: int, left: int, right: int) -> Iterator[Piece]:
        """From front to back, until every cell is taken."""
        bare_cells = [(left, right)]
        for widget, shown, region in self.layers_visible[y]:
            if not bare_cells:
                return
            begin, end = shown.x, shown.right
            taken = [(max(a, begin), min(b, end)) for a, b in bare_cells if a < end and b > begin]
            if not taken:
                continue
            line = self._line(widget, region, y)
            for a, b in taken:
                whole = a == region.x and b == region.right
                yield y, a, line if whole else list(Strip(line).crop(a - region.x, b - region.x))
            sides = [side for a, b in bare_cells for side in ((a, min(b, begin)), (max(a, end), b))]
            bare_cells = [(a, b) for a, b in sides if a < b]

    def _line(self, widget: Widget, region: Region, y: int) -> list[Segment]:
        if not isinstance(widget, self._bare):
            return list(widget.render_lines(Region(0, y - region.y, region.width, 1))[0])
        segments = list(widget.render_line(y - region.y))
        for line_filter in widget.get_line_filters():
            if widget not in self._grounds:
                self._grounds[widget] = widget.background_colors[1]
            segments = line_filter.apply(segments, self._grounds[widget])
        return segments


class OnWire(_Mixed):
    """Mixed into an app: frames are written as what they change on its one terminal, and those that change
    nothing not at all."""

    _wire: TerminalWriter | None = None

    def redraw(self) -> None:
        """Everything is drawn again: something else may have drawn on the terminal."""
        self.refresh()

    def on_resize(self, event: Resize) -> None:
        if self._wire is not None and event.size == self._size:
            # It was another for a moment, in which the terminal has cut the screen off.
            self.redraw()

    def _check_resize(self) -> None:
        if self._resize_event is not None and self._screen_stack:
            # Textual would leave what has not moved, which a size between the two may have cost.
            self.screen._compositor._dirty_regions.add(self._resize_event.size.region)
        super()._check_resize()

    def _display(self, screen: Screen[Any], renderable: Any) -> None:
        wire = self._wire = self._wire or TerminalWriter()
        if isinstance(renderable, PartialFrame):
            if self._driver is not None and not (self._batch_count or self._closed or self.is_headless):
                renderable.sequences = wire.draw(renderable.pieces, self.console)
                if not renderable.sequences and self.cursor_position == self._previous_cursor_position:
                    renderable = None
        elif renderable is not None:
            wire.forget()
        super()._display(screen, renderable)
