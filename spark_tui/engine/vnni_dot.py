"""The inner loop of int8 products with VNNI: processors' dot products of four bytes, 8 or 16 at a time.

A loop over bytes written in Python does not become these instructions: the compiler widens every byte first.
So the loop is built here as LLVM code around the instruction itself.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numba
from numba.extending import intrinsic

ir: Any = importlib.import_module("llvmlite.ir")  # neither has types
binding: Any = importlib.import_module("llvmlite.binding")
cgutils: Any = importlib.import_module("numba.core.cgutils")

STEP = 4
"""Bytes in one step of a dot product."""
PARTS = 3
"""Bytes of an input: as many as float sums keep right. Each is multiplied as if it were a row of its own."""
AHEAD = 8192
"""Bytes. Weights are asked for so far ahead: 16 rows take 1.2 times as long without it."""
LINE = 64
BASE = 256.0
"""What a byte counts in terms of the next lower one."""
WEIGHTS, INPUTS, STRIDE, STEPS, BEGINS, ROW_SCALES, SCALES, OUT_STRIDE, OUT = range(9)
"""Places in a frame, the numbers that `dots` reads: addresses, and lengths in bytes. `OUT` and those behind
it say where each register of the first row goes, `OUT_STRIDE` bytes before that of the next row."""


def lanes() -> int:
    """Sums in a register: 16 with AVX-512, 8 with AVX-VNNI, 0 where the processor has neither."""
    features = binding.get_host_cpu_features()
    if features.get("avx512vnni") and features.get("avx512vl"):
        return 16
    return 8 if features.get("avxvnni") else 0


LANES = lanes()
VECTORS, MOST_ROWS = (4 if LANES == 16 else 2), 2
"""Registers of outputs, and rows, that are computed together, so that all sums stay in registers."""
TILE = LANES * VECTORS
FRAME = OUT + VECTORS


def _dots(rows: int) -> Any:
    def typed(_: Any, place: Any) -> Any:
        def generate(context: Any, builder: Any, __: Any, arguments: Any) -> Any:
            _Loop(builder, arguments[0], rows).build()
            return context.get_dummy_value()

        return numba.types.void(place), generate

    return intrinsic(typed)


class _Loop:
    """Writes the code of `dots` for so many rows. Each has three sums for every output: those of its high
    bytes, of its middle ones and of its low ones."""

    def __init__(self, builder: Any, frame: Any, rows: int) -> None:
        self.builder, self.rows = builder, rows
        self.byte, self.int, self.long = ir.IntType(8), ir.IntType(32), ir.IntType(64)
        self.ints, self.floats = ir.VectorType(self.int, LANES), ir.VectorType(ir.FloatType(), LANES)
        self.frame = builder.inttoptr(frame, self.long.as_pointer())

    def build(self) -> None:
        builder, field = self.builder, self._field
        dot = self._function("llvm.x86.avx512.vpdpbusd." + str(32 * LANES), self.ints, 3)
        weights, inputs, stride, steps = (field(at) for at in (WEIGHTS, INPUTS, STRIDE, STEPS))
        starts = [
            self._all(self._load(field(BEGINS), STEP * part, self.int)) for part in range(PARTS * self.rows)
        ]
        entry, loop, end = builder.block, *(builder.append_basic_block(name) for name in ("dots", "end"))
        builder.branch(loop)
        builder.position_at_end(loop)
        step = builder.phi(self.long)
        sums = [builder.phi(self.ints) for _ in range(PARTS * self.rows * VECTORS)]
        place = builder.add(weights, builder.mul(step, self.long(STEP * TILE)))
        loaded = [self._load(place, STEP * LANES * at, self.ints) for at in range(VECTORS)]
        for line in range(0, STEP * TILE, LINE):
            self._ask_for(place, AHEAD + line)
        added = []
        for part in range(PARTS * self.rows):
            row = builder.add(inputs, builder.mul(stride, self.long(part)))
            four = self._all(self._load(builder.add(row, builder.mul(step, self.long(STEP))), 0, self.int))
            for at, weight in enumerate(loaded):
                added.append(builder.call(dot, [sums[part * VECTORS + at], weight, four]))
        following = builder.add(step, self.long(1))
        step.add_incoming(self.long(0), entry)
        step.add_incoming(following, loop)
        for at, (before, after) in enumerate(zip(sums, added, strict=True)):
            before.add_incoming(starts[at // VECTORS], entry)
            before.add_incoming(after, loop)
        builder.cbranch(builder.icmp_signed("<", following, steps), loop, end)
        builder.position_at_end(end)
        self._store(added)

    def _store(self, sums: list[Any]) -> None:
        """`((high * 256 + middle) * 256 + low) * row scale * output scale`, one register after the other."""
        builder, field = self.builder, self._field
        fused = self._function(f"llvm.fma.v{LANES}f32", self.floats, 3)
        scales = [self._load(field(SCALES), STEP * LANES * at, self.floats) for at in range(VECTORS)]
        for row in range(self.rows):
            row_scale = self._all(self._load(field(ROW_SCALES), STEP * row, ir.FloatType()))
            down = builder.mul(field(OUT_STRIDE), self.long(row))
            for at in range(VECTORS):
                parts = [
                    builder.sitofp(sums[(PARTS * row + part) * VECTORS + at], self.floats)
                    for part in range(PARTS)
                ]
                total = parts[0]
                for lower in parts[1:]:
                    total = builder.call(fused, [total, self._all(ir.FloatType()(BASE)), lower])
                value = builder.fmul(total, builder.fmul(row_scale, scales[at]))
                to = builder.inttoptr(builder.add(field(OUT + at), down), self.floats.as_pointer())
                builder.store(value, to).align = STEP

    def _ask_for(self, place: Any, offset: int) -> None:
        """Bring a cache line nearer. Beyond the end is allowed: nothing is read."""
        byte = self.byte.as_pointer()
        kind = ir.FunctionType(ir.VoidType(), [byte, self.int, self.int, self.int])
        prefetch = cgutils.get_or_insert_function(self.builder.module, kind, "llvm.prefetch.p0")
        address = self.builder.inttoptr(self.builder.add(place, self.long(offset)), byte)
        read, keep, data_cache = (self.int(value) for value in (0, 3, 1))
        self.builder.call(prefetch, [address, read, keep, data_cache])

    def _field(self, at: int) -> Any:
        return self.builder.load(self.builder.gep(self.frame, [self.long(at)]))

    def _load(self, place: Any, offset: int, kind: Any) -> Any:
        address = self.builder.add(place, self.long(offset))
        found = self.builder.load(self.builder.inttoptr(address, kind.as_pointer()))
        found.align = 1
        return found

    def _all(self, value: Any) -> Any:
        """A register with the value in each lane."""
        kind = ir.VectorType(value.type, LANES)
        first = self.builder.insert_element(ir.Constant(kind, ir.Undefined), value, self.int(0))
        zeros = ir.Constant(ir.VectorType(self.int, LANES), [0] * LANES)
        return self.builder.shuffle_vector(first, ir.Constant(kind, ir.Undefined), zeros)

    def _function(self, name: str, kind: Any, arguments: int) -> Any:
        return cgutils.get_or_insert_function(
            self.builder.module, ir.FunctionType(kind, [kind] * arguments), name
        )


dots: tuple[Callable[[int], None], ...] = tuple(_dots(rows) for rows in range(1, MOST_ROWS + 1))
"""`dots[rows - 1](address of a frame)` multiplies a tile of weights `[steps, TILE, 4]` with the rows."""
