"""A stop that comes a while after something has begun, and how long it is until it is honoured."""

from __future__ import annotations

import threading
import time


class TimedStop:
    """Sets `flag` after so many seconds."""

    def __init__(self, delay: float) -> None:
        self.flag = threading.Event()
        self._set_at = 0.0
        self._timer = threading.Timer(delay, self._set)

    def start(self) -> None:
        self._timer.start()

    def _set(self) -> None:
        self._set_at = time.perf_counter()
        self.flag.set()

    def honoured(self) -> float:
        """Seconds from the stop until now; 0 where all had ended before it."""
        now = time.perf_counter()
        self._timer.join()
        return max(now - self._set_at, 0.0)
