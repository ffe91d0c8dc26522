"""Products of int8 matrices with float rows through VNNI (see `vnni_dot.py`). Import only where numba is
installed, and use only where `LANES` is not 0.

A row is rounded to 24 bits with one scale, so it loses no more than float sums do; its high, middle and low
bytes are multiplied as if they were three rows. Weights are stored as bytes without sign, 128 too large, in
tiles in the order in which they are read. The sums of integers are exact, so a row comes out the same in any
company, which `fastmath` would spoil.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spark_tui.engine.kernels import vnni_dot
from spark_tui.engine.kernels.compiling import compiled
from spark_tui.engine.kernels.panels import round_up
from spark_tui.engine.kernels.vnni_dot import (
    BEGINS,
    FRAME,
    INPUTS,
    LANES,
    LINE,
    MOST_ROWS,
    OUT,
    OUT_STRIDE,
    PARTS,
    ROW_SCALES,
    SCALES,
    STEP,
    STEPS,
    STRIDE,
    TILE,
    VECTORS,
    WEIGHTS,
)
from spark_tui.engine.runtime.arena import Arena

F32 = NDArray[np.float32]
LEVELS = np.float32(127 << 16)
"""The largest input as an integer: its high byte fits, and floats hold it exactly."""
FLOAT_BYTES = 4
_one_row, _two_rows = vnni_dot.dots


def pack(data: NDArray[np.int8]) -> NDArray[np.uint8]:
    """`[out, in]` as tiles `[tiles, steps, TILE * 4]`, the inputs filled up to whole cache lines. The last
    tile begins early enough to be whole."""
    width, depth = data.shape
    steps = round_up(depth, LINE) // STEP
    tiles = Arena().take((-(-width // TILE), steps, TILE * STEP), np.dtype(np.uint8))
    tiles.fill(128)
    padded = np.zeros((TILE, steps * STEP), np.int8)
    for number, tile in enumerate(tiles):
        start = min(number * TILE, width - TILE)
        padded[:, :depth] = data[start : start + TILE]
        bytes_of = padded.reshape(TILE, steps, STEP).transpose(1, 0, 2)
        np.add(bytes_of, 128, out=tile.reshape(steps, TILE, STEP), dtype=np.int16, casting="unsafe")
    return tiles


def fits(width: int, panel: int) -> bool:
    """Whether a matrix has a whole tile, and no register of outputs crosses a border of panels."""
    return LANES > 0 and width >= TILE and width % LANES == 0 and panel % LANES == 0


@compiled("void(float32[:,::1], int8[:,::1], int32[:,::1], float32[::1])")
def split(x: F32, parts: NDArray[np.int8], begins: NDArray[np.int32], scales: F32) -> None:
    """Rows as bytes, `[rows * PARTS, in]`, the high ones first; what takes back the 128 too many of each
    weight; and the scales."""
    bits, whole = x.view(np.int32), np.empty(x.shape[1], np.int32)
    for row in range(x.shape[0]):
        values, patterns = x[row], bits[row]
        high, middle, low = parts[PARTS * row], parts[PARTS * row + 1], parts[PARTS * row + 2]
        top = np.int32(0)  # of positive floats, the bits have the same order; NaN is the largest
        for at in range(values.size):
            top = max(top, np.int32(patterns[at] & 0x7FFFFFFF))
        largest = np.int32(top).view(np.float32)
        factor = LEVELS / largest if top > 0 else np.float32(0)
        highs = middles = lows = 0
        # One short loop for each byte: the compiler makes vector code of these, not of one for all.
        for at in range(values.size):
            whole[at] = np.int32(np.rint(values[at] * factor))
        for at in range(values.size):
            low[at] = np.int8(whole[at])
            lows += low[at]
        for at in range(values.size):
            middle[at] = np.int8((whole[at] + 128) >> 8)
            middles += middle[at]
        for at in range(values.size):
            high[at] = np.int8((whole[at] + 128 + (128 << 8)) >> 16)
            highs += high[at]
        begins[row, 0], begins[row, 1], begins[row, 2] = -128 * highs, -128 * middles, -128 * lows
        scales[row] = largest / LEVELS


@compiled("void(int64[::1], uint8[:,:,::1], float32[::1], float32[:,:,:], int64)")
def point_at(frame: NDArray[np.int64], data: NDArray[np.uint8], scale: F32, out: F32, tile: int) -> None:
    """Write to the frame where a tile's weights and scales are, and where its first row goes."""
    panel = out.shape[2]
    start = min(tile * TILE, out.shape[0] * panel - TILE)
    frame[STEPS], frame[OUT_STRIDE] = data.shape[1], out.strides[1]
    frame[WEIGHTS] = data.ctypes.data + tile * data.strides[0]
    frame[SCALES] = scale.ctypes.data + start * FLOAT_BYTES
    for vector in range(VECTORS):
        output = start + vector * LANES
        at = output // panel
        frame[OUT + vector] = out.ctypes.data + at * out.strides[0] + (output - at * panel) * FLOAT_BYTES


@compiled("void(uint8[:,:,::1], float32[::1], float32[:,::1], float32[:,:,:])")
def product(data: NDArray[np.uint8], scale: F32, x: F32, out: F32) -> None:
    """`out[p, r, j] = scale[o] * sum(weights[o] * x[r])` with `o = p * panel + j`, for any number of rows."""
    rows, stride = x.shape[0], data.shape[1] * STEP
    parts = np.zeros((PARTS * rows, stride), np.int8)
    begins, scales = np.empty((rows, PARTS), np.int32), np.empty(rows, np.float32)
    split(x, parts, begins, scales)
    frame = np.empty(FRAME, np.int64)
    frame[STRIDE] = stride
    for tile in range(data.shape[0]):
        point_at(frame, data, scale, out, tile)
        row = 0
        while row < rows:
            count = min(MOST_ROWS, rows - row)
            frame[INPUTS] = parts.ctypes.data + PARTS * row * stride
            frame[BEGINS] = begins.ctypes.data + PARTS * row * FLOAT_BYTES
            frame[ROW_SCALES] = scales.ctypes.data + row * FLOAT_BYTES
            if count == 1:
                _one_row(frame.ctypes.data)
            else:
                _two_rows(frame.ctypes.data)
            for vector in range(VECTORS):
                frame[OUT + vector] += count * out.strides[1]
            row += count
