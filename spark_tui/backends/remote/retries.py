"""How often and how long a server that is busy or unreachable is waited for."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from spark_tui.backends.remote.endpoint import ServerBusy
from spark_tui.backends.remote.transport import ConnectionLost

SHOWN_SECONDS = 0.5
"""Shorter pauses are not worth a word."""
_FIRST_SECONDS, _OVERLOADED_SECONDS = 0.2, 2.0
"""Bounds of the first pause. A server that loads its model, or counts requests a minute, needs the longer."""
_LONGEST_BOUND_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class RetryLimits:
    """Before the first token of an answer the server is asked `attempts` times; a pause that it asks for is
    kept up to `longest_seconds`."""

    attempts: int = 5
    longest_seconds: float = 60.0
    jitter: Callable[[], float] = random.random

    def pause(self, attempt: int, error: Exception) -> float | None:
        """Seconds before the attempt after this one (0 is the first), None where there is none. A random
        pause up to a bound that doubles, and at least half of it where the server needs time. It respects the
        server's retry-after and adds a little, so that clients that got the same value do not return
        together."""
        if attempt >= self.attempts - 1 or self.asks_too_much(error):
            return None
        if isinstance(error, ConnectionLost) and not error.may_pass:
            return None
        busy = error if isinstance(error, ServerBusy) else None
        asked = busy.after if busy else 0.0
        takes_time = busy is not None and busy.overloaded and not asked
        first = _OVERLOADED_SECONDS if takes_time else _FIRST_SECONDS
        bound = min(first * 2.0**attempt, _LONGEST_BOUND_SECONDS, self.longest_seconds)
        share = float(self.jitter())
        return asked + bound * ((1 + share) / 2 if takes_time else share)

    def asks_too_much(self, error: Exception) -> bool:
        """Whether the server asks for a longer pause than anyone waits for."""
        return isinstance(error, ServerBusy) and error.after > self.longest_seconds


USUAL_RETRIES = RetryLimits()
