"""Runs one turn in a thread and posts its events to the screen in batches.

A message for each token would keep the event loop busy, so the thread appends to a list that the loop
collects thirty times a second, and at every pause. A local model shares the interpreter with the screen, so a
slow screen is updated less often.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator

from spark_tui.events import Event
from spark_tui.tui.background_work import call_on_loop

BATCH_SECONDS = 1 / 30
LONGEST_BATCH_SECONDS = 1 / 10
SHARE = 0.05
"""Of its time, the loop shall spend no more than this on showing batches."""
Turn = Callable[[threading.Event], Iterator[Event]]
OnBatch = Callable[[list[Event]], None]
OnEnd = Callable[[BaseException | None], None]


class TurnRunner:
    """At most one turn at a time."""

    def __init__(self, on_batch: OnBatch, on_end: OnEnd) -> None:
        self._on_batch = on_batch
        self._on_end = on_end
        self._lock = threading.Lock()
        self._pending: list[Event] = []
        self._armed = False
        self._last_flush = 0.0
        self._interval = BATCH_SECONDS
        self._spent = 0.0
        self._unshown: Exception | None = None
        """Why a batch of this turn could not be shown."""
        self._thread: threading.Thread | None = None
        self.stop_flag = threading.Event()

    @property
    def running(self) -> bool:
        return self._thread is not None

    def start(self, turn: Turn) -> None:
        """Begin; the turn is made in the thread, with the flag that stops it."""
        if self._thread is not None:
            raise RuntimeError("a turn is already running")
        self.stop_flag, self._unshown = threading.Event(), None
        loop = asyncio.get_running_loop()
        # A daemon, so that a backend that hangs against its contract cannot keep the process alive.
        self._thread = threading.Thread(
            target=self._run, args=(turn, self.stop_flag, loop), name="spark-turn", daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        self.stop_flag.set()

    def close(self, timeout: float) -> bool:
        """Stop, and wait for the thread; True if it ended."""
        thread = self._thread
        if thread is None:
            return True
        self.stop_flag.set()
        thread.join(timeout)
        return not thread.is_alive()

    def _run(self, turn: Turn, stop: threading.Event, loop: asyncio.AbstractEventLoop) -> None:
        error: BaseException | None = None
        try:
            for event in turn(stop):
                with self._lock:
                    self._pending.append(event)
                    wake, self._armed = not self._armed, True
                if wake:
                    call_on_loop(loop, self._arm, loop)
        except Exception as caught:
            error = caught
        call_on_loop(loop, self._end, error)

    def _arm(self, loop: asyncio.AbstractEventLoop) -> None:
        wait = self._last_flush + self._interval - loop.time()
        if wait <= 0:
            self._flush(loop)
        else:
            loop.call_later(wait, self._flush, loop)

    def _flush(self, loop: asyncio.AbstractEventLoop) -> None:
        with self._lock:
            batch, self._pending = self._pending, []
            self._armed = False
        self._last_flush = loop.time()
        spent = time.thread_time()
        self._interval = interval(spent - self._spent)
        self._spent = spent
        if batch:
            try:
                self._on_batch(batch)
            except Exception as caught:
                # Otherwise the error would be lost, and a turn whose last batch failed would never end.
                self._unshown = self._unshown or caught

    def _end(self, error: BaseException | None) -> None:
        self._flush(asyncio.get_running_loop())
        if self._thread is not None:
            self._thread.join(1.0)
        self._thread = None
        self._on_end(error or self._unshown)


def interval(busy: float) -> float:
    """How long to gather the next batch; `busy` is the seconds that the loop has worked since the last
    one."""
    return min(max(busy / SHARE, BATCH_SECONDS), LONGEST_BATCH_SECONDS)
