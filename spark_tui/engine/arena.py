"""Uninitialized memory for weights: a few large blocks, aligned to cache lines.

Linux backs large blocks with huge pages on request, and numpy requests them from 4 MB on; single matrices
of a small model are below that. docs/LOG.md has the measured gain.
"""

from __future__ import annotations

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
        self._shared: NDArray[np.float32] = np.empty(0, np.float32)

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

    def shared(self, count: int) -> NDArray[np.float32]:
        """Scratch memory of `count` floats for one product; the next caller gets the same memory."""
        if self._shared.size < count:
            self._shared = Arena().take((count,))
        return self._shared[:count]


def _block(count: int) -> tuple[NDArray[np.uint8], int]:
    """Memory for `count` bytes and where its first cache line begins."""
    block = np.empty(count + LINE_BYTES, np.uint8)
    return block, -block.__array_interface__["data"][0] % LINE_BYTES
