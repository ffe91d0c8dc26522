"""Uninitialized memory: a few large blocks for weights, aligned to cache lines, and scratch for each thread.

Linux backs large blocks with huge pages on request, and numpy requests them from 4 MB on; single matrices
of a small model are below that. docs/LOG.md has the measured gain.
"""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

BLOCK_BYTES = 1 << 25
LINE_BYTES = 64


class Arena:
    """Hands out arrays that live as long as any of them does."""

    def __init__(self) -> None:
        self._block: NDArray[np.uint8] = np.empty(0, np.uint8)
        self._at = 0

    def take(self, shape: tuple[int, ...], dtype: DTypeLike = np.float32) -> NDArray[Any]:
        """An uninitialized array that begins on a cache line."""
        kind = np.dtype(dtype)
        count = int(np.prod(shape)) * kind.itemsize
        room = -(-count // LINE_BYTES) * LINE_BYTES
        if room > BLOCK_BYTES // 2:
            block, at = _block(room)
        else:
            if self._at + room > self._block.size:
                self._block, self._at = _block(BLOCK_BYTES)
            block, at = self._block, self._at
            self._at += room
        return block[at : at + count].view(kind).reshape(shape)


class Scratch(threading.local):
    """Scratch memory of the thread that asks."""

    def __init__(self) -> None:
        self._held: dict[str, NDArray[np.float32]] = {}

    def room(self, name: str, *shape: int) -> NDArray[np.float32]:
        """Floats of this shape, whatever they were. Who asks for the same name next gets the same memory."""
        size = 1
        for extent in shape:
            size *= extent
        held = self._held.get(name)
        if held is None or held.size < size:
            block, at = _block(size * 4)
            held = self._held[name] = block[at : at + size * 4].view(np.float32)
        return held[:size].reshape(shape)


SCRATCH = Scratch()
"""For what lasts no longer than one call."""


def _block(count: int) -> tuple[NDArray[np.uint8], int]:
    """Memory for `count` bytes and where its first cache line begins."""
    block = np.empty(count + LINE_BYTES, np.uint8)
    return block, -block.__array_interface__["data"][0] % LINE_BYTES
