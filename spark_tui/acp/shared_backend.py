"""One model of this machine for all sessions of a process."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from threading import Event as StopFlag
from typing import Any

from spark_tui.backends.base import Backend, Request
from spark_tui.events import Event

_LOOK_SECONDS = 0.05


class SharedBackend:
    """Answers of several sessions come one after the other. Closing a session leaves the model open for the
    others; whoever opened it closes it."""

    def __init__(self, backend: Backend, lock: threading.Lock) -> None:
        self._backend, self._lock = backend, lock

    def __getattr__(self, name: str) -> Any:
        return getattr(self._backend, name)

    def stream(self, request: Request, stop: StopFlag) -> Iterator[Event]:
        """Wait for the answer before, then stream. A stop ends the waiting, too."""
        while not self._lock.acquire(timeout=_LOOK_SECONDS):
            if stop.is_set():
                return
        try:
            yield from self._backend.stream(request, stop)
        finally:
            self._lock.release()

    def close(self) -> None:
        """Nothing: other sessions use it."""
