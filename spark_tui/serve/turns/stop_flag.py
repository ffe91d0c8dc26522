"""A stop flag that creates its lock only when something waits for it.

Each turn has one, and almost none is waited for: workers check it between two passes.
"""

from __future__ import annotations

import threading


class LazyStopFlag(threading.Event):
    """As `threading.Event`. The event that is waited on is made by the first who waits."""

    def __init__(self) -> None:
        self._is_set = False
        self._waited: threading.Event | None = None

    def is_set(self) -> bool:
        return self._is_set

    def set(self) -> None:
        self._is_set = True
        if self._waited is not None:
            self._waited.set()

    def clear(self) -> None:
        """A turn is stopped once; what goes on has a flag of its own."""
        raise NotImplementedError

    def wait(self, timeout: float | None = None) -> bool:
        if self._waited is None:
            with _making:
                self._waited = self._waited or threading.Event()
        # Who sets it from here on finds the event; who had set it before is seen now.
        return self._is_set or self._waited.wait(timeout)


_making = threading.Lock()
