"""A screen that lies over the workbench until something is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from textual import events
from textual.screen import ModalScreen

from spark_tui.tui.settings.themes import Palette
from spark_tui.tui.terminal.frame_clock import PaintsOnTime
from spark_tui.tui.widgets.status_bar import StatusBar
from spark_tui.tui.widgets.typeahead import Typeahead

T = TypeVar("T")


class Overlay(PaintsOnTime, ModalScreen[T], inherit_bindings=False):
    """`press` gets the keys. Those that are typed faster than it goes away are for what is below, once its
    result was taken there."""

    DEFAULT_CSS = """
    Overlay { background: $background 40%; }
    Overlay:ansi { background: ansi_default; }
    Overlay > Vertical { background: $surface; border: round $rule; }
    """
    typeahead: Typeahead | None = None
    """Of the workbench, which releases what waits for this screen."""
    AUTO_FOCUS = ""
    """The overlay itself gets the keys: those queued for a child would be lost when it closes."""
    left = False
    questions = False
    """Whether the turn waits for its answer: no other key counts meanwhile."""

    def __init__(self, palette: Palette) -> None:
        super().__init__()
        self._palette = palette

    def on_mount(self) -> None:
        for part in self.query(StatusBar):
            part.set_palette(self._palette)

    def on_key(self, event: events.Key) -> None:
        event.stop()
        event.prevent_default()
        if self.left:
            self.pass_on(event)
        else:
            self.press(event)

    def press(self, event: events.Key) -> None:
        raise NotImplementedError

    @staticmethod
    def is_for_below(event: events.Key) -> bool:
        """Whether it is a function key: it opens something else, wherever the keys are."""
        return event.key[0] == "f" and event.key[1:].isdecimal()

    def leave(self, value: T, keys: Sequence[events.Key] = ()) -> None:
        """Close with this; the keys go to what is below, before any other."""
        self.left = True
        if self.typeahead is not None:
            self.typeahead.hold(self, self)
        for event in keys:
            self.pass_on(event)
        self.dismiss(value)

    def pass_on(self, event: events.Key) -> None:
        if self.typeahead is None or not self.typeahead.takes(event):
            self.app.post_message(events.Key(event.key, event.character))
