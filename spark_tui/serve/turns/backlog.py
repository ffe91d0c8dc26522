"""How far a client lags behind its turn's messages; pauses the turn while that is too far."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence

from spark_tui.serve.limits import ServerLimits


class Backlog:
    """Counts what was logged and what was read. A pause ends when the reader has caught up by half.

    Everything but `room` belongs to the loop's thread.
    """

    def __init__(self, limits: ServerLimits, loop: asyncio.AbstractEventLoop) -> None:
        self._limits = limits
        self._loop = loop
        self._read_upto = 0
        self._stall_timer: asyncio.TimerHandle | None = None
        self.logged_bytes = 0
        self.read_bytes = 0
        self.pauses = 0
        self.room: threading.Event | None = None
        """Present while the turn is paused, and set when the pause ends."""

    @property
    def unread_bytes(self) -> int:
        return self.logged_bytes - self.read_bytes

    @property
    def full(self) -> bool:
        """Whether the reader is further behind than the limit allows."""
        return self.unread_bytes > self._limits.backlog_bytes

    def pause(self, on_stall: Callable[[], None]) -> None:
        """Pause the turn. `on_stall` is called if the reader takes too little for the whole limit."""
        if self.room is None:
            self.room = threading.Event()
            self.pauses += 1
            self._stall_timer = self._loop.call_later(self._limits.stalled_seconds, on_stall)

    def resume(self) -> None:
        """End the pause. The stall timer keeps running."""
        room, self.room = self.room, None
        if room is not None:
            room.set()

    def cancel_stall(self) -> None:
        if self._stall_timer is not None:
            self._stall_timer.cancel()
            self._stall_timer = None

    def was_read(self, log: Sequence[str], upto: int) -> None:
        """The reader has taken the messages before number `upto`."""
        if upto < self._read_upto:
            self.read_bytes, self._read_upto = 0, 0
        self.read_bytes += sum(map(len, log[self._read_upto : upto]))
        self._read_upto = upto
        if self.room is not None and self.unread_bytes <= self._limits.backlog_bytes // 2:
            self.cancel_stall()
            self.resume()
