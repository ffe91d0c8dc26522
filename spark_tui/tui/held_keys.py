"""Keys that were typed for a screen that comes after the one that got them."""

from __future__ import annotations

from collections.abc import Callable

from textual import events


class HeldKeys:
    """Filled by a screen that goes away, and handed on once it is gone: nothing more can come then."""

    def __init__(self) -> None:
        self._keys: list[events.Key] = []
        self._closed = False
        self._then: Callable[[list[events.Key]], None] | None = None

    def add(self, event: events.Key) -> None:
        self._keys.append(event)

    def close(self) -> None:
        self._closed = True
        self._deliver()

    def when_closed(self, then: Callable[[list[events.Key]], None]) -> None:
        """Call this with the keys, now or when the last one has come."""
        self._then = then
        self._deliver()

    def _deliver(self) -> None:
        if self._closed and self._then is not None:
            then, self._then = self._then, None
            then(self._keys)
