"""Every limit of the server in one place, and the rate limit of a key."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ServerLimits:
    """What a client may take. `docs/serve.md` lists each with its flag."""

    active: int = 16
    """Turns that run at the same time."""
    queued: int = 64
    """Turns that wait; one more is told to come back later."""
    connections: int = 512
    """Open connections; one more is closed at once."""
    turns_per_connection: int = 8
    """Turns that one WebSocket may have open."""
    message_bytes: int = 8 << 20
    """A WebSocket message or a request body."""
    prompt_tokens: int = 0
    """Tokens of a prompt; 0 leaves it to the model's window."""
    output_tokens: int = 8192
    """Tokens that one turn may write, whatever it asks for."""
    backlog_bytes: int = 64 << 10
    """Text that waits for a client that does not read, before its turn is paused."""
    join_seconds: float = 0.016
    """Tokens that come this soon after the last message share the next one: a frame of a usual screen. What
    comes up to the first text is never held."""
    stalled_seconds: float = 30.0
    """How long a turn stays paused before the client is dropped."""
    header_seconds: float = 10.0
    """How long a new connection may take to say what it wants."""
    body_seconds: float = 30.0
    """How long a request body may take to arrive."""
    reading_seconds: float = 30.0
    """How long an exact edit may be looked for, before a model could be asked."""
    drain_seconds: int = 20
    """How long running turns may go on once the server is told to stop."""
    keep_seconds: float = 600.0
    """How long a turn that lost its client can be resumed, and a finished one named as the previous."""
    store_bytes: int = 64 << 20
    """Memory of all responses that are kept; the least recently used goes first."""
    known_bytes: int = 256 << 20
    """Memory of the texts that connections refer to by their digest; the least recently used goes first."""
    realtime_per_minute: int = 0
    """Turns a minute and key, 0 for no bound."""
    background_per_minute: int = 0
    """The same for turns that run without their client (`background: true`)."""


class RateLimiter:
    """Token buckets, one a key: a minute's worth may come at once, then they come back evenly."""

    def __init__(
        self, per_minute: int, *, clock: Callable[[], float] = time.monotonic, keys: int = 4096
    ) -> None:
        self._per_minute = per_minute
        self._clock = clock
        self._most = keys
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, key: str) -> float:
        """0 when the key may go on (and it is counted), else the seconds until it may."""
        if not self._per_minute:
            return 0.0
        now, rate = self._clock(), self._per_minute / 60.0
        level, at = self._buckets.pop(key, (float(self._per_minute), now))
        level = min(float(self._per_minute), level + (now - at) * rate)
        wait = 0.0 if level >= 1.0 else (1.0 - level) / rate
        self._buckets[key] = (level - 1.0 if not wait else level, now)
        while len(self._buckets) > self._most:
            self._buckets.popitem(last=False)
        return wait
