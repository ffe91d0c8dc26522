"""A second thread for long prefills, used only while it pays.

BLAS threads are not used: while the other core is busy, a two-threaded call stalls for milliseconds each
time. Instead each large product and the heads of attention are split into halves, one of them for a helper
thread; the results are bit-identical. Whether this pays depends on the load of the machine, so both ways are
timed again at intervals, and the helper stops at the first pass that takes longer than without it.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Protocol

from spark_tui.engine.kernels import SHARED_ROWS
from spark_tui.engine.machine import core_count

TRIALS = 2
SETTLED_PASSES = 32
"""Passes between two trials."""


class Shared(Protocol):
    """Work that a helper thread can take half of."""

    def share(self, helper: Executor | None) -> None: ...


class HelperThread:
    """Switches the helper on and off. `begin` before each pass, `end` after it."""

    def __init__(self, work: Sequence[Shared], *, allowed: bool | None = None) -> None:
        self.allowed = core_count() > 1 if allowed is None else allowed
        self._work = work
        self._pool: ThreadPoolExecutor | None = None
        self._on = False
        self._best = [0.0, 0.0]
        self._passes = 0

    @property
    def on(self) -> bool:
        """Whether the helper works now."""
        return self._on

    @property
    def rates(self) -> tuple[float, float]:
        """The best rows a second of the latest trial, with one thread and with two."""
        return self._best[0], self._best[1]

    def begin(self, rows: int) -> None:
        """A pass of so many rows is about to run: those of a prefill are timed, shorter ones never shared."""
        if not self.allowed or rows < SHARED_ROWS:
            self.switch(False)
            return
        turn = self._turn
        if turn == 0:
            self._best = [0.0, 0.0]
        self.switch(turn % 2 == 1 if turn < 2 * TRIALS else self._best[1] > self._best[0])

    def end(self, rows: int, seconds: float) -> None:
        """It ran."""
        if not self.allowed or rows < SHARED_ROWS:
            return
        rate = rows / seconds
        slower = self._on and self._turn >= 2 * TRIALS and rate < self._best[0]
        self._best[self._on] = rate if slower else max(self._best[self._on], rate)
        self._passes += 1

    @property
    def _turn(self) -> int:
        """The first ones are trials."""
        return self._passes % (2 * TRIALS + SETTLED_PASSES)

    def switch(self, on: bool) -> None:
        """Let the helper work, or not."""
        if on == self._on:
            return
        if on and self._pool is None:
            self._pool = ThreadPoolExecutor(1, thread_name_prefix="spark-pair")
        self._on = on
        for one in self._work:
            one.share(self._pool if on else None)

    def close(self) -> None:
        """End the helper thread. Safe to call twice."""
        self.switch(False)
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None
