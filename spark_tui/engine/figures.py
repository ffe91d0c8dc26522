"""What this machine's kernels do, measured in a tenth of a second: for the doctor.

Comes in: nothing. Goes out: `Figures`. Must not know: models.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass

import numpy as np

from spark_tui.engine import fast
from spark_tui.engine.blas import facts
from spark_tui.engine.kernels import Panels, rows_are_exact

ROWS = 16


@dataclass(frozen=True, slots=True)
class Figures:
    """Speeds are the best of a few tries; other work on the machine makes them lower."""

    core: str
    threads: int
    reason: str
    gflops_of_16_rows: float
    gflops_of_512_rows: float
    gigabytes_per_second_of_one_row: float
    rows_are_exact: bool
    """Whether a row comes out the same, bit for bit, for any number of rows in its pass."""
    numba: bool

    def as_dict(self) -> dict[str, object]:
        """Plain values for JSON."""
        return asdict(self)


def _best(action: Callable[[], None], tries: int) -> float:
    best = float("inf")
    for _ in range(tries):
        begun = time.perf_counter()
        action()
        best = min(best, time.perf_counter() - begun)
    return best


def _product(panels: Panels, rows: int) -> Callable[[], None]:
    x = np.ones((rows, panels.depth), np.float32)
    out = panels.view(np.empty((rows, panels.width), np.float32))
    return lambda: panels.apply(x, out)


def measure() -> Figures:
    """Measure now."""
    blas = facts()
    small = Panels(np.ones((2048, 384), np.float32))
    large = Panels(np.ones((16_384, 512), np.float32))
    flops = 2 * small.width * small.depth
    return Figures(
        core=blas.core,
        threads=blas.threads,
        reason=blas.reason,
        gflops_of_16_rows=ROWS * flops / _best(_product(small, ROWS), 30) / 1e9,
        gflops_of_512_rows=512 * flops / _best(_product(small, 512), 4) / 1e9,
        gigabytes_per_second_of_one_row=large.nbytes / _best(_product(large, 2), 5) / 1e9,
        rows_are_exact=rows_are_exact(),
        numba=fast.available(),
    )
