"""The compiled products of int8 matrices (extra `fast`: numba), and the fastest of them on this machine."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import cache, partial
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from spark_tui.engine.kernels.choice import (
    INPUTS,
    OUTPUTS,
    ROWS,
    Action,
    Choice,
    best_seconds,
    choose,
    kept,
    panels_seconds,
)
from spark_tui.engine.kernels.weight_strips import prepared
from spark_tui.engine.runtime.machine import memory_left

F32 = NDArray[np.float32]

AMX, VNNI, WIDENING, NUMPY = "amx", "vnni", "widening", "numpy"
COMPILED = (AMX, VNNI, WIDENING)
COMPILER_BYTES = 640 << 20
"""With less free memory numba is not loaded: it needs 370 MB of address space besides a model and its
cache."""
_PANEL = 64


def available() -> bool:
    """Whether numba is installed, and there is memory for it."""
    return not missing()


@cache
def missing() -> str:
    """Why nothing can be compiled, from the first call on; empty where it can."""
    if find_spec("numba") is None:
        return "numba is not installed"
    left = memory_left()
    return (
        "" if left is None or left >= COMPILER_BYTES else f"numba needs {COMPILER_BYTES >> 20} MB of memory"
    )


class Int8Product(NamedTuple):
    """One way to multiply an int8 matrix with float rows."""

    name: str
    pack: Callable[[NDArray[np.int8]], NDArray[Any]]
    """A matrix `[out, in]` in the order in which it is read."""
    multiply: Callable[[NDArray[Any], F32, F32, F32], None]
    """`(packed, scales of the outputs [out], rows [m, in], panels [p, m, panel])`."""
    fits: Callable[[int, int], bool]
    """Whether matrices of so many outputs, in panels of that many, can be multiplied."""
    exact: bool
    """Whether a row comes out the same, bit for bit, in any company."""


def find(name: str) -> Int8Product | None:
    """The product of this name; None where the processor lacks what it needs. The first call compiles it, or
    raises whatever the compiler does."""
    if name == AMX:
        from spark_tui.engine.kernels import tile_dot

        if not tile_dot.permitted():
            return None
        from spark_tui.engine.kernels import int8_tiles, int8_vnni

        return Int8Product(name, int8_vnni.pack, int8_tiles.product, int8_vnni.fits, exact=True)
    if name == VNNI:
        from spark_tui.engine.kernels import vnni_dot

        if not vnni_dot.LANES:
            return None
        from spark_tui.engine.kernels import int8_vnni

        return Int8Product(name, int8_vnni.pack, int8_vnni.product, int8_vnni.fits, exact=True)
    from spark_tui.engine.kernels import int8_widening

    return Int8Product(name, np.ascontiguousarray, int8_widening.product, int8_widening.fits, exact=False)


def choice() -> Choice:
    """The name of the product that wins, and against numpy up to how many rows. At the first use on a machine
    it compiles for seconds."""
    if not available():
        return Choice("", 0, {}, missing())
    with _one_at_a_time:
        return _choice()


def chosen() -> tuple[Int8Product | None, int, str]:
    """The fastest product, the most rows to use it for, and the reason if there is none."""
    try:
        found = choice()
        product = find(found.name) if found.name else None
    except Exception as error:  # whatever a compiler may raise
        return None, 0, f"{type(error).__name__}: {error}"
    return product, found.rows, found.trouble or ("" if product else "numpy is faster")


_one_at_a_time = threading.Lock()


@cache
def _choice() -> Choice:
    import numba

    from spark_tui.engine.kernels import tile_dot
    from spark_tui.engine.kernels.compiling import sources_digest

    # The same processor may let one process use AMX and another not.
    return kept("int8", (numba.__version__, COMPILED, sources_digest(), tile_dot.permitted()), _measured)


def _measured() -> Choice:
    trouble, times = "", {}
    for name in COMPILED:
        try:
            if (product := find(name)) is not None:
                times[name] = seconds(product)
        except Exception as error:  # whatever a compiler may raise: the others remain
            trouble = f"{type(error).__name__}: {error}"
    if not times:
        return Choice("", 0, {}, trouble)
    return choose({**times, NUMPY: panels_seconds(prepared)}, NUMPY)


def seconds(product: Int8Product) -> list[float]:
    """Of one product with each of `ROWS`."""
    return [best_seconds(product_of(product, OUTPUTS, INPUTS, rows)) for rows in ROWS]


def product_of(product: Int8Product, outputs: int, inputs: int, rows: int) -> Action:
    """A product of a matrix of this shape, packed already, with so many rows."""
    packed, scales = product.pack(np.ones((outputs, inputs), np.int8)), np.ones(outputs, np.float32)
    x, out = np.ones((rows, inputs), np.float32), np.empty((outputs // _PANEL, rows, _PANEL), np.float32)
    return partial(product.multiply, packed, scales, x, out)
