"""Measure this machine's kernels in a tenth of a second, for `spark doctor`.

`python -m spark_tui.engine.kernel_timing 12M` prints the time of a pass for each number of rows.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass

import numpy as np

from spark_tui.engine import int8_accelerator
from spark_tui.engine.blas import facts
from spark_tui.engine.kernels import MIN_ROWS, Panels, row_step, rows_are_exact
from spark_tui.engine.kv_sequence import Sequence
from spark_tui.engine.model import BatchJob, Model
from spark_tui.engine.model_sizes import random_weights, size
from spark_tui.engine.weight_strips import prepared, usable

ROWS = 16
FEW_ROWS = 4
PASS_ROWS = (1, 2, 4, 8, 16, 32)
CONTEXT = 512
TRIES = 25


@dataclass(frozen=True, slots=True)
class KernelSpeeds:
    """Speeds are the best of a few tries; other work on the machine makes them lower."""

    core: str
    threads: int
    reason: str
    gflops_of_16_rows: float
    gflops_of_512_rows: float
    gigabytes_per_second_of_one_row: float
    rows_are_exact: bool
    """Whether a row comes out the same, bit for bit, for any number of rows in its pass."""
    strips: bool
    """Whether products run on weights that lie as the library's inner loop reads them (see
    `weight_strips.py`)."""
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


def gflops_of_few_rows() -> float:
    """The best of some products of `FEW_ROWS` rows: what most passes of an edit are made of."""
    held = prepared(np.ones((2048, 384), np.float32))
    return float(FEW_ROWS * 2 * held.width * held.depth) / _best(_product(held, FEW_ROWS), 30) / 1e9


def measure() -> KernelSpeeds:
    """Measure now."""
    blas = facts()
    small = prepared(np.ones((2048, 384), np.float32))
    large = prepared(np.ones((16_384, 512), np.float32))
    flops = 2 * small.width * small.depth
    return KernelSpeeds(
        core=blas.core,
        threads=blas.threads,
        reason=blas.reason,
        gflops_of_16_rows=ROWS * flops / _best(_product(small, ROWS), 30) / 1e9,
        gflops_of_512_rows=512 * flops / _best(_product(small, 512), 4) / 1e9,
        gigabytes_per_second_of_one_row=large.nbytes
        / _best(_product(large, max(MIN_ROWS, row_step())), 5)
        / 1e9,
        rows_are_exact=rows_are_exact(),
        strips=usable(),
        numba=int8_accelerator.available(),
    )


def passes(
    name: str, *, accelerated: bool = False, context: int = CONTEXT, tries: int = TRIES
) -> dict[str, float]:
    """Milliseconds of a forward pass of random weights in a named size, best and median, by rows."""
    arch = size(name)
    model = Model(arch, random_weights(arch), consume=True, own=True)
    if accelerated:
        model.accelerate(wait=True)
    pool = model.new_pool(4 * (context + 64) * arch.n_layers * arch.n_kv_heads * arch.head_dim * 8)
    sequence = Sequence(pool)
    ids = [40 + index * 7 % 4000 for index in range(context)]
    found: dict[str, float] = {}

    def timed(label: str, rows: int, logits: int, count: int) -> None:
        start = sequence.length
        taken = []
        for _ in range(count):
            begun = time.perf_counter()
            model.forward([BatchJob(sequence, ids[:rows], logits)])
            taken.append(1000 * (time.perf_counter() - begun))
            sequence.truncate(start)
        found[f"{label}, best ms"] = round(min(taken), 3)
        found[f"{label}, median ms"] = round(statistics.median(taken), 3)

    timed(f"prefill of {context}", context, 1, max(2, tries // 5))
    model.forward([BatchJob(sequence, ids, 0)])
    for rows in PASS_ROWS:
        timed(f"{rows} rows", rows, rows, tries)
    return found


if __name__ == "__main__":
    print(json.dumps(measure().as_dict(), indent=1))
    for argument in sys.argv[1:]:
        label, _, how = argument.partition("+")
        print(argument, json.dumps(passes(label, accelerated=how == "fast"), indent=1))
