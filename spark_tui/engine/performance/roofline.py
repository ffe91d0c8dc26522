"""The limits of this machine: its memory bandwidth and its rates of matrix products.

`measure` takes less than a second. `Roofline.seconds` is the least time for a piece of work; the share of the
roofline is that time ÷ the measured time.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spark_tui.engine.kernels import int8_products
from spark_tui.engine.kernels.choice import Action, panels_product
from spark_tui.engine.kernels.int8_products import Int8Product, product_of
from spark_tui.engine.kernels.weight_strips import prepared
from spark_tui.engine.performance.pass_cost import PassCost
from spark_tui.engine.runtime.machine import core_count

F32 = NDArray[np.float32]

READ_MEGABYTES = (4, 16, 64)
ROWS = (1, 4, 16)
MANY_ROWS = 384
"""Rows of a large product: the highest rate that there is."""
WIDTH = 512
"""Outputs and inputs of the matrix that is multiplied: it stays in a core's own cache."""
SLICE_SECONDS = 0.015
"""For each rate. The best of the rounds that fit counts: short gaps between other programs suffice."""
LEAST_ROUNDS = 4
READ, FP32, INT8 = "read", "fp32", "int8"


@dataclass(frozen=True, slots=True)
class Rate:
    """One measured rate: GB/s of reading `size` megabytes, or GFLOP/s of a product with `size` rows."""

    what: str
    size: int
    threads: int
    value: float


@dataclass(frozen=True, slots=True)
class Roofline:
    """The rates of one machine. Without a second core there are no rates for two threads; without
    compiled products none for int8."""

    rates: tuple[Rate, ...]
    trouble: str = ""
    """Why int8 was not measured; empty where it was."""

    def rate(self, what: str, size: int, threads: int = 1) -> float | None:
        """The rate at the smallest measured size that is as large, else at the largest; None where it was not
        measured."""
        found = {rate.size: rate.value for rate in self.rates if (rate.what, rate.threads) == (what, threads)}
        if not found:
            return None
        return found[min((item for item in found if item >= size), default=max(found))]

    def seconds(self, cost: PassCost, threads: int = 1) -> float | None:
        """The least time for this work: what it reads at the bandwidth, or what it computes at the rate of
        its rows, whichever is longer."""
        megabytes = cost.bytes_read / 1e6
        bandwidth = self.rate(READ, round(megabytes), threads)
        rate = self.rate(FP32, cost.rows, threads)
        if cost.int8:
            rate = self.rate(INT8, cost.rows, threads) or rate
        if bandwidth is None or rate is None:
            return None
        return max(megabytes / 1e3 / bandwidth, cost.flops / 1e9 / rate)

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Roofline:
        """The reverse of `asdict`. Raises KeyError, TypeError or ValueError for anything else."""
        rates = tuple(
            Rate(str(item["what"]), int(item["size"]), int(item["threads"]), float(item["value"]))
            for item in values["rates"]
        )
        if not rates or min(rate.value for rate in rates) <= 0:
            raise ValueError("no rates")
        return cls(rates, str(values["trouble"]))

    def lines(self) -> list[str]:
        """The rates in words, one line a kind."""
        out = [f"reads {self._numbers(READ)} GB/s of {_sizes(READ_MEGABYTES)} MB{self._pair(READ)}"]
        for kind in (FP32, INT8):
            if numbers := self._numbers(kind):
                out.append(f"{kind} products {numbers} GFLOP/s at {_sizes(ROWS)} rows{self._pair(kind)}")
        many = self.rate(FP32, MANY_ROWS)
        return [*out, f"fp32 products {many:.0f} GFLOP/s at {MANY_ROWS} rows"] if many else out

    def _numbers(self, what: str, threads: int = 1) -> str:
        chosen = [r for r in self.rates if (r.what, r.threads) == (what, threads) and r.size != MANY_ROWS]
        return " / ".join(f"{rate.value:.0f}" for rate in chosen)

    def _pair(self, what: str) -> str:
        numbers = self._numbers(what, threads=2)
        return f"; two threads {numbers}" if numbers else ""


def _sizes(values: tuple[int, ...]) -> str:
    return " / ".join(map(str, values))


def measure() -> Roofline:
    """Measure now. Compiling the int8 products, once per machine, is not part of the second."""
    product, trouble = _int8_product()
    return Roofline((*_reading(), *_fp32(), *(_int8(product) if product else ())), trouble)


