"""Optional accelerator (extra `fast`: numba): int8 weights and compiled products.

A matrix is rounded to int8 with one scale per row *before* anything is multiplied, so the numpy path and the
compiled path compute the same function up to rounding. Which product is taken, and for how many rows, was
measured on this machine (`int8_products.py`). Compilation runs in a thread and is cached on disk; until it is
done, everything runs in numpy.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from spark_tui.engine.kernels import int8_products
from spark_tui.engine.kernels.choice import ANY_ROWS
from spark_tui.engine.kernels.int8_products import Int8Product
from spark_tui.engine.kernels.panels import Panels
from spark_tui.engine.runtime.arena import Arena

F32 = NDArray[np.float32]

LEVELS = 127.0
LATER = 1.0
"""Seconds. Loading the compiler keeps everything else waiting for half a second of processor time: the first
frame, and commands that are over before it pays."""


class Int8(NamedTuple):
    """A matrix of whole panels: `data` `[out, in]`, `scale` `[out]`."""

    data: NDArray[np.int8]
    scale: F32

    @classmethod
    def round(cls, panels: Panels) -> Int8:
        """Round the panels' weights, in place too, so that both hold the same matrix."""
        cut = panels.data.reshape(panels.panels, panels.depth, panels.panel)
        scale = np.abs(cut).max(axis=1) / np.float32(LEVELS)  # [panels, panel]
        safe = np.where(scale > 0, scale, np.float32(1))
        rounded = np.rint(cut / safe[:, None]).astype(np.int8)
        np.multiply(rounded, scale[:, None], out=cut)
        data = np.ascontiguousarray(rounded.transpose(0, 2, 1)).reshape(panels.width, panels.depth)
        return cls(data, np.ascontiguousarray(scale.reshape(-1)))


class Accelerator:
    """Int8 copies of a model's panels. `start` compiles in the background; `ready` is set when that is
    done."""

    def __init__(self, matrices: Iterable[Panels]) -> None:
        self._matrices = list(matrices)
        self._rounded = [Int8.round(panels) for panels in self._matrices]
        self.product: Int8Product | None = None
        """What multiplies; None until it is compiled, and where numpy wins."""
        self.rows = 0
        """Passes of up to this many rows use it."""
        self.trouble = ""
        """Why nothing was compiled; empty where it was."""
        self._all_fit = True
        self._ready, self._now = threading.Event(), threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def ready(self) -> bool:
        """Whether compilation and measurement are over."""
        return self._ready.is_set()

    @property
    def exact(self) -> bool:
        """Whether a row comes out the same, bit for bit, in any company: one product computes all rows."""
        product = self.product
        return product is not None and product.exact and self._all_fit and self.rows >= ANY_ROWS

    def start(self) -> None:
        """Compile and measure in a separate thread, `LATER` seconds from now."""

        def prepare_later() -> None:
            self._now.wait(LATER)
            self.prepare()

        if self._thread is None:
            self._thread = threading.Thread(target=prepare_later, name="spark-fast", daemon=True)
            self._thread.start()

    def wait(self, seconds: float | None = None) -> bool:
        """Begin now, and wait for `ready`. False where it took longer, or nothing could be compiled."""
        self._now.set()
        return self._ready.wait(seconds) and not self.trouble

    def prepare(self) -> None:
        """Compile, and use what is faster. What cannot be compiled here stays in numpy, and `trouble`
        gives the reason."""
        try:
            product, rows, self.trouble = int8_products.chosen()
            if product is not None:
                self._pack(product)
                self.product = product
                self.use(rows)
        finally:
            self._rounded.clear()
            self._ready.set()

    def use(self, rows: int) -> None:
        """Multiply up to so many rows with the compiled product; 0 for numpy alone. The weights stay
        rounded."""
        self.rows = rows
        for panels in self._matrices:
            panels.twin_rows = rows if panels.twin is not None else 0

    def _pack(self, product: Int8Product) -> None:
        arena = Arena()
        for panels, (data, scale) in zip(self._matrices, self._rounded, strict=True):
            if not product.fits(panels.width, panels.panel):
                self._all_fit = False
                continue
            packed = product.pack(data)
            place = arena.take(packed.shape, packed.dtype)
            np.copyto(place, packed)
            panels.twin = (product.multiply, place, scale)
