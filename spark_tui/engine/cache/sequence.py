"""One sequence of tokens in the KV cache: its ids, its block table, forks and rollback."""

from __future__ import annotations

from collections.abc import Sequence as Ids

import numpy as np
from numpy.typing import NDArray

from spark_tui.engine.cache.line_tags import TagTrack
from spark_tui.engine.cache.pool import Hash, Pool
from spark_tui.engine.kernels.attention import PAGE, Range

F32 = NDArray[np.float32]

KEPT_ROWS = 32
"""Unmixed keys kept after the last pass, for models with smeared keys: a draft's rollback finds its row
here."""
ROOT = b"root"


class Sequence:
    """One sequence: its ids, its pages, its length. `Model.forward` appends; `truncate` rolls back."""

    def __init__(self, pool: Pool, *, planned: int = 0, regime: int = 0) -> None:
        self.pool = pool
        self.ids: list[int] = []
        self.pages: list[int] = []
        self.plan(planned, regime)
        self.tags = TagTrack(pool.arch.tags)
        self.kept_from = 0
        self.kept: F32 | None = None
        """Unmixed keys `[layers, kv, rows, head]` of the rows from `kept_from` on, for models that smear
        keys."""
        self.kept_next: tuple[F32, int] | None = None
        self.closed = False
        self._ranges: list[Range] | None = None
        if pool.arch.smear:
            self.kept = np.empty((pool.arch.n_layers, pool.arch.n_kv_heads, 0, pool.head), np.float32)

    def plan(self, planned: int, regime: int) -> None:
        """Say how long the prompt that is read in one go will be: some RoPE kinds turn by it."""
        self.planned, self.root = planned, self.root_of(regime)

    @staticmethod
    def root_of(regime: int) -> Hash:
        """What prefixes hang from; sequences whose angles differ share none."""
        return ROOT + regime.to_bytes(32, "little")

    @property
    def length(self) -> int:
        """Tokens whose keys are in the pages."""
        return len(self.ids)

    def ranges(self) -> list[Range]:
        """The block table as ranges of adjacent pages."""
        if self._ranges is None:
            out: list[Range] = []
            for index, page in enumerate(self.pages):
                if out and out[-1][1] + out[-1][2] == page:
                    out[-1] = (out[-1][0], out[-1][1], out[-1][2] + 1)
                else:
                    out.append((index, page, 1))
            self._ranges = out
        return self._ranges

    def reserve(self, rows: int) -> list[tuple[int, int, int, int]]:
        """Make the next `rows` positions writable. Each `(page, offset, row, count)` is the place of some
        rows."""
        start, stop = self.length, self.length + rows
        first = start // PAGE
        for index in range(first, min(len(self.pages), (stop - 1) // PAGE + 1)):
            page = self.pages[index]
            mine = self.pool.own(page, self.pages[index - 1] if index else -1)
            if mine != page:
                self.pages[index] = mine
                self._ranges = None
        while len(self.pages) * PAGE < stop:
            self.pages.append(self.pool.take(self.pages[-1] if self.pages else -1))
            self._ranges = None
        places = []
        at = start
        while at < stop:
            offset = at % PAGE
            count = min(PAGE - offset, stop - at)
            places.append((self.pages[at // PAGE], offset, at - start, count))
            at += count
        return places

    def has_unmixed(self) -> bool:
        """Whether the unmixed keys of the last row are at hand (always, at the start)."""
        last = self.length - 1
        return self.kept is None or last < 0 or self.kept_from <= last < self.kept_from + self.kept.shape[2]

    def truncate(self, length: int) -> None:
        """Roll back to `length` tokens and release the pages after it."""
        if not 0 <= length <= self.length:
            raise ValueError(f"cannot roll back to {length} of {self.length} tokens")
        del self.ids[length:]
        self.tags.truncate(length)
        need = -(-length // PAGE)
        if len(self.pages) > need + 1:
            for page in self.pages[need + 1 :]:
                self.pool.release(page)
            del self.pages[need + 1 :]
            self._ranges = None

    def discard(self) -> None:
        """Forget all of it: its pages may hold what is no number, which no sequence must find in them."""
        for page in self.pages:
            self.pool.discard(page)
        self.pages, self.ids, self._ranges = [], [], None
        self.tags.truncate(0)

    def fork(self) -> Sequence:
        """Another sequence with the same past. Pages are shared until one of them writes."""
        other = Sequence(self.pool, planned=self.planned)
        other.root, other.ids, other.pages = self.root, list(self.ids), list(self.pages)
        other.tags = self.tags.copy()
        other.kept_from = self.kept_from
        other.kept = None if self.kept is None else self.kept.copy()
        for page in other.pages:
            self.pool.hold(page)
        return other

    def adopt(self, ids: Ids[int]) -> int:
        """Take the warm prefix of `ids` into this empty sequence; returns its length in tokens."""
        if self.ids or self.pages:
            raise ValueError("only an empty sequence can adopt a prefix")
        pages, count = self.pool.find(self.root, ids)
        for page in pages:
            self.pool.hold(page)
        self.pages, self.ids, self._ranges = pages, list(ids[:count]), None
        self.tags.extend(self.ids)
        return count

    def publish(self) -> None:
        """Make every full page of this sequence warm."""
        name = self.root
        for index in range(self.length // PAGE):
            name = self.pool.publish(name, self.ids[index * PAGE : (index + 1) * PAGE], self.pages[index])

    def close(self) -> None:
        """Give all pages back. Safe to call twice."""
        if not self.closed:
            self.closed = True
            for page in self.pages:
                self.pool.release(page)
            self.pages, self.ids, self._ranges = [], [], None
