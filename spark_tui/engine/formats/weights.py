"""A model as read from a folder or a GGUF file, and the check that its weights are finite."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from spark_tui.engine.architecture import Arch, weight_shapes
from spark_tui.engine.runtime.machine import memory_free, memory_left
from spark_tui.errors import MalformedInput, Misfit

Array = npt.NDArray[np.float32]
Progress = Callable[[int, int], None]
"""Called with bytes done and bytes in all, rising, the last call with both equal."""

_CHECK_ELEMENTS = 1 << 20


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A model as read: `weights` by the names of `architecture.weight_shapes`; treat them as read-only."""

    arch: Arch
    weights: dict[str, Array]


@dataclass(frozen=True, slots=True)
class TensorEntry:
    """One tensor of a file's header. `shape` is numpy's order (rows first); `begin` and `end` are checked
    byte offsets in the file."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    begin: int
    end: int


def check_memory(arch: Arch, where: str) -> None:
    """Weights that do not fit the memory are refused before they are read: the system would end the process.
    A table of its own, beside the head, may stay in its file."""
    shapes = weight_shapes(arch)
    needed = 4 * sum(math.prod(shapes[name]) for name in shapes if arch.tied_head or name != "embed.tok")
    rooms = [room for room in (memory_free(), memory_left()) if room is not None]
    if rooms and needed > min(rooms):
        raise Misfit(
            f"the weights take {needed / 1e9:.1f} GB of memory, and {min(rooms) / 1e9:.1f} GB are free",
            where=where,
            hint="Choose a smaller model, or connect to a server that runs it (`spark connect`).",
        )


def check_finite(values: Array, name: str, where: str) -> None:
    """NaN and infinity are refused. A sum over finite weights is finite, so one pass without scratch finds
    them."""
    flat = values.reshape(-1)
    for start in range(0, flat.size, _CHECK_ELEMENTS):
        piece = flat[start : start + _CHECK_ELEMENTS]
        with np.errstate(all="ignore"):
            suspicious = not np.isfinite(piece.sum())
        if suspicious and not np.isfinite(piece).all():
            place = start + int(np.argmin(np.isfinite(piece)))
            index = [int(at) for at in np.unravel_index(place, values.shape)]
            raise MalformedInput(
                f"tensor {name} holds {float(flat[place])} at {index}",
                where=where,
                hint="The weights are damaged: download or train them again.",
            )
