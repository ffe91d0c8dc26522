"""One thread that owns the engine and runs work by priority: edit before fill before warm.

`EngineWork` can be run, stopped and resumed; the caller reads its events from a `Ticket`. Work of a lower
priority is stopped between two passes as soon as work of a higher one arrives, and resumes after it; the warm
cache makes that cheap, because nothing is computed twice.
"""

from __future__ import annotations

import heapq
import threading
import time
from collections.abc import Callable, Iterator
from queue import Empty, SimpleQueue
from threading import Event as StopFlag
from typing import Protocol

from spark_tui.backends.base import Kind
from spark_tui.errors import NoBackend
from spark_tui.events import Event, Waited

PRIORITY: dict[Kind, int] = {"edit": 0, "raw": 0, "fill": 1, "warm": 2}
_LOOK_SECONDS = 0.01
"""How often a waiting asker looks at its own stop flag."""


class EitherStop(StopFlag):
    """Set when it or another flag is."""

    def __init__(self, other: StopFlag) -> None:
        super().__init__()
        self._other = other

    def is_set(self) -> bool:
        return super().is_set() or self._other.is_set()


Emit = Callable[[Event], None]


class EngineWork(Protocol):
    def run(self, stop: StopFlag, emit: Emit) -> bool:
        """Do some or all of the work. Returns False if it was stopped; calling `run` again resumes it."""


class Ticket:
    """A handle on submitted work. Iterating it yields the events; leaving early stops the work."""

    def __init__(self, work: EngineWork, stop: StopFlag, priority: int) -> None:
        self.work = work
        self.stop = stop
        self.priority = priority
        self.left = StopFlag()
        """The asker does not read any more."""
        self.pause: StopFlag = EitherStop(stop)
        self.events: SimpleQueue[Event | BaseException | None] = SimpleQueue()
        """None or an error is the end."""
        self.running = False
        self.asked = time.perf_counter()
        self.begun = False

    def say_waited(self) -> None:
        """Once, and only where somebody waits for the answer."""
        if not self.begun and self.priority == PRIORITY["edit"]:
            self.events.put(Waited(queue=time.perf_counter() - self.asked))
        self.begun = True

    def __iter__(self) -> Iterator[Event]:
        gone = False
        try:
            while True:
                try:
                    event = self.events.get(timeout=0 if gone else _LOOK_SECONDS)
                except Empty:
                    if gone:
                        return
                    # Once more without waiting, so that events sent before the stop are not lost.
                    gone = self.stop.is_set() and not self.running
                    continue
                if event is None:
                    return
                if isinstance(event, BaseException):
                    raise event
                yield event
        finally:
            self.left.set()
            self.pause.set()


class EngineThread:
    """Starts with the first work and ends with `close`. Safe to use from several threads."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._waiting: list[tuple[int, int, Ticket]] = []
        """Each with its priority and a number that rises."""
        self._number = 0
        self._current: Ticket | None = None
        self._closed = False
        self._thread: threading.Thread | None = None

    def submit(self, work: EngineWork, kind: Kind, stop: StopFlag) -> Ticket:
        """Queue a work; the thread comes to it when nothing more urgent is left."""
        ticket = Ticket(work, stop, PRIORITY[kind])
        with self._changed:
            if self._closed:
                raise NoBackend("the engine was closed", hint="Start spark again.")
            self._put(ticket)
            if self._current is not None and self._current.priority > ticket.priority:
                self._current.pause.set()
            if self._thread is None:
                self._thread = threading.Thread(target=self._serve, name="spark-engine", daemon=True)
                self._thread.start()
            self._changed.notify()
        return ticket

    def close(self) -> None:
        """Stop what runs within one pass, end every ticket, and wait for the thread. Safe to call twice."""
        with self._changed:
            self._closed = True
            if self._current is not None:
                self._current.left.set()
                self._current.pause.set()
            for *_, ticket in self._waiting:
                ticket.events.put(None)
            self._waiting.clear()
            self._changed.notify()
            thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join()

    def _put(self, ticket: Ticket) -> None:
        self._number += 1
        heapq.heappush(self._waiting, (ticket.priority, self._number, ticket))

    def _serve(self) -> None:
        while (ticket := self._next()) is not None:
            done, error = True, None
            try:
                if not (ticket.left.is_set() or ticket.stop.is_set()):
                    ticket.say_waited()
                    done = ticket.work.run(ticket.pause, ticket.events.put)
            except BaseException as caught:  # whatever it is, it belongs to the asker
                error = caught
            with self._changed:
                self._current, ticket.running = None, False
                if done or error or ticket.left.is_set() or ticket.stop.is_set() or self._closed:
                    ticket.events.put(error)
                else:
                    ticket.pause = EitherStop(ticket.stop)
                    self._put(ticket)

    def _next(self) -> Ticket | None:
        with self._changed:
            while not self._waiting:
                if self._closed:
                    return None
                self._changed.wait()
            if self._closed:
                return None
            ticket = heapq.heappop(self._waiting)[-1]
            self._current, ticket.running = ticket, True
            return ticket
