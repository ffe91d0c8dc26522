"""Prefills what Enter would send while the user types, so that Enter finds a warm cache.

It sends `warm` requests from its own thread: at the first key, and again when the user pauses or has typed
for a while. A turn has priority, a draft about other files stops it, nothing is read twice, and at most
`MOST_WINDOWS` windows are read for one draft.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from threading import Event as StopFlag

from spark_tui.backends.base import Backend, Exchange, FilePart, Request
from spark_tui.context.shown_context import ContextRequest
from spark_tui.session.draft_thread import DraftThread
from spark_tui.session.model.context_builder import ContextBuilder
from spark_tui.workspace.files import Tree

MOST_SECONDS = 0.3
"""While a person types without a pause, a read begins this often."""
MOST_WINDOWS = 2
_LOOK_SECONDS = 0.05
_REMEMBERED = 6

Key = tuple[str, tuple[FilePart, ...]]


class CacheWarmer:
    """One for each session. `drafts` gets what is typed; closing it waits for one forward pass at most."""

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
        self.drafts = DraftThread(self._read, "spark-warm", MOST_SECONDS)
        self._lock = threading.Lock()
        self._warm: list[Key] = []
        """What was read to its end, the latest last."""
        self.hits = 0
        """Requests of turns whose files had been read ahead."""

    def turn_begins(self, requests: Sequence[Request]) -> None:
        """Stop reading ahead, and count hits."""
        self.drafts.drop()
        with self._lock:
            for request in requests:
                self.hits += _key(request) in self._warm
                self._note(_key(request))

    def use(self, backend: Backend) -> None:
        """Switch to another backend, whose cache is cold."""
        self.drafts.drop()
        with self._lock:
            self._backend = backend
            self._warm.clear()

    def _read(self, ask: ContextRequest, stop: StopFlag) -> None:
        history = tuple(self._history())
        shown = self._context.shown(ask, self._make_tree().read_lines, history, look_seconds=_LOOK_SECONDS)
        backend = self._backend
        for request in self._context.requests(ask, shown, history)[:MOST_WINDOWS]:
            key = _key(request)
            if not request.files or key in self._warm:
                continue
            for _ in backend.stream(replace(request, kind="warm"), stop):
                if self._leads_elsewhere(ask):
                    stop.set()
            if stop.is_set():
                return
            with self._lock:
                if backend is self._backend:
                    self._note(key)

    def _leads_elsewhere(self, ask: ContextRequest) -> bool:
        """Whether a newer draft is about other files. If it is about the same files, the read continues."""
        newer = self.drafts.newer
        return newer is not None and (newer.in_view, newer.files) != (ask.in_view, ask.files)

    def _note(self, key: Key) -> None:
        if key in self._warm:
            self._warm.remove(key)
        self._warm.append(key)
        del self._warm[:-_REMEMBERED]


def _key(request: Request) -> Key:
    return request.rules, request.files
