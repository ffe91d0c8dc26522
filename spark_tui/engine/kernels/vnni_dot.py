"""The inner loop of int8 products with VNNI: processors' dot products of four bytes, 8 or 16 at a time.

A loop over bytes written in Python does not become these instructions: the compiler widens every byte first.
So the loop is built here as LLVM code around the instruction itself.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
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
"""Bytes. Weights are asked for so far ahead: 16 rows take 1.2 times as long without it. 2,048 are too late
for memory, more than 16,384 too early for the first cache."""
LINE = 64
BASE = 256.0
"""What a byte counts in terms of the next lower one."""
WEIGHTS, INPUTS, STRIDE, STEPS, BEGINS, ROW_SCALES, SCALES, OUT_STRIDE, OUT = range(9)
"""Places in a frame, the numbers that `dots` reads: addresses, and lengths in bytes. `OUT` and those after
it say where each register of the first row goes, `OUT_STRIDE` bytes before that of the next row."""


def lanes() -> int:
    """Sums in a register: 16 with AVX-512, 8 with AVX-VNNI, 0 where the processor has neither."""
    features = target_features()
    if features.get("avx512vnni") and features.get("avx512vl"):
        return 16
    return 8 if features.get("avxvnni") else 0


def target_features() -> Mapping[str, bool]:
    """The features of the processor. None if numba compiles for another one (`NUMBA_CPU_NAME`), because
    LLVM aborts the process at an instruction that its target lacks."""
    if numba.config.CPU_NAME or numba.config.CPU_FEATURES is not None:
        return {}
    found: Mapping[str, bool] = binding.get_host_cpu_features()
    return found


LANES = lanes()
VECTORS, MOST_ROWS = (4 if LANES == 16 else 2), 2
"""Registers of outputs, and rows, that are computed together, so that all sums stay in registers."""
TILE = LANES * VECTORS
FRAME = OUT + VECTORS


def frame_code(build: Callable[[Any, Any], object]) -> Any:
    """A function for compiled code, of the address of a frame, with the code that `build(builder, address)`
    writes."""

    def typed(_: Any, place: Any) -> Any:
        def generate(context: Any, builder: Any, __: Any, arguments: Any) -> Any:
            build(builder, arguments[0])
            return context.get_dummy_value()

        return numba.types.void(place), generate

    return intrinsic(typed)


class DotCode:
    """What the inner loops of dot products have in common: reading a frame, and turning the integer sums of a
    row into floats."""

    def __init__(self, builder: Any, frame: Any) -> None:
        self.builder = builder
        self.byte, self.int, self.long = ir.IntType(8), ir.IntType(32), ir.IntType(64)
        self.ints, self.floats = ir.VectorType(self.int, LANES), ir.VectorType(ir.FloatType(), LANES)
        self.frame = builder.inttoptr(frame, self.long.as_pointer())

    def field(self, at: int) -> Any:
        """A number of the frame."""
        return self.builder.load(self.builder.gep(self.frame, [self.long(at)]))

    def load(self, place: Any, offset: int, kind: Any) -> Any:
        """The value `offset` bytes after an address."""
        address = self.builder.add(place, self.long(offset))
        found = self.builder.load(self.builder.inttoptr(address, kind.as_pointer()))
        found.align = 1
        return found

    def all(self, value: Any) -> Any:
        """A register with the value in each lane."""
        kind = ir.VectorType(value.type, LANES)
        first = self.builder.insert_element(ir.Constant(kind, ir.Undefined), value, self.int(0))
        zeros = ir.Constant(ir.VectorType(self.int, LANES), [0] * LANES)
        return self.builder.shuffle_vector(first, ir.Constant(kind, ir.Undefined), zeros)

    def function(self, name: str, result: Any, arguments: Sequence[Any]) -> Any:
        """A function of LLVM's."""
        return cgutils.get_or_insert_function(self.builder.module, ir.FunctionType(result, arguments), name)

    @contextmanager
    def loop(self, name: str, count: Any) -> Iterator[Any]:
        """A loop of `count` rounds, one at least: `with ... as number`."""
        builder = self.builder
        entry, loop, end = builder.block, builder.append_basic_block(name), builder.append_basic_block("end")
        builder.branch(loop)
        builder.position_at_end(loop)
        number = builder.phi(self.long)
        number.add_incoming(self.long(0), entry)
        yield number
        following = builder.add(number, self.long(1))
        number.add_incoming(following, builder.block)
        builder.cbranch(builder.icmp_signed("<", following, count), loop, end)
        builder.position_at_end(end)

    def ask_for(self, place: Any, offset: int) -> None:
        """Bring a cache line nearer. Beyond the end is allowed: nothing is read."""
        byte = self.byte.as_pointer()
        prefetch = self.function("llvm.prefetch.p0", ir.VoidType(), [byte, self.int, self.int, self.int])
        address = self.builder.inttoptr(self.builder.add(place, self.long(offset)), byte)
        read, keep, data_cache = (self.int(value) for value in (0, 3, 1))
        self.builder.call(prefetch, [address, read, keep, data_cache])

    def store_row(self, row: Any, sums: Sequence[Sequence[Any]]) -> None:
        """`((high * 256 + middle) * 256 + low) * row scale * output scale`, one register after the other:
        `sums` has the three of each."""
        builder = self.builder
        fused = self.function(f"llvm.fma.v{LANES}f32", self.floats, [self.floats] * 3)
        at_row = builder.add(self.field(ROW_SCALES), builder.mul(row, self.long(STEP)))
        row_scale = self.all(self.load(at_row, 0, ir.FloatType()))
        down = builder.mul(self.field(OUT_STRIDE), row)
        for at, parts in enumerate(sums):
            total, *lower = (builder.sitofp(part, self.floats) for part in parts)
            for item in lower:
                total = builder.call(fused, [total, self.all(ir.FloatType()(BASE)), item])
            scale = self.load(self.field(SCALES), STEP * LANES * at, self.floats)
            value = builder.fmul(total, builder.fmul(row_scale, scale))
            to = builder.inttoptr(builder.add(self.field(OUT + at), down), self.floats.as_pointer())
            builder.store(value, to).align = STEP


