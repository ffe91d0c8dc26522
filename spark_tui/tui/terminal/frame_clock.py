"""Decides when the screen is painted: at once, but never three times within two sixtieths of a second.

Textual paints on a fixed raster and may sleep over a beat: a key pressed while the model wrote waited up to
28 ms for a frame that takes 3. Two frames may follow each other closely, so that a key need not wait for what
the model has just written.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from textual.screen import Screen

    _Mixed = Screen[Any]
else:
    _Mixed = object

FRAME_SECONDS = 1 / 60
GATHER_SECONDS = 0.002
"""One batch changes several widgets, each in its own iteration of the loop: they share one frame."""


class FrameClock:
    """Takes the place of a Textual timer, with the same two methods."""

    def __init__(self, paint: Callable[[], None]) -> None:
        self._paint = paint
        self._due: asyncio.TimerHandle | None = None
        self._last = self._before = 0.0

    def resume(self) -> None:
        """Something needs painting."""
        if self._due is None:
            loop = asyncio.get_running_loop()
            at = max(self._before + 2 * FRAME_SECONDS, loop.time() + GATHER_SECONDS)
            self._due = loop.call_at(at, self._now, loop)

    def pause(self) -> None:
        """It has been painted by other means."""
        if self._due is not None:
            self._due.cancel()
            self._due = None

    def _now(self, loop: asyncio.AbstractEventLoop) -> None:
        self._due, self._before, self._last = None, self._last, loop.time()
        self._paint()


class PaintsOnTime(_Mixed):
    """Mixed into a screen: it has such a clock."""

    @cached_property
    def painted(self) -> asyncio.Event:
        """Set once the screen was first painted."""
        return asyncio.Event()

    @cached_property
    def _update_timer(self) -> FrameClock:  # type: ignore[override]
        return FrameClock(self._paint_in_time)

    def _compositor_refresh(self) -> None:
        """While changes are gathered Textual would draw all of it, and show none."""
        if not self.app._batch_count:
            super()._compositor_refresh()
            self.painted.set()

    def _paint_in_time(self) -> None:
        if not self.app._exit:
            try:
                self._on_timer_update()
            except Exception as error:
                self.app._handle_exception(error)
