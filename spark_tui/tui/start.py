"""What the workbench is given before a session is open.

Comes in: nothing. Goes out: two shapes. Must not know: widgets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from spark_tui.config import Settings
from spark_tui.events import Event
from spark_tui.tui.seat import Seat
from spark_tui.tui.themes import Theme


@dataclass(frozen=True)
class Start:
    """What is known before the session is: where, with which settings and from where they come, and how to open it."""

    root: Path
    settings: Settings
    open: Callable[[], Seat]
    origin: Mapping[str, str] = field(default_factory=dict)
    tour: bool = False
    past: Callable[[], Iterable[Event]] = tuple
    """What happened in a kept session before, once it is open."""


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
