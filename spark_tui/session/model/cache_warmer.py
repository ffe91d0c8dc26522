"""Prefills what Enter would send while the user types, so that Enter finds a warm cache.

It sends `warm` requests from its own thread: at the first key, and again when the user pauses or has typed
for a while. A turn has priority, a draft about other files stops it, nothing is read twice, and at most
`MOST_WINDOWS` windows are read for one draft.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from threading import Event as StopFlag

from spark_tui.backends.base import Backend, Exchange, FilePart, Request
from spark_tui.context.shown_context import ContextRequest
from spark_tui.errors import SparkError
from spark_tui.session.model.context_builder import ContextBuilder
from spark_tui.workspace.files import Tree

QUIET_SECONDS = 0.15
MOST_SECONDS = 0.3
"""While a person types without a pause, a read begins this often."""
MOST_WINDOWS = 2
_LOOK_SECONDS = 0.05
_REMEMBERED = 6

Key = tuple[str, tuple[FilePart, ...]]


class CacheWarmer:
    """One for each session. `draft` never blocks; `close` waits for one forward pass at most."""

    def __init__(
        self,
        backend: Backend,
        context: ContextBuilder,
        make_tree: Callable[[], Tree],
        history: Callable[[], Sequence[Exchange]],
    ) -> None:
        self._backend = backend
        self._context = context
        self._make_tree = make_tree
        self._history = history
        self._quiet_seconds = QUIET_SECONDS
        self._last = float("-inf")
        """The time of the last key."""
        self._latest = 0.0
        self._changed = threading.Condition()
        self._wanted: ContextRequest | None = None
        self._due = 0.0
        self._stop = StopFlag()
        self._busy = False
        self._closed = False
        self._thread: threading.Thread | None = None
        self._warm: list[Key] = []
        """What was read to its end, the latest last."""
        self.hits = 0
        """Requests of turns whose files had been read ahead."""

    def draft(self, ask: ContextRequest) -> None:
        """What would be asked if Enter were pressed now."""
        with self._changed:
            if self._closed:
                return
            now = time.monotonic()
            if self._wanted is None:
                # The first key reads at once; while keys follow, a read begins every `MOST_SECONDS`.
                idle = now - self._last > MOST_SECONDS
                self._latest = now + (0.0 if idle else MOST_SECONDS)
            self._wanted, self._due = ask, min(now + self._quiet_seconds, self._latest)
            self._last = now
            if self._thread is None:
                self._thread = threading.Thread(target=self._serve, name="spark-warm", daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def turn_begins(self, requests: Sequence[Request]) -> None:
        """Stop reading ahead, and count hits."""
        with self._changed:
            self._wanted = None
            self._stop.set()
            for request in requests:
                self.hits += _key(request) in self._warm
                self._note(_key(request))

    def use(self, backend: Backend) -> None:
        """Switch to another backend, whose cache is cold."""
        with self._changed:
            self._backend = backend
            self._wanted = None
            self._stop.set()
            self._warm.clear()

    def settle(self, seconds: float) -> bool:
        """Wait until nothing is left to read ahead. False where that takes longer than `seconds`."""
        with self._changed:
            return self._changed.wait_for(lambda: self._wanted is None and not self._busy, seconds)

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
            with contextlib.suppress(SparkError):  # what cannot be read ahead is said when it is asked
                self._read(ask)
            with self._changed:
                self._busy = False
                self._changed.notify_all()

    def _next(self) -> ContextRequest | None:
        """The latest draft, once it is due; None once the warmer is closed."""
        with self._changed:
            while not self._closed:
                if self._wanted is None:
                    self._changed.wait()
                elif (left := self._due - time.monotonic()) > 0:
                    self._changed.wait(left)
                else:
                    ask, self._wanted = self._wanted, None
                    self._busy, self._stop = True, StopFlag()
                    return ask
            return None

    def _read(self, ask: ContextRequest) -> None:
        history = tuple(self._history())
        shown = self._context.shown(ask, self._make_tree().read_lines, history, look_seconds=_LOOK_SECONDS)
        backend = self._backend
        for request in self._context.requests(ask, shown, history)[:MOST_WINDOWS]:
            key = _key(request)
            if not request.files or key in self._warm:
                continue
            for _ in backend.stream(replace(request, kind="warm"), self._stop):
                if self._leads_elsewhere(ask):
                    self._stop.set()
            if self._stop.is_set():
                return
            with self._changed:
                if backend is self._backend:
                    self._note(key)

    def _leads_elsewhere(self, ask: ContextRequest) -> bool:
        """Whether a newer draft is about other files. If it is about the same files, the read continues."""
        newer = self._wanted
        return newer is not None and (newer.in_view, newer.files) != (ask.in_view, ask.files)

    def _note(self, key: Key) -> None:
        if key in self._warm:
            self._warm.remove(key)
        self._warm.append(key)
        del self._warm[:-_REMEMBERED]


def _key(request: Request) -> Key:
    return request.rules, request.files