class _Loop(DotCode):
    """Writes the code of `dots` for so many rows. Each has three sums for every output: those of its high
    bytes, of its middle ones and of its low ones."""

    def __init__(self, rows: int, builder: Any, frame: Any) -> None:
        super().__init__(builder, frame)
        self.rows = rows
        self.build()

    def build(self) -> None:
        builder, field = self.builder, self.field
        dot = self.function("llvm.x86.avx512.vpdpbusd." + str(32 * LANES), self.ints, [self.ints] * 3)
        weights, inputs, stride, steps = (field(at) for at in (WEIGHTS, INPUTS, STRIDE, STEPS))
        starts = [
            self.all(self.load(field(BEGINS), STEP * part, self.int)) for part in range(PARTS * self.rows)
        ]
        entry = builder.block
        with self.loop("dots", steps) as step:
            sums = [builder.phi(self.ints) for _ in range(PARTS * self.rows * VECTORS)]
            place = builder.add(weights, builder.mul(step, self.long(STEP * TILE)))
            loaded = [self.load(place, STEP * LANES * at, self.ints) for at in range(VECTORS)]
            for line in range(0, STEP * TILE, LINE):
                self.ask_for(place, AHEAD + line)
            added = []
            for part in range(PARTS * self.rows):
                row = builder.add(inputs, builder.mul(stride, self.long(part)))
                four = self.all(self.load(builder.add(row, builder.mul(step, self.long(STEP))), 0, self.int))
                for at, weight in enumerate(loaded):
                    added.append(builder.call(dot, [sums[part * VECTORS + at], weight, four]))
            for at, (before, after) in enumerate(zip(sums, added, strict=True)):
                before.add_incoming(starts[at // VECTORS], entry)
                before.add_incoming(after, builder.block)
        for row in range(self.rows):
            parts = [added[(PARTS * row + part) * VECTORS :][:VECTORS] for part in range(PARTS)]
            self.store_row(self.long(row), list(zip(*parts, strict=True)))


dots: tuple[Callable[[int], None], ...] = tuple(
    frame_code(partial(_Loop, rows)) for rows in range(1, MOST_ROWS + 1)
)
"""`dots[rows - 1](address of a frame)` multiplies a tile of weights `[steps, TILE, 4]` with the rows."""
