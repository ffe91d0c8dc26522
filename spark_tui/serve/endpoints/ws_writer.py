"""Writes a turn's log to a WebSocket: what is logged is sent at once, several messages in one write."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol

from spark_tui.serve.turns.turn import ServedTurn


class MessageSocket(Protocol):
    """One connection, past the web framework: no queue and no task between it and what is written or read."""

    on_text: Callable[[str], None] | None
    """Called with each text message."""

    is_behind: bool
    """It takes no more for now."""

    on_writable: Callable[[], None] | None
    """Called when it takes more again."""

    on_shutdown: Callable[[], bool] | None
    """Called when the server stops; true lets it close the connection at once."""

    def send_texts(self, texts: list[str]) -> None: ...
    def pause_reading(self) -> None: ...
    def resume_reading(self) -> None: ...
    def abort(self) -> None: ...
    def shutdown(self) -> None: ...


class TurnWriter:
    """Follows a turn, then what succeeds it, to the end; then says so once."""

    def __init__(
        self,
        wire: MessageSocket,
        loop: asyncio.AbstractEventLoop,
        turn: ServedTurn,
        after: int,
        done: Callable[[TurnWriter], None],
    ) -> None:
        self.turn = turn
        self._wire = wire
        self._done = done
        self._closed = False
        self._due = False
        self._loop = loop
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
        while not self._closed and not self._wire.is_behind:
            turn = self.turn
            ready = turn.log[self._at :]
            if ready:
                self._at += len(ready)
                self._wire.send_texts(ready)
                turn.was_read(self._at)
            if turn.state not in ("over", "suspended") or self._at < len(turn.log):
                return
            if turn.successor is None:
                self.close()
                self._done(self)
            else:
                self._detach()
                self.turn = turn.successor
                self._attach(0)

    def close(self) -> None:
        """Follow nothing any more."""
        if not self._closed:
            self._closed = True
            self._detach()

    def _attach(self, after: int) -> None:
        self._at, turn = after, self.turn
        turn.listeners.append(self.notify)
        turn.readers.append(self._wire.abort)
        if turn.log:
            turn.was_read(after)

    def _detach(self) -> None:
        self.turn.listeners.remove(self.notify)
        self.turn.readers.remove(self._wire.abort)
