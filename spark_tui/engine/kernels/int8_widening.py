"""Compiled products of int8 matrices with one to sixteen float rows. Import only where numba is installed.

The arguments are `data` `[out, in]` int8 with `out` a multiple of four, `scale` `[out]` and rows `[m, in]`;
the result is `out[p, r, j]`, the panel form of `panels.py`.

Each loop keeps the sums of four outputs (two, for eight rows) in registers and converts a weight once for all
rows. Missing rows repeat the last one and are not written. The weights of a model do not fit the caches, and
the hardware prefetcher sees only short rows, so each loop prefetches `AHEAD` bytes further on; where matrices
are stored in the order of their use, that reaches the beginning of the next one.
"""

from __future__ import annotations

import importlib
from typing import Any

import numba
import numpy as np
from numba.extending import intrinsic
from numpy.typing import NDArray

from spark_tui.engine.kernels.compiling import compiled

F32 = NDArray[np.float32]
I8 = NDArray[np.int8]

ir: Any = importlib.import_module("llvmlite.ir")  # neither has types
cgutils: Any = importlib.import_module("numba.core.cgutils")

AHEAD = 8192
"""Bytes. 2,048 are too late for memory, more than 16,384 too early for the first cache."""
LINE = 64


def _asking(_: Any, array: Any, offset: Any) -> Any:
    signature = numba.types.void(array, offset)

    def generate(context: Any, builder: Any, called: Any, arguments: Any) -> Any:
        data = context.make_array(called.args[0])(context, builder, arguments[0]).data
        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        prefetch = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        place = builder.gep(builder.bitcast(data, byte), [arguments[1]])
        read, keep, data_cache = (ir.Constant(number, value) for value in (0, 3, 1))
        builder.call(prefetch, [place, read, keep, data_cache])
        return context.get_dummy_value()

    return signature, generate


ask_for: Any = intrinsic(_asking)
"""`ask_for(array, offset)`: bring the cache line at that byte nearer. Beyond the end is allowed: nothing is
read."""


@compiled(fastmath=True)
def _one(q: I8, scale: F32, x: F32, out: F32) -> None:
    outputs, depth = q.shape
    panel = out.shape[2]
    x0 = x[0]
    for g in range(0, outputs, 4):
        for line in range(0, 4 * depth, LINE):
            ask_for(q, g * depth + line + AHEAD)
        s0 = s1 = s2 = s3 = np.float32(0)
        w0, w1, w2, w3 = q[g], q[g + 1], q[g + 2], q[g + 3]
        for i in range(depth):
            v = x0[i]
            s0 += np.float32(w0[i]) * v
            s1 += np.float32(w1[i]) * v
            s2 += np.float32(w2[i]) * v
            s3 += np.float32(w3[i]) * v
        p = g // panel
        j = g - p * panel
        out[p, 0, j] = s0 * scale[g]
        out[p, 0, j + 1] = s1 * scale[g + 1]
        out[p, 0, j + 2] = s2 * scale[g + 2]
        out[p, 0, j + 3] = s3 * scale[g + 3]


@compiled(fastmath=True)
def _two(q: I8, scale: F32, x: F32, out: F32) -> None:
    outputs, depth = q.shape
    panel = out.shape[2]
    x0, x1 = x[0], x[1]
    for g in range(0, outputs, 4):
        for line in range(0, 4 * depth, LINE):
            ask_for(q, g * depth + line + AHEAD)
        s0 = s1 = s2 = s3 = np.float32(0)
        t0 = t1 = t2 = t3 = np.float32(0)
        w0, w1, w2, w3 = q[g], q[g + 1], q[g + 2], q[g + 3]
        for i in range(depth):
            f0, f1 = np.float32(w0[i]), np.float32(w1[i])
            f2, f3 = np.float32(w2[i]), np.float32(w3[i])
            v = x0[i]
            s0 += f0 * v
            s1 += f1 * v
            s2 += f2 * v
            s3 += f3 * v
            v = x1[i]
            t0 += f0 * v
            t1 += f1 * v
            t2 += f2 * v
            t3 += f3 * v
        p = g // panel
        j = g - p * panel
        out[p, 0, j] = s0 * scale[g]
        out[p, 0, j + 1] = s1 * scale[g + 1]
        out[p, 0, j + 2] = s2 * scale[g + 2]
        out[p, 0, j + 3] = s3 * scale[g + 3]
        out[p, 1, j] = t0 * scale[g]
        out[p, 1, j + 1] = t1 * scale[g + 1]
        out[p, 1, j + 2] = t2 * scale[g + 2]
        out[p, 1, j + 3] = t3 * scale[g + 3]


