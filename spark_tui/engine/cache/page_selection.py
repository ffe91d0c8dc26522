"""Which pages of a long context a row attends to.

The smallest and largest key of a page, channel by channel, bound every score in it from above. A row that
sees more than `SELECTED` pages attends to the first page, its own, the one before it, and those with the
highest bounds; up to `SELECTED` pages (4,096 keys) it attends to everything. The selection depends only on
the row's own position and queries, so passes may still be split anywhere.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from spark_tui.engine.kernels.attention import PAGE, Range

F32 = NDArray[np.float32]

SELECTED = 64


class KeyBounds:
    """Lower and upper bounds of the keys of every full page: `[pool pages, kv, head]` each."""

    def __init__(self, pages: int, n_kv: int, head: int) -> None:
        self.low = np.zeros((pages, n_kv, head), np.float32)
        self.high = np.zeros((pages, n_kv, head), np.float32)

    def seal(self, page: int, keys: F32) -> None:
        """A page is full: take its bounds from its keys `[kv, head, 64]`."""
        np.minimum.reduce(keys, axis=-1, out=self.low[page])
        np.maximum.reduce(keys, axis=-1, out=self.high[page])

    def copy(self, page: int, to: int) -> None:
        self.low[to], self.high[to] = self.low[page], self.high[page]


def sees_all(position: int) -> bool:
    """Whether a row at `position` attends to everything before it."""
    return position // PAGE + 1 <= SELECTED


def select(q: F32, bounds: KeyBounds, ranges: Sequence[Range], position: int) -> NDArray[np.int64]:
    """For one row's queries `[kv, group, head]`: `[kv, SELECTED]` pages of the sequence, rising, its own
    last."""
    full = position // PAGE
    positive, negative = np.maximum(q, 0), np.minimum(q, 0)
    promise = np.empty((*q.shape[:2], full), np.float32)
    for first, pool, count in ranges:
        low, high = first, min(first + count, full)
        if low < high:
            block = slice(pool, pool + high - low)
            np.matmul(positive, bounds.high[block].transpose(1, 2, 0), out=promise[:, :, low:high])
            promise[:, :, low:high] += negative @ bounds.low[block].transpose(1, 2, 0)
    promise -= promise.max(axis=-1, keepdims=True)
    weight = np.exp(promise).sum(axis=1)  # [kv, pages]
    weight[:, 0] = weight[:, full - 1] = np.inf
    best = np.argpartition(-weight, SELECTED - 2, axis=-1)[:, : SELECTED - 1]
    best.sort(axis=-1)
    own = np.full((best.shape[0], 1), full, np.int64)
    return np.concatenate([best, own], axis=1)
