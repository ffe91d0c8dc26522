"""Optional accelerator (extra `fast`: numba): int8 weights and compiled products for passes of a few rows.

A matrix is rounded to int8 with one scale per row *before* anything is multiplied, so the numpy path and the
compiled path compute the same function up to float rounding. Measurement decides up to how many rows the
compiled path is used; passes of many rows stay in numpy. Compilation runs in a thread and is cached on disk;
until it is done, everything runs in numpy.
"""

from __future__ import annotations

import importlib.util
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spark_tui.engine.arena import Arena
from spark_tui.engine.kernels import MIN_ROWS, Panels, round_up, row_step

F32 = NDArray[np.float32]
Kernel = Callable[[NDArray[np.int8], F32, F32, F32], None]

MOST_ROWS = 16
TURNS = 4
LEVELS = 127.0


def available() -> bool:
    """Whether numba is installed."""
    return importlib.util.find_spec("numba") is not None


@dataclass(frozen=True, slots=True)
class Int8:
    """A matrix of whole panels: `data` `[out, in]`, `scale` `[out]`."""

    data: NDArray[np.int8]
    scale: F32

    @classmethod
    def round(cls, panels: Panels, arena: Arena | None = None) -> Int8:
        """Round the panels' weights, in place too, so that both hold the same matrix."""
        cut = panels.data.reshape(panels.panels, panels.depth, panels.panel)
        scale = np.abs(cut).max(axis=1) / np.float32(LEVELS)  # [panels, panel]
        safe = np.where(scale > 0, scale, np.float32(1))
        rounded = np.rint(cut / safe[:, None]).astype(np.int8)
        np.multiply(rounded, scale[:, None], out=cut)
        data = (arena or Arena()).take((panels.width, panels.depth), np.int8)
        np.copyto(data.reshape(panels.panels, panels.panel, panels.depth), rounded.transpose(0, 2, 1))
        return cls(data, np.ascontiguousarray(scale.reshape(-1)))


class Accelerator:
    """Int8 twins of a model's panels. `start` compiles in the background, `ready` says that it is done."""

    def __init__(self, matrices: Iterable[Panels]) -> None:
        arena = Arena()
        self._pairs = [(panels, Int8.round(panels, arena)) for panels in matrices if panels.panel % 4 == 0]
        self.rows = 0
        """Passes of up to this many rows use the compiled loops."""
        self.report: list[tuple[int, float, float]] = []
        """`(rows, compiled seconds, numpy seconds)` of the measurement."""
        self.trouble = ""
        """Why nothing was compiled; empty where it was."""
        self._ready = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def nbytes(self) -> int:
        """Bytes held in addition to the panels."""
        return sum(twin.data.nbytes + twin.scale.nbytes for _, twin in self._pairs)

    @property
    def ready(self) -> bool:
        """Whether compilation and measurement are over."""
        return self._ready.is_set()

    def start(self) -> None:
        """Compile and measure in a separate thread."""
        if self._thread is None:
            self._thread = threading.Thread(target=self.prepare, name="spark-fast", daemon=True)
            self._thread.start()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for `ready`. False where it took longer, or nothing could be compiled."""
        return self._ready.wait(seconds) and not self.trouble

    def prepare(self) -> None:
        """Compile, measure, and switch on what wins. What cannot be compiled here stays in numpy, and
        `trouble` says why."""
        try:
            from spark_tui.engine.int8_kernels import product

            self.rows = self._measure(product)
            for panels, twin in self._pairs:
                panels.twin = (product, twin.data, twin.scale)
                panels.twin_rows = self.rows
        except Exception as error:  # whatever a compiler may raise: the model runs without it
            self.trouble = f"{type(error).__name__}: {error}"
        finally:
            self._ready.set()

    def stop(self) -> None:
        """Back to numpy. The weights stay rounded."""
        for panels, _ in self._pairs:
            panels.twin_rows = 0

    def _measure(self, product: Kernel) -> int:
        """The largest row count up to which the compiled loops win, over all matrices, one after the other as
        in a pass."""
        best = 0
        # the model may be running meanwhile: numpy's side is measured on twins with scratch memory of their
        # own
        pairs = [(panels.part(0, panels.panels), twin) for panels, twin in self._pairs]
        for rows in (1, 2, 4, 8, MOST_ROWS):
            compiled = plain = float("inf")
            ours, theirs = _arrays(pairs, rows), _arrays(pairs, round_up(max(rows, MIN_ROWS), row_step()))
            for _ in range(TURNS):
                begun = time.perf_counter()
                for (panels, _), (x, out) in zip(pairs, theirs, strict=True):
                    panels.apply(x, out)
                between = time.perf_counter()
                for (_, twin), (x, out) in zip(pairs, ours, strict=True):
                    product(twin.data, twin.scale, x, out)
                plain = min(plain, between - begun)
                compiled = min(compiled, time.perf_counter() - between)
            self.report.append((rows, compiled, plain))
        for rows, compiled, plain in self.report:
            if compiled >= plain:
                break
            best = rows
        return best


def _arrays(pairs: list[tuple[Panels, Int8]], rows: int) -> list[tuple[F32, F32]]:
    """Rows to multiply with every matrix, and where the products go."""
    return [
        (np.ones((rows, panels.depth), np.float32), panels.view(np.empty((rows, panels.width), np.float32)))
        for panels, _ in pairs
    ]
