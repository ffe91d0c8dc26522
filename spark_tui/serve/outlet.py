"""A turn's way out of a WebSocket: what is logged is written at once, without a task between.

Comes in: turns, and the wire of one connection. Goes out: writes, several messages at a time. Must not know: events,
what messages mean. All on the event loop's thread.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol

from spark_tui.serve.turn import Turn

_PATIENCE_SECONDS = 0.02


class Wire(Protocol):
    """One connection, past the web framework: no queue and no task between it and what is written or read."""

    on_text: Callable[[str], None] | None
    """Called with each text message."""

    on_writable: Callable[[], None] | None
    """Called when it takes more again."""

    def send_texts(self, texts: list[str]) -> None: ...
    def is_writable(self) -> bool: ...
    def pause_reading(self) -> None: ...
    def resume_reading(self) -> None: ...
    def abort(self) -> None: ...


class Outlet:
    """Follows a turn, then what succeeds it, to the end; then says so once.

    `patient`: that the response exists is said a moment later, where nothing else has said it by then.
    """

    def __init__(self, wire: Wire, turn: Turn, after: int, *, patient: bool, done: Callable[[Outlet], None]) -> None:
        self.turn = turn
        self._wire = wire
        self._at = after
        self._done = done
        self._timer: asyncio.TimerHandle | None = None
        self._closed = False
        self._due = False
        self._loop = asyncio.get_running_loop()
        if patient and not turn.log:
            self._timer = self._loop.call_later(_PATIENCE_SECONDS, turn.open)
        self._attach(after)

    def notify(self) -> None:
        """Something was logged. What else is logged in this round of the loop goes into the same write."""
        if self.turn.state == "over":
            # Nothing else will be.
            self.pump()
        elif not self._due:
            self._due = True
            self._loop.call_soon(self.pump)

    def pump(self) -> None:
        """Write what is new, unless the client is behind."""
        self._due = False
        while not self._closed and self._wire.is_writable():
            turn = self.turn
            ready = turn.log[self._at :]
            if ready:
                if self._timer is not None:
                    self._timer.cancel()
                    self._timer = None
                self._at += len(ready)
                self._wire.send_texts(ready)
                turn.was_read(self._at)
            elif turn.state not in ("over", "suspended"):
                return
            elif turn.successor is None:
                self.close()
                self._done(self)
            else:
                self._detach()
                self.turn = turn.successor
                self._attach(0)

    def close(self) -> None:
        """Follow nothing any more."""
        self._closed = True
        self._detach()
        if self._timer is not None:
            self._timer.cancel()

    def _attach(self, after: int) -> None:
        self._at = after
        self.turn.listeners.append(self.notify)
        self.turn.on_stalled = self._wire.abort
        self.turn.was_read(after)

    def _detach(self) -> None:
        if self.notify in self.turn.listeners:
            self.turn.listeners.remove(self.notify)
