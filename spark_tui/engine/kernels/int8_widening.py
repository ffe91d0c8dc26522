"""Compiled products of int8 matrices with one to sixteen float rows. Import only where numba is installed.

The arguments are `data` `[out, in]` int8 with `out` a multiple of four, `scale` `[out]` and rows `[m, in]`;
the result is `out[p, r, j]`, the panel form of `panels.py`.

Each loop keeps the sums of four outputs (two, for eight rows) in registers and converts a weight once for all
rows. Missing rows repeat the last one and are not written. The weights of a model do not fit the caches, and
the hardware prefetcher sees only short rows, so each loop prefetches `AHEAD` bytes further on; where matrices
are stored in the order of their use, that reaches the beginning of the next one.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from spark_tui.engine.kernels.compiling import compiled
from spark_tui.engine.kernels.vnni_dot import AHEAD, LINE, DotCode, frame_code

F32 = NDArray[np.float32]
I8 = NDArray[np.int8]

NONE = (np.float32(0), np.float32(0), np.float32(0), np.float32(0))
"""Sums of nothing yet."""


ask_for: Any = frame_code(lambda builder, place: DotCode(builder, place).ask_for(place, AHEAD))
"""`ask_for(address)`: bring the cache line `AHEAD` bytes after it nearer."""


@compiled(fastmath=True)
def _plus(sums: Any, weights: Any, value: np.float32) -> Any:
    """The sums of four outputs, and one more input of each."""
    return (
        sums[0] + weights[0] * value,
        sums[1] + weights[1] * value,
        sums[2] + weights[2] * value,
        sums[3] + weights[3] * value,
    )


@compiled(fastmath=True)
def _plus_two(sums: Any, weights: Any, value: np.float32) -> Any:
    """The same for two outputs."""
    return sums[0] + weights[0] * value, sums[1] + weights[1] * value


@compiled(fastmath=True)
def _put(out: F32, row: int, first: int, scale: F32, sums: Any) -> None:
    """The sums of a row, of a panel's outputs from `first` on."""
    for at in range(len(sums)):
        out[row, first + at] = sums[at] * scale[at]


@compiled(fastmath=True)
def _one(q: I8, scale: F32, x: F32, out: F32) -> None:
    outputs, depth = q.shape
    panel = out.shape[2]
    x0 = x[0]
    for g in range(0, outputs, 4):
        for line in range(0, 4 * depth, LINE):
            ask_for(q.ctypes.data + g * depth + line)
        s = NONE
        w0, w1, w2, w3 = q[g], q[g + 1], q[g + 2], q[g + 3]
        for i in range(depth):
            f = np.float32(w0[i]), np.float32(w1[i]), np.float32(w2[i]), np.float32(w3[i])
            s = _plus(s, f, x0[i])
        p = g // panel
        _put(out[p], 0, g - p * panel, scale[g:], s)


@compiled(fastmath=True)
def _two(q: I8, scale: F32, x: F32, out: F32) -> None:
    outputs, depth = q.shape
    panel = out.shape[2]
    x0, x1 = x[0], x[1]
    for g in range(0, outputs, 4):
        for line in range(0, 4 * depth, LINE):
            ask_for(q.ctypes.data + g * depth + line)
        s = t = NONE
        w0, w1, w2, w3 = q[g], q[g + 1], q[g + 2], q[g + 3]
        for i in range(depth):
            f = np.float32(w0[i]), np.float32(w1[i]), np.float32(w2[i]), np.float32(w3[i])
            s, t = _plus(s, f, x0[i]), _plus(t, f, x1[i])
        p = g // panel
        _put(out[p], 0, g - p * panel, scale[g:], s)
        _put(out[p], 1, g - p * panel, scale[g:], t)


@compiled(fastmath=True)
def _four(q: I8, scale: F32, x: F32, out: F32) -> None:
    outputs, depth = q.shape
    m, panel = x.shape[0], out.shape[2]
    x0, x1, x2, x3 = x[0], x[1], x[2], x[min(3, m - 1)]
    for g in range(0, outputs, 4):
        for line in range(0, 4 * depth, LINE):
            ask_for(q.ctypes.data + g * depth + line)
        s = t = u = v = NONE
        w0, w1, w2, w3 = q[g], q[g + 1], q[g + 2], q[g + 3]
        for i in range(depth):
            f = np.float32(w0[i]), np.float32(w1[i]), np.float32(w2[i]), np.float32(w3[i])
            s, t = _plus(s, f, x0[i]), _plus(t, f, x1[i])
            u, v = _plus(u, f, x2[i]), _plus(v, f, x3[i])
        p = g // panel
        _put(out[p], 0, g - p * panel, scale[g:], s)
        _put(out[p], 1, g - p * panel, scale[g:], t)
        _put(out[p], 2, g - p * panel, scale[g:], u)
        if m > 3:
            _put(out[p], 3, g - p * panel, scale[g:], v)


@compiled(fastmath=True)
def _eight(q: I8, scale: F32, x: F32, out: F32) -> None:
    outputs, depth = q.shape
    m, panel = x.shape[0], out.shape[2]
    x0, x1, x2, x3, x4 = x[0], x[1], x[2], x[3], x[4]
    x5, x6, x7 = x[min(5, m - 1)], x[min(6, m - 1)], x[min(7, m - 1)]
    for g in range(0, outputs, 2):
        for line in range(0, 2 * depth, LINE):
            ask_for(q.ctypes.data + g * depth + line)
        a = b = c = d = e = f = u = v = (np.float32(0), np.float32(0))
        w0, w1 = q[g], q[g + 1]
        for i in range(depth):
            w = np.float32(w0[i]), np.float32(w1[i])
            a, b = _plus_two(a, w, x0[i]), _plus_two(b, w, x1[i])
            c, d = _plus_two(c, w, x2[i]), _plus_two(d, w, x3[i])
            e, f = _plus_two(e, w, x4[i]), _plus_two(f, w, x5[i])
            u, v = _plus_two(u, w, x6[i]), _plus_two(v, w, x7[i])
        p = g // panel
        for row, sums in enumerate((a, b, c, d, e, f, u, v)):
            if row < m:
                _put(out[p], row, g - p * panel, scale[g:], sums)


def fits(_width: int, panel: int) -> bool:
    """Four outputs lie side by side."""
    return panel % 4 == 0


def product(q: I8, scale: F32, x: F32, out: F32) -> None:
    """`out[p, r, j] = scale[o] * sum(q[o] * x[r])` with `o = p * panel + j`."""
    m = x.shape[0]
    if m == 1:
        _one(q, scale, x, out)
    elif m == 2:
        _two(q, scale, x, out)
    elif m <= 4:
        _four(q, scale, x, out)
    elif m <= 8:
        _eight(q, scale, x, out)
    else:
        half = (m + 1) // 2
        product(q, scale, x[:half], out[:, :half])
        product(q, scale, x[half:], out[:, half:])
