"""Asks for ghost text at a pause in typing, off the event loop, and drops answers that come too
late. At most one question is open; the next key cancels it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from threading import Event as StopFlag

from spark_tui.tui.background_work import call_on_loop
from spark_tui.tui.text.buffer import TextBuffer

PAUSE_SECONDS = 0.12
_READ_BEFORE, _READ_AFTER = 2_000, 1_000
"""Lines around the caret that are passed on."""

Ask = Callable[[Sequence[str], int, int, StopFlag], str]


class GhostWriter:
    """One for a workbench."""

    def __init__(self, ask: Ask, show: Callable[[TextBuffer, str], None]) -> None:
        self._ask = ask
        self._show = show
        self._timer: asyncio.TimerHandle | None = None
        self._stop = StopFlag()
        self._turn = threading.Lock()
        """Held while the model is asked: a question waits here until the one before has ended, within a
        pass."""

    def typed(self, buffer: TextBuffer) -> None:
        """The text has changed: ask once it stays as it is for a moment."""
        self.cancel()
        if buffer.selection is None and not buffer.line[buffer.column :].strip():
            self._timer = asyncio.get_running_loop().call_later(PAUSE_SECONDS, self._begin, buffer)

    def cancel(self) -> None:
        """Drop the open question."""
        self._stop.set()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _begin(self, buffer: TextBuffer) -> None:
        self._timer = None
        self._stop = stop = StopFlag()
        loop, version, at = asyncio.get_running_loop(), buffer.version, buffer.at
        first = max(at[0] - _READ_BEFORE, 0)
        lines = buffer.lines[first : at[0] + _READ_AFTER]

        def come(text: str) -> None:
            if not stop.is_set() and (buffer.version, buffer.at) == (version, at):
                self._show(buffer, text)

        def ask() -> None:
            with self._turn:
                text = "" if stop.is_set() else self._ask(lines, at[0] - first, at[1], stop)
            if text and not stop.is_set():
                call_on_loop(loop, come, text)

        threading.Thread(target=ask, name="spark-ghost", daemon=True).start()
