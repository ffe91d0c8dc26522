"""Backends that push: they deliver a turn's events from a thread of their own, one batch a pass."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from queue import SimpleQueue
from threading import Event as StopFlag
from typing import Protocol, runtime_checkable

from spark_tui.backends.base import Request
from spark_tui.backends.local.engine_thread import EitherStop
from spark_tui.events import Event


class EventSink(Protocol):
    """Who asked. Called on the backend's thread, so none of it may wait."""

    @property
    def background(self) -> bool:
        """Nobody waits for it: it gives way to those who do."""

    def put(self, *events: Event) -> None:
        """What one pass brought."""

    def ready(self) -> bool:
        """False pauses the turn: it is left out until it is true again."""

    def end(self, error: Exception | None, engine_seconds: float, first_seconds: float, *last: Event) -> None:
        """`last` is what its last pass brought."""


@runtime_checkable
class PushBackend(Protocol):
    """What such a backend has besides the contract of all."""

    def submit(self, request: Request, stop: StopFlag, sink: EventSink) -> None:
        """Take a turn and return. Errors go to the sink like everything else."""


def pull_events(
    submit: Callable[[Request, StopFlag, EventSink], None], request: Request, stop: StopFlag
) -> Iterator[Event]:
    """The contract of a backend for one turn of one that pushes. Leaving the iterator stops the turn."""
    gone = EitherStop(stop)
    sink = _Queue()
    submit(request, gone, sink)
    try:
        while (item := sink.events.get()) is not None:
            if isinstance(item, Exception):
                raise item
            yield item
    finally:
        gone.set()


class _Queue:
    """A sink that an iterator reads. `None` is its end."""

    background = False

    def __init__(self) -> None:
        self.events: SimpleQueue[Event | Exception | None] = SimpleQueue()

    def put(self, *events: Event) -> None:
        for event in events:
            self.events.put(event)

    def ready(self) -> bool:
        return True

    def end(
        self,
        error: Exception | None,
        engine_seconds: float,  # noqa: ARG002
        first_seconds: float,  # noqa: ARG002
        *last: Event,
    ) -> None:
        self.put(*last)
        self.events.put(error)
