"""The inner loop of int8 products with AMX: 16 rows times 16 outputs times 64 bytes in one instruction.

It reads and writes what the loop of `vnni_dot.py` does, and adds the same integers, so both come to the same
bits. The eight tile registers belong to a thread, from `configure` to `release`.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any

import numba
import numpy as np
from numba.extending import intrinsic
from numpy.typing import NDArray

from spark_tui.engine.kernels.vnni_dot import (
    AHEAD,
    BEGINS,
    FRAME,
    INPUTS,
    LANES,
    PARTS,
    STEP,
    STEPS,
    STRIDE,
    TILE,
    VECTORS,
    WEIGHTS,
    DotCode,
    frame_code,
    ir,
    target_features,
)

TILES, TILE_ROWS, TILE_BYTES = 8, 16, 64
MOST_ROWS = 16
"""Rows that are computed together: three tiles of bytes."""
SUMS, COUNT = FRAME, FRAME + 1
"""Two more places in a frame: room for sums, `[PARTS * MOST_ROWS, TILE]` integers, and the number of rows."""
TILE_FRAME = FRAME + 2
SIDE_BY_SIDE = {1: 4, 2: 2, 3: 2}
"""Registers of outputs that are computed together, for so many tiles of rows: with their sums, rows and
weights they fill the eight tiles. Three tiles of rows are loaded again for each register of outputs."""
PERMIT, TILE_DATA, ARCH_PRCTL = 0x1023, 18, 158


@cache
def permitted() -> bool:
    """Whether the processor has these instructions, and the system lets this process use them."""
    if not (LANES == TILE_ROWS and target_features().get("amx-int8") and sys.platform == "linux"):
        return False
    return int(ctypes.CDLL(None).syscall(ARCH_PRCTL, PERMIT, TILE_DATA)) == 0


def layout(rows: int) -> NDArray[np.uint8]:
    """What `configure` reads: the rows and bytes of each tile, for products of so many rows."""
    tiles = tiles_of(rows)
    wide = SIDE_BY_SIDE[tiles]
    if rows_stay(tiles):
        heights = [min(TILE_ROWS, PARTS * rows - TILE_ROWS * tile) for tile in range(tiles)]
        every = [*(height for height in heights for _ in range(wide)), *heights]
    else:
        every = []
    every += [TILE_ROWS] * (TILES - len(every))
    found = np.zeros(64, np.uint8)
    found[0] = 1
    found[16:32].view(np.uint16)[:] = TILE_BYTES
    found[48:56] = every
    return found


def rows_stay(tiles: int) -> bool:
    """Whether there is a register for each tile of rows, or one for all of them, in turns."""
    return tiles * SIDE_BY_SIDE[tiles] + tiles < TILES


def tiles_of(rows: int) -> int:
    """How many tiles the bytes of so many rows take."""
    return -(-PARTS * rows // TILE_ROWS)


class _Tiles(DotCode):
    """Writes the code of `dots` for so many tiles of rows."""

    def __init__(self, tiles: int, builder: Any, frame: Any) -> None:
        super().__init__(builder, frame)
        self.tiles, self.wide = tiles, SIDE_BY_SIDE[tiles]
        self.number = ir.IntType(8)
        self.build()

    def build(self) -> None:
        builder = self.builder
        blocks = builder.udiv(self.field(STEPS), self.long(TILE_ROWS))
        for first in range(0, VECTORS, self.wide):
            for tile in range(self.tiles * self.wide):
                self._tile("tilezero", tile)
            with self.loop("blocks", blocks) as block:
                self._block(first, block)
            for tile in range(self.tiles):
                for at in range(self.wide):
                    offset = tile * TILE_ROWS * TILE * STEP + (first + at) * TILE_BYTES
                    self._move("tilestored64", tile * self.wide + at, self.field(SUMS), offset, TILE * STEP)
        with self.loop("rows", self.field(COUNT)) as row:
            self._row(row)

    def _block(self, first: int, block: Any) -> None:
        """64 bytes of all rows times those of `wide` registers of outputs."""
        builder = self.builder
        inputs = builder.add(self.field(INPUTS), builder.mul(block, self.long(TILE_BYTES)))
        size = TILE_ROWS * STEP * TILE
        weights = builder.add(self.field(WEIGHTS), builder.mul(block, self.long(size)))
        stride, stay = self.field(STRIDE), rows_stay(self.tiles)
        rows_at = self.tiles * self.wide
        weights_at = rows_at + (self.tiles if stay else 1)
        for at in range(self.wide):
            weight = weights_at + at % (TILES - weights_at)
            offset = (first + at) * TILE_BYTES
            self._move("tileloadd64", weight, weights, offset, TILE * STEP)
            for tile in range(self.tiles):
                rows = rows_at + tile * stay
                if not (at and stay):
                    place = builder.add(inputs, builder.mul(stride, self.long(tile * TILE_ROWS)))
                    self._move("tileloadd64", rows, place, 0, stride)
                self._tile("tdpbsud", tile * self.wide + at, rows, weight)
            for line in range(0, TILE_ROWS * STEP * TILE, STEP * TILE):
                self.ask_for(weights, AHEAD + offset + line)

    def _row(self, row: Any) -> None:
        builder = self.builder
        lines = builder.mul(row, self.long(PARTS))
        sums = builder.add(self.field(SUMS), builder.mul(lines, self.long(TILE * STEP)))
        begins = builder.add(self.field(BEGINS), builder.mul(lines, self.long(STEP)))
        starts = [self.all(self.load(begins, STEP * part, self.int)) for part in range(PARTS)]
        self.store_row(
            row,
            [
                [
                    builder.add(start, self.load(sums, part * TILE * STEP + at * TILE_BYTES, self.ints))
                    for part, start in enumerate(starts)
                ]
                for at in range(VECTORS)
            ],
        )

    def _tile(self, name: str, *tiles: int) -> None:
        function = self.function(f"llvm.x86.{name}", ir.VoidType(), [self.number] * len(tiles))
        self.builder.call(function, [self.number(tile) for tile in tiles])

    def _move(self, name: str, tile: int, place: Any, offset: int, stride: Any) -> None:
        pointer = self.byte.as_pointer()
        function = self.function(f"llvm.x86.{name}", ir.VoidType(), [self.number, pointer, self.long])
        address = self.builder.inttoptr(self.builder.add(place, self.long(offset)), pointer)
        self.builder.call(
            function, [self.number(tile), address, self.long(stride) if isinstance(stride, int) else stride]
        )


def _configure(builder: Any, place: Any) -> None:
    code = DotCode(builder, place)
    pointer = code.byte.as_pointer()
    load = code.function("llvm.x86.ldtilecfg", ir.VoidType(), [pointer])
    builder.call(load, [builder.inttoptr(place, pointer)])


def _release(_: Any) -> Any:
    def generate(context: Any, builder: Any, __: Any, ___: Any) -> Any:
        code = DotCode(builder, ir.IntType(64)(0))
        builder.call(code.function("llvm.x86.tilerelease", ir.VoidType(), []), [])
        return context.get_dummy_value()

    return numba.types.void(), generate


configure: Any = frame_code(_configure)
"""`configure(address of a layout)`: before the first product of so many rows."""
release: Any = intrinsic(_release)
"""`release()`: after the last one."""
dots: Sequence[Callable[[int], None]] = tuple(frame_code(partial(_Tiles, tiles)) for tiles in SIDE_BY_SIDE)
"""`dots[tiles - 1](address of a frame)` multiplies a tile of weights with up to 5, 10 or 16 rows."""
