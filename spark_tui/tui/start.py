"""What the workbench is given before a session is open.

Comes in: nothing. Goes out: two shapes. Must not know: widgets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from spark_tui import config
from spark_tui.config import Loaded, Settings
from spark_tui.events import Event
from spark_tui.tui.preferences import Preferences
from spark_tui.tui.seat import Seat
from spark_tui.tui.switching import Open, open_ready
from spark_tui.tui.themes import Theme


@dataclass(frozen=True)
class Start:
    """What is known before the session is: where, with which settings and from where they come, how to open
    it, how to open another model, and how to read the settings again."""

    root: Path
    settings: Settings
    open: Callable[[], Seat]
    origin: Mapping[str, str] = field(default_factory=dict)
    tour: bool = False
    past: Callable[[], Iterable[Event]] = tuple
    """What happened in a kept session before, once it is open."""
    open_model: Open = open_ready
    load: Callable[[], Loaded] | None = None
    shared_root: Path | None = None
    """The repository whose settings file counts."""

    def preferences(self) -> Preferences:
        loaded = Loaded(self.settings, self.origin, ())
        return Preferences(loaded, self.load or (lambda: config.load(self.shared_root)), self.shared_root)


@dataclass(frozen=True)
class Reopen:
    """The result of an app that is to be followed by one with another session."""

    session_id: str


class Wardrobe(Protocol):
    """The themes, as the screen sees them."""

    def names(self) -> list[str]: ...
    def next(self) -> Theme: ...
    def named(self, name: str) -> Theme | None: ...
    def problem(self) -> str: ...
