"""Which kernels are fastest on this machine: measured at first use, then stored.

Two things are chosen: the form of fp32 weights (`weight_strips.py`), and the compiled product of int8 weights
(`int8_products.py`). A product is used up to the number of rows at which another is faster.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial

import numpy as np

from spark_tui.engine.kernels import blas
from spark_tui.engine.kernels.panels import MIN_ROWS, Panels, round_up, row_step
from spark_tui.engine.runtime import machine_files

ROWS = (1, 4, 16, 64)
"""A token, a short draft, a long one, a piece of a prompt."""
ANY_ROWS = 1 << 30
OUTPUTS, INPUTS = 1536, 384
"""The shape of the matrix that is multiplied: that of a small model."""
SLICE_SECONDS = 0.01
"""For each kernel and number of rows. The best call counts."""
LEAST_CALLS = 3

Action = Callable[[], object]
Seconds = Mapping[str, Sequence[float]]


@dataclass(frozen=True, slots=True)
class Choice:
    """The winner, and what was measured."""

    name: str
    """Empty where nothing wins against numpy, or nothing could be compiled."""
    rows: int
    """The most rows of a pass for which it is used."""
    milliseconds: dict[str, list[float]]
    """Of one product, for each kernel and each of `ROWS`."""
    trouble: str = ""
    """Why nothing was compiled; empty where it was."""
    note: str = ""
    """Why it was measured just now; empty where it was read."""
    unkept: bool = False
    """Whether it could not be kept, so that each start measures it."""

    def words(self) -> str:
        """What was measured, for a person."""
        rows = " / ".join(map(str, ROWS))
        times = (f"{name} {' / '.join(map(str, found))}" for name, found in self.milliseconds.items())
        return f"{', '.join(times)} ms of a product of {rows} rows"


def kept(what: str, facts: Sequence[object], measure: Callable[[], Choice]) -> Choice:
    """What is kept for this machine and these facts, else what is measured now."""
    key = machine_files.key(blas.facts().core, np.__version__, *facts)
    path = machine_files.folder() / f"kernels-{what}-{key}.json"
    values = machine_files.read(path)
    try:
        return Choice(str(values["name"]), int(values["rows"]), dict(values["milliseconds"]))
    except (KeyError, TypeError, ValueError):
        found = measure()
    unkept = "" if found.trouble else machine_files.write(path, asdict(found))
    note = "measured at first use" + (f"; {unkept}" if unkept else "")
    return replace(found, note=note, unkept=bool(unkept))


def choose(times: Seconds, against: str, *, all_rows: bool = False) -> Choice:
    """The kernel that takes the smallest shares of the other one's time, and up to how many rows it wins;
    with `all_rows` it wins for all or for none."""
    shares = {name: _shares(times[name], times[against]) for name in times if name != against}
    best = min(shares, key=lambda name: sum(shares[name]))
    rows = winning_rows(times[best], times[against])
    if all_rows:
        rows = ANY_ROWS if sum(shares[best]) < len(ROWS) else 0
    milliseconds = {name: [round(1000 * second, 4) for second in seconds] for name, seconds in times.items()}
    return Choice(best if rows else "", rows, milliseconds)


def winning_rows(seconds: Sequence[float], others: Sequence[float]) -> int:
    """Up to how many rows it wins, from one row on."""
    won = 0
    for rows, share in zip(ROWS, _shares(seconds, others), strict=True):
        if share >= 1:
            return won
        won = rows
    return ANY_ROWS


def _shares(seconds: Sequence[float], others: Sequence[float]) -> list[float]:
    return [mine / other for mine, other in zip(seconds, others, strict=True)]


def panels_seconds(make: Callable[[np.ndarray], Panels]) -> list[float]:
    """Of products with a matrix in this form, with as many rows as passes of `ROWS` have."""
    panels = make(np.random.default_rng(0).standard_normal((OUTPUTS, INPUTS), dtype=np.float32))
    return [best_seconds(panels_product(panels, rows)) for rows in ROWS]


def panels_product(panels: Panels, rows: int) -> Action:
    """The product of a pass of so many rows, padded as a pass is."""
    padded = round_up(max(rows, MIN_ROWS), row_step())
    x = np.ones((padded, panels.depth), np.float32)
    return partial(panels.apply, x, panels.view(np.empty((padded, panels.width), np.float32)))


def best_seconds(action: Action) -> float:
    """The best of the calls that fit a slice of time, by the processor: other programs do not count."""
    action()
    best, calls, until = float("inf"), 0, time.perf_counter() + SLICE_SECONDS
    while calls < LEAST_CALLS or time.perf_counter() < until:
        begun = time.thread_time()
        action()
        best = min(best, time.thread_time() - begun)
        calls += 1
    return best
