"""The wafer panel: what a wafer would have done with the engine's passes, updated four times a second.

The simulator is loaded when the panel is first shown; while it is hidden nothing is computed, and nothing is
lost.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from textual.geometry import Size
from textual.strip import Strip
from textual.widget import Widget

from spark_tui.errors import Misfit, SparkError
from spark_tui.tui import wafer_text
from spark_tui.tui.settings.themes import PLAIN, Palette
from spark_tui.tui.step_log import Mark, StepLog
from spark_tui.tui.text.segments import bar

if TYPE_CHECKING:
    from spark_tui.backends.base import Backend
    from spark_tui.mesh.estimates.live_tracker import LiveWafer
    from spark_tui.shapes import Step

LOOK_SECONDS = 0.25
LARGE, SMALL = 13, 9
"""Rows with and without space between the figures; on a low screen the code keeps more than half of it."""
LARGE_FROM = 36
OFFERED = ("", "llama3-8b", "qwen3-32b", "llama3-70b")
"""What the key goes through, and the model of the settings besides; empty: the model that runs."""


class WaferPanel(Widget, can_focus=False):
    DEFAULT_CSS = """
    WaferPanel { display: none; height: auto; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.palette: Palette = PLAIN.palette
        self.step_log = StepLog()
        self.close_key = self.model_key = ""
        self.model = ""
        """The model to answer for; empty: the one that runs."""
        self._title: tuple[wafer_text.Named, wafer_text.Named] = ([], [])
        self._rows: list[wafer_text.Named] = []
        self._live: LiveWafer | None = None
        self._turn: list[Step | Mark] = []
        """All of the turn, for a model that is chosen after it."""
        self._no_place: SparkError | None = None
        self.on_look: Callable[[], None] = lambda: None
        """Called when it looks different."""
        self.rate = 0.0
        """Tokens a second that the wafer would write; 0 before there is anything to say."""

    def on_mount(self) -> None:
        self._timer = self.set_interval(LOOK_SECONDS, self.look, pause=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        return self.rows_of(viewport.height)

    def rows_of(self, height: int) -> int:
        """How many rows of a screen it takes."""
        return min(LARGE if height >= LARGE_FROM else SMALL, height * 2 // 5) if self.display else 0

    def toggle(self) -> None:
        self.display = not self.display
        if self.display:
            self._timer.resume()
            self.look()
        else:
            self._timer.pause()

    def bind(self, close_key: str, model_key: str) -> None:
        """The keys that it names."""
        self.close_key, self.model_key = close_key, model_key
        self.look()

    def listen_to(self, backend: Backend) -> None:
        """Another model runs: it is placed again."""
        self.step_log.attach(backend)
        self._turn.clear()
        self._live = self._no_place = None
        self.look()

    def answer_for(self, model: str) -> None:
        """Show the turn as that model would have done it."""
        self.model = model
        self._live = self._no_place = None
        self.look()

    def next_model(self) -> None:
        """The next one that is offered; where the panel is hidden, show it."""
        if not self.display:
            self.toggle()
            return
        offered = OFFERED if self.model in OFFERED else (*OFFERED, self.model)
        self.answer_for(offered[(offered.index(self.model) + 1) % len(offered)])

    def set_palette(self, palette: Palette) -> None:
        self.palette = palette
        self.refresh()

    def on_resize(self) -> None:
        self.look()

    def look(self) -> None:
        """Take in what happened; drawn only when it looks different."""
        if not self.display:
            return
        view = self._seen()
        self.rate = view.reading.simulated_tokens_per_second if view.reading else 0.0
        width, height = self.size
        title, rows = wafer_text.title(view, width), wafer_text.rows(view, width, height)
        if (title, rows) != (self._title, self._rows):
            self._title, self._rows = title, rows
            self.refresh()
            self.on_look()

    @property
    def text(self) -> str:
        """Everything that it shows."""
        rows = ([*self._title[0], *self._title[1]], *self._rows)
        return "\n".join("".join(text for text, _ in row) for row in rows)

    def _seen(self) -> wafer_text.WaferView:
        fresh = self.step_log.take()
        if "turn" in fresh:
            self._turn.clear()
        self._turn += fresh
        live, steps = self._live, fresh
        if live is None:
            live, steps = self._place(), self._turn
        if live is None:
            return wafer_text.WaferView(why=self._why(), close_key=self.close_key, model_key=self.model_key)
        self._live = live
        for step in steps:
            if step == "turn":
                live.reset()
            elif step == "answer":
                live.next_answer()
            else:
                live.feed(step)
        reading = live.reading()
        rows, columns = wafer_text.map_size(live.area, self.size.width, self.size.height)
        heat = live.heat(rows * 4, columns * 2).tolist() if rows else []
        runs = self.step_log.shape.name if self.model and self.step_log.shape is not None else ""
        return wafer_text.WaferView(reading, heat, bool(fresh), (), self.close_key, self.model_key, runs)

    def _place(self) -> LiveWafer | None:
        if self.step_log.shape is None or self._no_place is not None:
            return None
        from spark_tui.mesh.estimates.live_tracker import LiveWafer
        from spark_tui.mesh.facts import model_shapes

        try:
            return LiveWafer(model_shapes.load(self.model) if self.model else self.step_log.shape)
        except SparkError as error:
            self._no_place = error
            return None

    def _why(self) -> tuple[str, ...]:
        if isinstance(self._no_place, Misfit):
            return ("This model does not fit on the wafer.", self._no_place.what, self._no_place.hint)
        if self._no_place is not None:
            return (f"There are no figures for {self.model}.", self._no_place.what, self._no_place.hint)
        if not self.step_log.source:
            return ("Opening …",)
        return (
            "No forward passes to simulate.",
            f"The text comes from {self.step_log.source}, so this machine runs no forward passes.",
            "With a local model the panel shows what a wafer would do with each forward pass.",
            "`spark wafer compare` predicts without a model.",
        )

    def render_line(self, y: int) -> Strip:
        width, style = self.size.width, self.palette
        if y == 0:
            left, right = ([(text, style[name]) for text, name in part] for part in self._title)
            return Strip(bar(left, right, width, style["pane.rule"], "─"), width)
        row = [(text, style[name]) for text, name in self._rows[y - 1]] if y <= len(self._rows) else []
        return Strip(bar(row, [], width, style["pane"]), width)
