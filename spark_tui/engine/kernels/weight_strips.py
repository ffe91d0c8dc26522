"""Matrix products on CPUs with AVX2 only, with weights stored as the inner loop of OpenBLAS reads them.

Without AVX-512 OpenBLAS has no small-matrix kernels: every product first packs both operands into the form
that its inner loop reads, and for the few rows of a pass packing the weights takes most of the time. Weights
never change, so `Strips` stores them in that form once: strips of eight outputs, `[out / 8, in, 8]`. The
inner loop (`blas.inner_loop`) is then called directly, and only the rows are packed, four by four. Pad rows
with zeros to a multiple of four: the loop is no faster for one to three. `prepared` returns `Panels` or
`Strips`, whichever is faster on this machine.
"""

from __future__ import annotations

from functools import cache
from threading import get_ident
from typing import Self

import numpy as np
from numpy.typing import NDArray

from spark_tui.engine.kernels import blas
from spark_tui.engine.kernels.choice import Choice, choose, kept, panels_seconds
from spark_tui.engine.kernels.panels import PANEL, Panels, round_up
from spark_tui.engine.runtime.arena import SCRATCH, Arena

F32 = NDArray[np.float32]

STRIP = 8
"""Outputs that the inner loop computes at a time."""
ROW_STEP = 4
"""Rows that it reads at a time."""
FLOAT_BYTES = 4
KEPT_PLANS = 64
STRIPS, PANELS = "strips", "panels"


class _Plan:
    """A product as prepared for one pair of arrays. A pass multiplies the same ones again and again, and
    asking an array for its address takes longer than some products."""

    __slots__ = ("out", "packed", "place", "result", "source", "stride", "sums", "target", "x")

    def __init__(self, strips: Strips, x: F32, out: F32) -> None:
        m, depth = x.shape
        count, _, panel = out.shape
        self.x, self.out = x, out
        self.source = x.reshape(-1, ROW_STEP, depth).transpose(0, 2, 1)
        in_place = out.strides[0] == panel * FLOAT_BYTES
        room = SCRATCH.room("strips", m * (depth if in_place else depth + strips.width))
        self.packed = room[: m * depth].reshape(-1, depth, ROW_STEP)
        self.sums, self.stride = out, out.strides[1] // FLOAT_BYTES
        self.result: F32 | None = None
        """Where `out` is not rows side by side: the product, as `out` wants it."""
        if not in_place:
            self.sums, self.stride = room[m * depth :], strips.width
            rows = self.sums.reshape(m, strips.width)[:, : count * panel]
            self.result = rows.reshape(m, count, panel).transpose(1, 0, 2)
        self.place, self.target = address(self.packed), address(self.sums)


class Strips(Panels):
    """A matrix `[out, in]` as strips. `apply` writes to panels of any width."""

    __slots__ = ("_address", "_loop", "_plans")

    def __init__(self, matrix: F32, *, own: bool = False, arena: Arena | None = None) -> None:
        loop = blas.inner_loop()
        if loop is None:
            raise ValueError("this machine's matrix library has no inner loop for strips")
        super().__init__(matrix, panel=STRIP, own=own, arena=arena)
        self._loop, self._address = loop, address(self.data)
        self._plans: dict[tuple[int, int], _Plan] = {}
        """By the number of rows and the thread."""

    def part(self, low: int, high: int) -> Self:
        """See `Panels.part`."""
        part = super().part(low, high)
        part._address, part._plans = address(part.data), {}
        return part

    def apply(self, x: F32, out: F32) -> None:
        """`out[p, i] = x[i] @ panel p` for any number of rows `x` `[m, in]` and `out` `[panels, m,
        panel]`."""
        m = x.shape[0]
        if m <= self.twin_rows and self.twin is not None:
            product, data, scale = self.twin
            product(data, scale, x, out)
            return
        if m % ROW_STEP:
            self._filled_up(x, out)
            return
        plan = self._plans.get(key := (m, get_ident()))
        if plan is None or plan.x is not x or plan.out is not out:
            if len(self._plans) >= KEPT_PLANS:
                self._plans.clear()
            plan = self._plans[key] = _Plan(self, x, out)
        np.copyto(plan.packed, plan.source)
        plan.sums.fill(0)  # the loop adds to what is there
        self._loop(self.width, m, self.depth, 1.0, self._address, plan.place, plan.target, plan.stride)
        if plan.result is not None:
            np.copyto(out, plan.result)

    def _filled_up(self, x: F32, out: F32) -> None:
        m = x.shape[0]
        filled = np.zeros((round_up(m, ROW_STEP), self.depth), np.float32)
        filled[:m] = x
        results = np.empty((out.shape[0], filled.shape[0], out.shape[2]), np.float32)
        self.apply(filled, results)
        np.copyto(out, results[:, :m])


def address(array: F32) -> int:
    found: int = array.__array_interface__["data"][0]
    return found


def prepared(matrix: F32, *, panel: int = PANEL, own: bool = False, arena: Arena | None = None) -> Panels:
    """A matrix in the form in which this machine multiplies fastest."""
    if usable():
        return Strips(matrix, own=own, arena=arena)
    return Panels(matrix, panel=panel, own=own, arena=arena)


@cache
def usable() -> bool:
    """Whether the library has the inner loop, it computes correct results, and it is faster."""
    return blas.inner_loop() is not None and _correct() and choice().rows > 0


def choice() -> Choice:
    """Strips against panels, as measured on this machine."""
    return kept("fp32", (), _measured)


def _measured() -> Choice:
    times = {STRIPS: panels_seconds(Strips), PANELS: panels_seconds(Panels)}
    return choose(times, PANELS, all_rows=True)


def _correct() -> bool:
    generator = np.random.default_rng(5)
    for width, depth, rows in ((8, 16, 1), (64, 33, 4), (136, 80, 7), (24, 256, 40)):
        matrix = generator.standard_normal((width, depth), dtype=np.float32)
        x = generator.standard_normal((rows, depth), dtype=np.float32)
        out = np.full((1, rows, width), np.nan, np.float32)
        Strips(matrix).apply(x, out)
        if not np.allclose(out[0], x @ matrix.T, rtol=1e-3, atol=1e-4):
            return False
    return True