def probe() -> Roofline:
    """A few of the rates, in a tenth of the time: enough to see that a machine has changed its speed."""
    array = _block(READ_MEGABYTES)
    sizes = [size for size in (READ_MEGABYTES[0], READ_MEGABYTES[-1]) if size << 18 <= array.size]
    reading = [Rate(READ, size, 1, _read_rate(array[: size << 18], 1)) for size in sizes]
    rows = ROWS[-1]
    return Roofline((*reading, Rate(FP32, rows, 1, _product_rate(_fp32_product(rows), rows, 1))))


def _threads() -> tuple[int, ...]:
    """Two as well where there is a second core, and memory for a thread."""
    if core_count() == 1:
        return (1,)
    second = threading.Thread(target=int)
    try:
        second.start()
    except RuntimeError:
        return (1,)
    second.join()
    return (1, 2)


def _block(megabytes: tuple[int, ...]) -> F32:
    """As much as can be had: a machine with little memory is measured with less."""
    for size in sorted(megabytes, reverse=True):
        try:
            return np.ones(size << 18, np.float32)
        except MemoryError:
            continue
    return np.ones(1 << 18, np.float32)


def _reading() -> list[Rate]:
    array = _block(READ_MEGABYTES)
    return [
        Rate(READ, size, threads, round(_read_rate(array[: size << 18], threads), 2))
        for threads in _threads()
        for size in READ_MEGABYTES
        if size << 18 <= array.size
    ]


def _read_rate(array: F32, threads: int) -> float:
    def reader(part: F32) -> Action:
        return lambda: np.dot(part, part)

    return array.nbytes / 1e9 / _best([reader(part) for part in np.array_split(array, threads)])


def _fp32() -> list[Rate]:
    return [
        Rate(FP32, rows, threads, round(_product_rate(_fp32_product(rows), rows, threads), 1))
        for threads in _threads()
        for rows in (*ROWS, MANY_ROWS)
    ]


def _fp32_product(rows: int) -> Callable[[], Action]:
    def make() -> Action:
        matrix = np.ones((WIDTH, WIDTH), np.float32)
        if rows == MANY_ROWS:
            x, result = np.ones((rows, WIDTH), np.float32), np.empty((rows, WIDTH), np.float32)
            return lambda: np.matmul(x, matrix, out=result)
        if rows == 1:
            vector, product = np.ones(WIDTH, np.float32), np.empty(WIDTH, np.float32)
            return lambda: np.matmul(matrix, vector, out=product)
        return panels_product(prepared(matrix), rows)

    return make


def _int8_product() -> tuple[Int8Product | None, str]:
    """The fastest compiled product, compiled by now, and the reason if there is none."""
    product, _, trouble = int8_products.chosen()
    for rows in ROWS:
        if product is not None:
            product_of(product, WIDTH, WIDTH, rows)()
    return product, trouble


def _int8(product: Int8Product) -> list[Rate]:
    def rate(rows: int, threads: int) -> float:
        return round(_product_rate(lambda: product_of(product, WIDTH, WIDTH, rows), rows, threads), 1)

    return [Rate(INT8, rows, threads, rate(rows, threads)) for threads in _threads() for rows in ROWS]


def _product_rate(make: Callable[[], Action], rows: int, threads: int) -> float:
    """GFLOP/s of a product with weights in the cache, each thread with a matrix of its own."""
    calls = [make() for _ in range(threads)]
    return threads * 2 * rows * WIDTH * WIDTH / 1e9 / _best(calls)


def _best(actions: list[Action]) -> float:
    """Seconds of one call of all actions, side by side. Several calls make a round, so that starting a thread
    does not count. One alone is timed by the processor, so that other programs do not count."""
    calls = max(1, min(64, int(SLICE_SECONDS / 8 / max(_timed(actions[0], 1), 1e-7))))
    with ThreadPoolExecutor(len(actions)) as pool:  # its threads start with the first work for them

        def one_round() -> float:
            if len(actions) == 1:
                return _timed(actions[0], calls)
            begun = time.perf_counter()
            list(pool.map(lambda action: _timed(action, calls), actions))
            return time.perf_counter() - begun

        until, taken = time.perf_counter() + SLICE_SECONDS, [one_round() for _ in range(LEAST_ROUNDS)]
        while time.perf_counter() < until:
            taken.append(one_round())
    return min(taken) / calls


def _timed(action: Action, calls: int) -> float:
    begun = time.thread_time()
    for _ in range(calls):
        action()
    return time.thread_time() - begun
