"""Matrix products and activations in numpy, optimized for passes of a few rows.

A plain product of 2 to 32 rows with a large matrix runs at a fifth of the machine's speed in OpenBLAS.
`Panels` stores the matrix as panels of 64 outputs, `[panel, in, 64]`: every piece is below the library's
small-matrix bound, runs without packing and needs no transposes. On AVX-512 kernels each output is one fused
sum over `in` in a fixed order, whatever the number of rows, so results are *equal bit for bit* for any split
of the same rows into passes of two rows or more (one row would take the matrix-vector kernel).
`rows_are_exact` measures whether this holds on the current machine.
"""

from __future__ import annotations

import mmap
from collections.abc import Callable
from functools import cache
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from spark_tui.engine.kernels import blas
from spark_tui.engine.runtime.arena import SCRATCH, Arena

F32 = NDArray[np.float32]

PANEL = 64
SMALL_PRODUCT = 1_000_000
"""OpenBLAS takes its small-matrix kernels up to this `m * n * k`."""
MAX_DEPTH = 960
"""Inputs longer than this are summed in equal parts, so that a call still takes 16 rows."""
MIN_ROWS = 2
LARGE_BYTES = 1 << 26
"""A matrix of this size is not copied when it may be written to."""


def round_up(value: int, step: int) -> int:
    """The next multiple of `step`."""
    return -(-value // step) * step


def _parts(width: int) -> int:
    """How many equal parts of at most `MAX_DEPTH` an input is summed in."""
    parts = -(-width // MAX_DEPTH)
    while width % parts:
        parts += 1
    return parts if width // parts >= PANEL else 1


class Panels:
    """A matrix `[out, in]` as panels. `apply` multiplies rows with it and may run in several threads.
    `out` is padded with zero rows to whole panels; `width` is the padded size, `rows` the true one."""

    __slots__ = ("data", "depth", "limit", "panel", "panels", "parts", "rows", "twin", "twin_rows", "width")

    def __init__(
        self, matrix: F32, *, panel: int = PANEL, own: bool = False, arena: Arena | None = None
    ) -> None:
        """With `own` the matrix is given away: the memory of a large one is turned into the panels."""
        self.rows, depth = matrix.shape
        self.panel, self.depth = panel, depth
        self.panels = round_up(self.rows, panel) // panel
        self.width = self.panels * panel
        self.parts = _parts(depth)
        part = depth // self.parts
        self.limit = max(MIN_ROWS, SMALL_PRODUCT // (panel * part))
        usable = (
            own and self.width == self.rows and matrix.dtype == np.float32 and matrix.nbytes >= LARGE_BYTES
        )
        if usable and matrix.flags.writeable and matrix.flags.c_contiguous:
            data = matrix.reshape(self.panels, depth, panel)
        else:
            data = (arena or Arena()).take((self.panels, depth, panel))
        at_once = max(1, PANEL // panel)
        for count, low in enumerate(range(0, self.panels, at_once)):
            rows = matrix[low * panel : (low + at_once) * panel]
            place = data[low : low + at_once]
            if rows.shape[0] < place.shape[0] * panel:
                rows = np.pad(rows, ((0, place.shape[0] * panel - rows.shape[0]), (0, 0)))
            turned = np.ascontiguousarray(rows.reshape(-1, panel, depth).transpose(0, 2, 1), np.float32)
            place[:] = turned
            if own and count % 64 == 63:
                release_mapped_pages(matrix[(low - 63 * at_once) * panel : (low + at_once) * panel])
        self.data: F32 = data.reshape(self.panels, self.parts, part, panel)
        self.twin: tuple[Callable[..., None], NDArray[np.int8], F32] | None = None
        """A compiled product with the same matrix (see `int8_accelerator.py`), used for up to `twin_rows`
        rows."""
        self.twin_rows = 0

    def part(self, low: int, high: int) -> Self:
        """The panels `low .. high` as a matrix of their own on the same weights."""
        part = type(self).__new__(type(self))
        for kind in type(self).__mro__:
            for name in getattr(kind, "__slots__", ()):
                setattr(part, name, getattr(self, name))
        part.data = self.data[low:high]
        part.panels, part.rows, part.width = high - low, (high - low) * self.panel, (high - low) * self.panel
        part.twin, part.twin_rows = None, 0
        return part

    def columns(self, indices: NDArray[np.int64]) -> F32:
        """Rows of the original matrix, `[n, in]`: the embedding lookup of a tied head."""
        flat = self.data.reshape(self.panels, self.depth, self.panel)
        found: F32 = flat[indices // self.panel, :, indices % self.panel]
        return found

    def view(self, rows: F32) -> F32:
        """`[m, width]` rows seen as the `[panels, m, panel]` that `apply` writes."""
        return rows.reshape(rows.shape[0], self.panels, self.panel).transpose(1, 0, 2)

    def apply(self, x: F32, out: F32) -> None:
        """`out[p, i] = x[i] @ panel p` for `x` `[m, in]` with m >= 2 and `out` `[panels, m, panel]`."""
        m = x.shape[0]
        if m <= self.twin_rows and self.twin is not None:
            product, data, scale = self.twin
            product(data, scale, x, out)
            return
        if m <= self.limit:
            self._block(x, out)
            return
        blocks = -(-m // self.limit)
        size = -(-m // blocks)
        whole = m // size
        self._blocks(x, out, whole, size)
        if rest := m - whole * size:
            start = m - max(rest, MIN_ROWS)  # a row may be computed twice; it comes out the same
            self._block(x[start:], out[:, start:])

    def _block(self, x: F32, out: F32) -> None:
        if self.parts == 1:
            np.matmul(x, self.data[:, 0], out=out)
            return
        m = x.shape[0]
        cut = x.reshape(m, self.parts, -1).transpose(1, 0, 2)  # [parts, m, part]
        sums = SCRATCH.room("sums", self.panels, self.parts, m, self.panel)
        np.matmul(cut, self.data, out=sums)
        np.add.reduce(sums, axis=1, out=out)

    def _blocks(self, x: F32, out: F32, blocks: int, size: int) -> None:
        """Row blocks inside, panels outside: each panel is read from memory once."""
        n = blocks * size
        target = out[:, :n].reshape(self.panels, blocks, size, self.panel)
        if self.parts == 1:
            np.matmul(x[:n].reshape(1, blocks, size, self.depth), self.data, out=target)
            return
        cut = x[:n].reshape(blocks, size, self.parts, -1).transpose(0, 2, 1, 3)  # [blocks, parts, size, part]
        sums = SCRATCH.room("sums", self.panels, blocks, self.parts, size, self.panel)
        np.matmul(cut, self.data[:, None], out=sums)
        np.add.reduce(sums, axis=2, out=target)


def release_mapped_pages(array: NDArray[Any]) -> None:
    """If `array` is a view of a mapped file, tell the system that its pages are not needed now."""
    base = array
    while isinstance(base.base, np.ndarray):
        base = base.base
    owner: Any = base.base
    if isinstance(owner, mmap.mmap) and not array.flags.writeable and hasattr(owner, "madvise"):
        start = array.__array_interface__["data"][0] - base.__array_interface__["data"][0]
        low = round_up(start, mmap.PAGESIZE)
        length = (start + array.nbytes - low) // mmap.PAGESIZE * mmap.PAGESIZE
        if length > 0:
            owner.madvise(mmap.MADV_DONTNEED, low, length)


@cache
def row_step() -> int:
    """Rows up to the next multiple of this cost nothing, or less: OpenBLAS's inner loop for AVX2 reads four
    at a time, and takes odd ones with slower loops."""
    return 4 if blas.facts().core.upper() in blas.AVX2_CORES else 1


@cache
def rows_are_exact() -> bool:
    """Whether a row's product is the same, bit for bit, alone or among others, on this machine."""
    generator = np.random.default_rng(7)
    for width, depth in ((128, 384), (64, 1024), (64, 80), (96, 576)):
        panels = Panels(generator.standard_normal((width, depth), dtype=np.float32))
        x = generator.standard_normal((40, depth), dtype=np.float32)
        out = np.empty((panels.panels, 40, panels.panel), np.float32)
        panels.apply(x, out)
        for start, stop in ((0, 2), (3, 5), (7, 15), (8, 24), (38, 40)):
            part = np.empty((panels.panels, stop - start, panels.panel), np.float32)
            panels.apply(np.ascontiguousarray(x[start:stop]), part)
            if not np.array_equal(part, out[:, start:stop]):
                return False
    return True


def silu(x: F32, scratch: F32) -> None:
    """`x / (1 + exp(-x))`, in place."""
    np.negative(x, out=scratch)
    np.exp(scratch, out=scratch)
    scratch += 1.0
    np.divide(x, scratch, out=x)


def gelu_tanh(x: F32, scratch: F32) -> None:
    """The tanh form of GELU, in place."""
    np.multiply(x, x, out=scratch)
    scratch *= np.float32(0.044715 * 0.7978845608028654)
    scratch += np.float32(0.7978845608028654)
    scratch *= x
    np.tanh(scratch, out=scratch)
    scratch += 1.0
    scratch *= 0.5
    x *= scratch


def gelu(x: F32, scratch: F32) -> None:
    """GELU with the error function (Abramowitz and Stegun 7.1.26 in double: 1.5e-7 at most), in place."""
    z = np.abs(x.astype(np.float64)) * 0.7071067811865476
    t = 1.0 / (1.0 + 0.3275911 * z)
    series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    error = np.copysign(1.0 - series * np.exp(-z * z), x)
    np.multiply(x, 0.5 * (1.0 + error), out=scratch, casting="same_kind")
    np.copyto(x, scratch)


def relu(x: F32, scratch: F32) -> None:  # noqa: ARG001
    """`max(x, 0)`, in place."""
    np.maximum(x, 0, out=x)


ACTIVATIONS: dict[str, Callable[[F32, F32], None]] = {
    "silu": silu,
    "gelu": gelu,
    "gelu_tanh": gelu_tanh,
    "relu": relu,
}
