"""Machine code by numba, kept on disk where there is a folder that can be written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(*signature: str, fastmath: bool = False) -> Callable[[Function], Function]:
    """A decorator: machine code that runs without the interpreter's lock; with a signature at once, else at
    the first call. With `fastmath` the same sum may come out with other bits in another loop."""

    def compile_it(function: Function) -> Function:
        options = {"nogil": True, "boundscheck": False, "error_model": "numpy", "fastmath": fastmath}
        try:
            kept: Function = numba.njit(*signature, cache=True, **options)(function)
        except RuntimeError:  # no folder to keep it in: each process compiles it again
            kept = numba.njit(*signature, **options)(function)
        return kept

    return compile_it