@compiled(fastmath=True)
def _four(q: I8, scale: F32, x: F32, out: F32) -> None:
    outputs, depth = q.shape
    m, panel = x.shape[0], out.shape[2]
    x0, x1, x2, x3 = x[0], x[1], x[2], x[min(3, m - 1)]
    for g in range(0, outputs, 4):
        for line in range(0, 4 * depth, LINE):
            ask_for(q, g * depth + line + AHEAD)
        s0 = s1 = s2 = s3 = np.float32(0)
        t0 = t1 = t2 = t3 = np.float32(0)
        u0 = u1 = u2 = u3 = np.float32(0)
        r0 = r1 = r2 = r3 = np.float32(0)
        w0, w1, w2, w3 = q[g], q[g + 1], q[g + 2], q[g + 3]
        for i in range(depth):
            f0, f1 = np.float32(w0[i]), np.float32(w1[i])
            f2, f3 = np.float32(w2[i]), np.float32(w3[i])
            v = x0[i]
            s0 += f0 * v
            s1 += f1 * v
            s2 += f2 * v
            s3 += f3 * v
            v = x1[i]
            t0 += f0 * v
            t1 += f1 * v
            t2 += f2 * v
            t3 += f3 * v
            v = x2[i]
            u0 += f0 * v
            u1 += f1 * v
            u2 += f2 * v
            u3 += f3 * v
            v = x3[i]
            r0 += f0 * v
            r1 += f1 * v
            r2 += f2 * v
            r3 += f3 * v
        p = g // panel
        j = g - p * panel
        c0, c1, c2, c3 = scale[g], scale[g + 1], scale[g + 2], scale[g + 3]
        out[p, 0, j], out[p, 0, j + 1], out[p, 0, j + 2], out[p, 0, j + 3] = (
            s0 * c0,
            s1 * c1,
            s2 * c2,
            s3 * c3,
        )
        out[p, 1, j], out[p, 1, j + 1], out[p, 1, j + 2], out[p, 1, j + 3] = (
            t0 * c0,
            t1 * c1,
            t2 * c2,
            t3 * c3,
        )
        out[p, 2, j], out[p, 2, j + 1], out[p, 2, j + 2], out[p, 2, j + 3] = (
            u0 * c0,
            u1 * c1,
            u2 * c2,
            u3 * c3,
        )
        if m > 3:
            out[p, 3, j], out[p, 3, j + 1], out[p, 3, j + 2], out[p, 3, j + 3] = (
                r0 * c0,
                r1 * c1,
                r2 * c2,
                r3 * c3,
            )


@compiled(fastmath=True)
def _eight(q: I8, scale: F32, x: F32, out: F32) -> None:
    outputs, depth = q.shape
    m, panel = x.shape[0], out.shape[2]
    x0, x1, x2, x3, x4 = x[0], x[1], x[2], x[3], x[4]
    x5, x6, x7 = x[min(5, m - 1)], x[min(6, m - 1)], x[min(7, m - 1)]
    for g in range(0, outputs, 2):
        for line in range(0, 2 * depth, LINE):
            ask_for(q, g * depth + line + AHEAD)
        a0 = a1 = a2 = a3 = a4 = a5 = a6 = a7 = np.float32(0)
        b0 = b1 = b2 = b3 = b4 = b5 = b6 = b7 = np.float32(0)
        w0, w1 = q[g], q[g + 1]
        for i in range(depth):
            f0, f1 = np.float32(w0[i]), np.float32(w1[i])
            a0 += f0 * x0[i]
            b0 += f1 * x0[i]
            a1 += f0 * x1[i]
            b1 += f1 * x1[i]
            a2 += f0 * x2[i]
            b2 += f1 * x2[i]
            a3 += f0 * x3[i]
            b3 += f1 * x3[i]
            a4 += f0 * x4[i]
            b4 += f1 * x4[i]
            a5 += f0 * x5[i]
            b5 += f1 * x5[i]
            a6 += f0 * x6[i]
            b6 += f1 * x6[i]
            a7 += f0 * x7[i]
            b7 += f1 * x7[i]
        p = g // panel
        j = g - p * panel
        c0, c1 = scale[g], scale[g + 1]
        out[p, 0, j], out[p, 0, j + 1] = a0 * c0, b0 * c1
        out[p, 1, j], out[p, 1, j + 1] = a1 * c0, b1 * c1
        out[p, 2, j], out[p, 2, j + 1] = a2 * c0, b2 * c1
        out[p, 3, j], out[p, 3, j + 1] = a3 * c0, b3 * c1
        out[p, 4, j], out[p, 4, j + 1] = a4 * c0, b4 * c1
        if m > 5:
            out[p, 5, j], out[p, 5, j + 1] = a5 * c0, b5 * c1
        if m > 6:
            out[p, 6, j], out[p, 6, j + 1] = a6 * c0, b6 * c1
        if m > 7:
            out[p, 7, j], out[p, 7, j + 1] = a7 * c0, b7 * c1


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
