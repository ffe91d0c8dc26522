"""Products of int8 matrices with float rows through AMX (see `tile_dot.py`). Import only where numba is
installed, and use only where `tile_dot.permitted()`.

Weights are packed as for VNNI, which multiplies a few rows faster, with the same bits.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spark_tui.engine.kernels import int8_vnni, tile_dot
from spark_tui.engine.kernels.compiling import compiled
from spark_tui.engine.kernels.int8_vnni import FLOAT_BYTES, point_at, split
from spark_tui.engine.kernels.tile_dot import (
    COUNT,
    MOST_ROWS,
    SUMS,
    TILE_FRAME,
    TILE_ROWS,
    configure,
    layout,
    release,
)
from spark_tui.engine.kernels.vnni_dot import (
    BEGINS,
    INPUTS,
    LINE,
    OUT,
    PARTS,
    ROW_SCALES,
    STEP,
    STRIDE,
    TILE,
    VECTORS,
)

F32 = NDArray[np.float32]
CACHED_BYTES = 1 << 20
"""Weights that all rows are multiplied with before the next ones are read: they fit the second cache."""
LEAST_ROWS = 3
"""Fewer are multiplied by VNNI."""
LAYOUTS = np.stack([layout(max(1, rows)) for rows in range(MOST_ROWS + 1)])
FEW, SOME = (tiles * TILE_ROWS // PARTS for tiles in (1, 2))
_few, _some, _many = tile_dot.dots
_by_vnni = int8_vnni.product


@compiled("int8[::1](int64)")
def _lines(size: int) -> NDArray[np.int8]:
    """Zeros from the beginning of a cache line on: a tile register takes 2.5 times as long to load across
    borders."""
    block = np.zeros(size + LINE, np.int8)
    start = -block.ctypes.data % LINE
    return block[start : start + size]


@compiled("void(uint8[:,:,::1], float32[::1], float32[:,::1], float32[:,:,:])")
def product(data: NDArray[np.uint8], scale: F32, x: F32, out: F32) -> None:
    """`out[p, r, j] = scale[o] * sum(weights[o] * x[r])` with `o = p * panel + j`, for any number of rows."""
    rows, tiles = x.shape[0], data.shape[0]
    if rows < LEAST_ROWS:
        _by_vnni(data, scale, x, out)
        return
    stride = data.shape[1] * STEP + LINE  # rows a power of two apart would share their places in the cache
    lines = PARTS * rows + TILE_ROWS  # the last tile may be read whole
    parts = _lines(lines * stride).reshape(lines, stride)
    begins, scales = np.empty((rows, PARTS), np.int32), np.empty(rows, np.float32)
    split(x, parts, begins, scales)
    frame, sums = np.empty(TILE_FRAME, np.int64), _lines(PARTS * MOST_ROWS * TILE * FLOAT_BYTES)
    shape = np.empty(LAYOUTS.shape[1], np.uint8)
    frame[STRIDE], frame[SUMS] = stride, sums.ctypes.data
    at_once = max(1, CACHED_BYTES // data.strides[0])
    for low in range(0, tiles, at_once):
        for row in range(0, rows, MOST_ROWS):
            count = min(MOST_ROWS, rows - row)
            shape[:] = LAYOUTS[count]
            configure(shape.ctypes.data)
            frame[COUNT] = count
            frame[INPUTS] = parts.ctypes.data + PARTS * row * stride
            frame[BEGINS] = begins.ctypes.data + PARTS * row * FLOAT_BYTES
            frame[ROW_SCALES] = scales.ctypes.data + row * FLOAT_BYTES
            for tile in range(low, min(tiles, low + at_once)):
                point_at(frame, data, scale, out, tile)
                for vector in range(VECTORS):
                    frame[OUT + vector] += row * out.strides[1]
                if count <= FEW:
                    _few(frame.ctypes.data)
                elif count <= SOME:
                    _some(frame.ctypes.data)
                else:
                    _many(frame.ctypes.data)
    release()
