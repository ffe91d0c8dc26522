"""A second thread for long prefills, used only while it pays.

BLAS threads are not used: while the other core is busy, a two-threaded call stalls for milliseconds each
time. Instead each large product is split into two halves of panels, one of them for a helper thread; the
results are bit-identical. Whether this pays depends on the load of the machine, so both ways are timed again
at intervals.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from spark_tui.engine.kernels import Panels
from spark_tui.engine.machine import core_count

LONG_PREFILL = 512
"""Prompts shorter than this stay on one thread."""
TRIALS = 2
SETTLED_PASSES = 32
"""Passes between two trials."""


class HelperThread:
    """Switches the helper on and off. `begin` before a pass of a long prefill, `end` after it."""

    def __init__(self, matrices: Sequence[Panels], *, allowed: bool | None = None) -> None:
        self.allowed = core_count() > 1 if allowed is None else allowed
        self._matrices = matrices
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

    def begin(self, remaining: int) -> None:
        """A prefill pass of a prompt with `remaining` tokens is about to run."""
        if not self.allowed or remaining < LONG_PREFILL:
            self.switch(False)
            return
        turn = self._passes % (2 * TRIALS + SETTLED_PASSES)
        if turn == 0:
            self._best = [0.0, 0.0]
        self.switch(turn % 2 == 1 if turn < 2 * TRIALS else self._best[1] > self._best[0])

    def end(self, rows: int, seconds: float) -> None:
        """It ran."""
        if self.allowed:
            self._best[self._on] = max(self._best[self._on], rows / seconds)
            self._passes += 1

    def switch(self, on: bool) -> None:
        """Let the helper work, or not."""
        if on == self._on:
            return
        if on and self._pool is None:
            self._pool = ThreadPoolExecutor(1, thread_name_prefix="spark-pair")
        self._on = on
        for panels in self._matrices:
            panels.share(self._pool if on else None)

    def close(self) -> None:
        """End the helper thread. Safe to call twice."""
        self.switch(False)
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None
