"""Does something with what a person types, in a thread of its own, once the keys are quiet."""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Callable
from threading import Event as StopFlag

from spark_tui.context.shown_context import ContextRequest

_LOG = logging.getLogger("spark.session")
QUIET_SECONDS = 0.15


class DraftThread:
    """Calls `work` with the latest draft and a stop flag, one draft at a time. An error in it ends that one
    only. `draft` never blocks; `close` waits a moment for what runs."""

    def __init__(
        self, work: Callable[[ContextRequest, StopFlag], None], name: str, at_least_every: float = math.inf
    ) -> None:
        """`at_least_every`: while a person types without a pause, work begins this often, at the first key at
        once. Without it, each draft waits for a pause."""
        self._work, self._name, self._most_seconds = work, name, at_least_every
        self.quiet_seconds = QUIET_SECONDS
        self._last = -math.inf
        """The time of the last key."""
        self._latest = 0.0
        self._changed = threading.Condition()
        self._wanted: ContextRequest | None = None
        self._due = 0.0
        self._stop = StopFlag()
        self._running: ContextRequest | None = None
        self._closed = False
        self._thread: threading.Thread | None = None

    @property
    def newer(self) -> ContextRequest | None:
        """The draft that waits for the one that runs."""
        return self._wanted

    def draft(self, ask: ContextRequest) -> None:
        """What would be asked if Enter were pressed now."""
        with self._changed:
            if self._closed:
                return
            now = time.monotonic()
            if self._wanted is None:
                idle = now - self._last > self._most_seconds
                self._latest = now + (0.0 if idle else self._most_seconds)
            self._wanted, self._due = ask, min(now + self.quiet_seconds, self._latest)
            self._last = now
            if self._thread is None:
                self._thread = threading.Thread(target=self._serve, name=self._name, daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def drop(self, but: str | None = None) -> None:
        """Nothing is wanted any more; what runs is stopped, unless it is for these words."""
        with self._changed:
            self._wanted = None
            if self._running is None or self._running.instruction != but:
                self._stop.set()
            self._changed.notify_all()

    def settle(self, seconds: float) -> bool:
        """Wait until nothing is left to do. False where that takes longer than `seconds`."""
        with self._changed:
            return self._changed.wait_for(lambda: self._wanted is None and self._running is None, seconds)

    def close(self) -> None:
        with self._changed:
            self._closed, self._wanted = True, None
            self._stop.set()
            self._changed.notify_all()
            thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join(5.0)

    def _serve(self) -> None:
        while (ask := self._next()) is not None:
            try:
                self._work(ask, self._stop)
            except Exception as error:  # whoever sends it meets the error again, and is told
                _LOG.info("a draft was given up: %r", error)
            with self._changed:
                self._running = None
                self._changed.notify_all()

    def _next(self) -> ContextRequest | None:
        """The latest draft, once it is due; None once this is closed."""
        with self._changed:
            while not self._closed:
                if self._wanted is None:
                    self._changed.wait()
                elif (left := self._due - time.monotonic()) > 0:
                    self._changed.wait(left)
                else:
                    ask, self._wanted = self._wanted, None
                    self._running, self._stop = ask, StopFlag()
                    return ask
            return None
