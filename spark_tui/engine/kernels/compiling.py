"""Numba-compiled machine code, cached on disk if a folder is writable."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib.resources import files
from typing import Any, TypeVar

import numba
from numba.core.caching import FunctionCache

Function = TypeVar("Function", bound=Callable[..., Any])

_SOURCES = ("int8_", "vnni_dot", "tile_dot", "compiling")
"""What the names of the modules begin with that machine code is made of."""


@cache
def sources_digest() -> str:
    """The text of all kernels in short: they call each other and share constants across files."""
    digest = hashlib.sha256()
    for path in sorted(files(__package__).iterdir(), key=lambda item: item.name):
        if path.name.startswith(_SOURCES) and path.name.endswith(".py"):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


class _KernelCache(FunctionCache):  # type: ignore[misc]  # numba has no types
    """Numba's cache looks at the file of a function alone: a change of another file would keep stale code."""

    def _index_key(self, sig: Any, codegen: Any) -> tuple[Any, ...]:
        return (*super()._index_key(sig, codegen), sources_digest())


def compiled(*signature: str, fastmath: bool = False) -> Callable[[Function], Function]:
    """A decorator for machine code that runs without the interpreter's lock. With a signature it is
    compiled immediately, otherwise at the first call. With `fastmath` the same sum may have different
    bits in another loop."""

    def compile_it(function: Function) -> Function:
        options = {"nogil": True, "boundscheck": False, "error_model": "numpy", "fastmath": fastmath}
        made: Any = numba.njit(**options)(function)
        with suppress(RuntimeError):  # no folder to keep it in: each process compiles it again
            made._cache = _KernelCache(function)
        for item in signature:
            made.compile(item)
        if signature:
            made.disable_compile()
        kept: Function = made
        return kept

    return compile_it
