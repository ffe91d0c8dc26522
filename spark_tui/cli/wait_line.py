"""What a command waits for, with the seconds: one line of stderr that is rewritten, and erased before
anything else is printed. Where stderr is no terminal, a line of its own, ever less often."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable

from spark_tui import events
from spark_tui.errors import visible
from spark_tui.events import Event

_QUIET_SECONDS = 1.0
"""So long nothing is printed before the line appears."""
_LOOK_SECONDS = 0.25
_STALL_SECONDS = 5.0
_LOG_SECONDS = 10.0
"""So long nothing happens before a log has its first line of it; the next comes after twice the time."""
_LONG_PROMPT = 2000
"""Tokens; a shorter one is read before anybody could follow it."""
_CLEARED = "\r\x1b[K"
_WRITES = (events.Token, events.HunkText, events.ToolOutput)


class WaitLine:
    """Between `with` and its end. `held` says that the terminal's line has words on it."""

    def __init__(self, words: str = "working", held: Callable[[], bool] = lambda: False) -> None:
        self._held = held
        self._model = ""
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._shown = False
        self._words, self._since = words, time.monotonic()
        self._share = -1
        self._printed = self._noted = self._since
        self._log_after = _LOG_SECONDS
        self._heard: float | None = None
        """When the last event came that the next one should follow soon."""

    def __enter__(self) -> WaitLine:
        keep = self._keep if sys.stderr.isatty() else self._log
        threading.Thread(target=keep, daemon=True, name="spark-wait-line").start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self.erase()

    def wait_for(self, words: str) -> None:
        """It is something else from now on."""
        if words != self._words:
            self._words, self._since = words, time.monotonic()

    def note(self, event: Event) -> None:
        """The next event of a turn; what is printed of it comes after this."""
        self._heard = self._noted = time.monotonic()
        # A pause was announced with its length.
        pause = event.seconds if isinstance(event, events.Retrying) else 0.0
        self._log_after = pause + _LOG_SECONDS
        if isinstance(event, _WRITES):
            self.wait_for(f"{self._model} is writing")
            return
        if isinstance(event, events.Reasoning):
            self.wait_for(f"{self._model} is thinking")
            return
        if isinstance(event, events.PrefillProgress):
            share = 100 * event.done // max(event.total, 1)
            if event.total >= _LONG_PROMPT and share != self._share:
                self._share, self._words = share, f"reading {event.done:,} of {event.total:,} tokens"
                self._draw()
            return
        self._heard = None
        if isinstance(event, events.TurnStarted):
            self._model = event.backend
        if isinstance(event, events.ToolCalled):
            self.wait_for(f"calling {event.name}")
        elif isinstance(event, (events.TurnStarted, events.Steered, events.Retrying, events.ToolFinished)):
            self.wait_for(f"waiting for {self._model}")
        self.erase()

    def erase(self) -> None:
        """Something else is printed now."""
        with self._lock:
            self._printed = time.monotonic()
            if self._shown:
                self._shown = False
                print(_CLEARED, end="", file=sys.stderr, flush=True)

    def _keep(self) -> None:
        while not self._over.wait(_LOOK_SECONDS):
            if time.monotonic() - self._printed >= _QUIET_SECONDS:
                self._draw()

    def _log(self) -> None:
        while not self._over.wait(_LOOK_SECONDS):
            silence = time.monotonic() - self._noted
            with self._lock:
                if silence < self._log_after or self._held() or self._over.is_set():
                    continue
                self._log_after *= 2
                print(visible(f"spark: {self._words}, {silence:.0f} s"), file=sys.stderr, flush=True)

    def _draw(self) -> None:
        with self._lock:
            if self._held() or self._over.is_set() or not sys.stderr.isatty():
                return
            now = time.monotonic()
            silence = now - (self._heard or now)
            stalls = f", no data for {silence:.0f} s" if silence >= _STALL_SECONDS else ""
            since = now - self._since
            stop = "; Ctrl+C stops" if since >= _STALL_SECONDS else ""
            line = visible(f"{self._words}, {since:.0f} s{stalls}{stop}")
            self._shown = True
            print(f"{_CLEARED}{line[: _width() - 1]}", end="", file=sys.stderr, flush=True)


def _width() -> int:
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or 80
    except (OSError, ValueError):
        return 80
