"""More threads for long prefills, used only while they pay.

BLAS threads are not used: while another core is busy, a two-threaded call stalls for milliseconds each time.
Instead the blocks of rows of a layer, and the pieces of its attention, are taken one by one by this thread
and by helpers: one whose core is busy takes fewer, one that was not even woken none. The results are the same
bits.

A pass that takes longer than one thread would have ends this for a while.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextvars import copy_context

from spark_tui.engine.runtime.machine import core_count
from spark_tui.engine.runtime.pass_stop import PassStopped, StopFlag

SHARED_ROWS = 64
"""Helpers are worth waking from this many rows on."""
MOST_HELPERS = 2
"""A third one made prompts no sooner here: cores share their units, and helpers their caches."""
REST_PASSES = 4, 64
"""Passes without helpers after one that did not pay: at first, and at most, as the rest doubles each time."""

Each = Callable[[Callable[[int], None], int], None]
"""`each(work, count)` does `work(0)` … `work(count - 1)`."""


def in_turn(work: Callable[[int], None], count: int) -> None:
    """`Each` by one thread."""
    for number in range(count):
        work(number)


class HelperThreads:
    """Spreads the parts of a pass. `begin` before each pass, `end` after it."""

    def __init__(self, threads: int = 0) -> None:
        """At most so many threads with the caller's own; with 0 as many as the machine has cores for."""
        self._helpers = min(MOST_HELPERS, (threads or core_count()) - 1)
        self.passes = 0
        """Passes that were shared."""
        self._pool: ThreadPoolExecutor | None = None
        self._on = False
        self._resting, self._rest = 0, REST_PASSES[0]
        self._helped = 0.0
        """Processor seconds of helpers in this pass, also in one that is given up."""
        self._begun = (0.0, 0.0)
        self._delay = 1.0
        """Seconds by the clock for one of the processor, in the latest long pass that was not shared."""

    def begin(self, rows: int) -> None:
        """A pass of so many rows is about to run. Short ones are never shared."""
        self._on = self._helpers > 0 and rows >= SHARED_ROWS and not self._resting
        self._helped = 0.0
        self._begun = time.perf_counter(), time.thread_time()

    def end(self, rows: int) -> tuple[float, float]:
        """It ran: its seconds by the clock, and by the processor in all threads."""
        begun, working = self._begun
        seconds, worked = time.perf_counter() - begun, time.thread_time() - working + self._helped
        if self._on:
            self.passes += 1
            pays = seconds <= worked * self._delay
            self._resting = 0 if pays else self._rest
            self._rest = REST_PASSES[0] if pays else min(2 * self._rest, REST_PASSES[1])
        elif rows >= SHARED_ROWS:
            self._resting = max(0, self._resting - 1)
            self._delay = max(1.0, seconds / worked) if worked else 1.0
        self._on = False
        return seconds, worked

    def each(self, stop: StopFlag, work: Callable[[int], None], count: int) -> None:
        """`work(0)` … `work(count - 1)`, in any order and, within a shared pass, by several threads. Raises
        `PassStopped` once `stop` is set."""
        if not self._on or count < 2:
            for number in range(count):
                if stop.is_set():
                    raise PassStopped
                work(number)
            return
        left = iter(range(count))  # taking the next number is one step of the interpreter

        def take() -> None:
            for number in left:
                if stop.is_set():
                    raise PassStopped
                work(number)

        def help_out() -> None:
            begun = time.thread_time()
            try:
                take()
            finally:
                helped.append(time.thread_time() - begun)

        if self._pool is None:
            self._pool = ThreadPoolExecutor(self._helpers, thread_name_prefix="spark-prefill")
        helped: list[float] = []
        others: list[Future[None]] = []
        try:
            for _ in range(min(self._helpers, count - 1)):
                others.append(self._pool.submit(copy_context().run, help_out))
            take()
        finally:  # when the caller goes on, whatever was raised, nobody writes to its buffers any more
            begun = [other for other in others if not other.cancel()]
            wait(begun)
            self._helped += sum(helped)
        for other in begun:
            other.result()

    def close(self) -> None:
        """End the helper threads. Safe to call twice."""
        self._on = False
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None


ALONE = HelperThreads(threads=1)
"""One thread for everything."""
