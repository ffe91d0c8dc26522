"""What the helpers of the workbench ask of it in common. A helper adds the members that it alone needs in a
protocol of its own, so that no helper imports the screen."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from textual.screen import Screen

from spark_tui.tui.settings.keys import Keymap
from spark_tui.tui.settings.themes import Palette


class MessageHost(Protocol):
    """Shows messages on the status line."""

    @property
    def keymap(self) -> Keymap: ...

    def show_message(self, text: str, problem: bool = False) -> None: ...

    def paint_status(self) -> None: ...


class TaskHost(Protocol):
    """Runs coroutines without holding up the keys."""

    def start_task(self, function: Callable[[], Awaitable[None]]) -> None: ...


class OverlayHost(MessageHost, TaskHost, Protocol):
    """Puts other screens on top of itself."""

    @property
    def palette(self) -> Palette: ...

    def push_overlay(self, screen: Screen[Any], take: Callable[[Any], None] | None = None) -> None: ...
