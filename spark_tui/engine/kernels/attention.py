"""Attention of a few rows over paged keys, with windows, soft-caps and a running softmax for long contexts.

The attended values are written in place. A page of keys is stored as a panel `[head_dim, 64]` and a page of
values as `[64, head_dim]`, so both products are batches of small matrices straight out of the pages:
contiguous pages take one call, and no page is ever gathered. Sums run page by page in order, and the blocks
of the running softmax are aligned to absolute page numbers, so a row's result does not depend on which rows
share its pass.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from spark_tui.engine.runtime.arena import SCRATCH
from spark_tui.engine.runtime.helper_threads import Each, in_turn

F32 = NDArray[np.float32]

PAGE = 64
BLOCK_PAGES = 64
"""Pages in one step of the running softmax: 4,096 keys."""
SCORE_ELEMENTS = 1 << 18
"""The number of scores held in memory; more rows are processed in pieces."""
SMALL_PRODUCT = 1_000_000
NO_KEY = np.float32(-1e30)
"""Running maximum before any visible key: finite, so that a row with nothing to see in a block stays zero."""

SHORT_ROWS = 32
"""Masks of passes up to this are kept: decoding asks for the same few again and again."""
KEPT_LONG = 16
"""Of longer passes so many masks are kept: those of the pieces of one pass, for its next layer."""
NO_SHIFT = np.zeros((1, 1, 1), np.float32)
SAFE_SCORE, LEAST_SCORE = 60.0, -20.0
"""A row whose largest score is between them needs no shift before the exponential: nothing overflows, and
what underflows does not count."""

Range = tuple[int, int, int]
"""`(first page of the sequence, page in the pool, count)`: pages that lie side by side."""


class PagedKeys(NamedTuple):
    """The keys and values of one layer, `[pool pages, kv, dim, 64]` and `[pool pages, kv, 64, dim]`, and the
    ranges that cover one sequence."""

    keys: F32
    values: F32
    ranges: Sequence[Range]


@dataclass(frozen=True, slots=True)
class Mask:
    """Minus infinity where a row must not look: `values` `[pages, 1, 1, rows, 64]` from page `first` on."""

    first: int
    values: F32


def first_page(position: int, window: int) -> int:
    """The first page that a row at `position` can see."""
    return max(0, position - window + 1) // PAGE if window else 0


def masks(start: int, rows: int, window: int) -> list[Mask]:
    """The masks for rows `start .. start + rows - 1`: keys after each row, and keys before its window."""
    last = start + rows - 1
    tail = start // PAGE
    hidden = _short if rows <= SHORT_ROWS else _long
    if not window or last < window:
        return [Mask(tail, hidden(start % PAGE, rows, 0, True))]
    head = first_page(start, window)
    if (last - window) // PAGE + 1 < tail:
        return [
            Mask(head, hidden(start - head * PAGE, rows, window, False)),
            Mask(tail, hidden(start % PAGE, rows, 0, True)),
        ]
    return [Mask(head, _hidden(start - head * PAGE, rows, window, True))]


def _hidden(offset: int, rows: int, window: int, later: bool) -> F32:
    """For rows that begin `offset` keys into the first page: mask the keys before their row's window, where
    there is one, and those `later` than the row."""
    position = np.arange(offset, offset + rows)[:, None]
    pages = (offset + rows - 1 - (0 if later else window)) // PAGE + 1
    keys = np.arange(pages * PAGE).reshape(pages, 1, PAGE)
    hidden = np.zeros((pages, rows, PAGE), bool)
    if later:
        hidden |= keys > position
    if window:
        hidden |= keys <= position - window
    values: F32 = np.where(hidden, np.float32(-np.inf), np.float32(0)).astype(np.float32)
    values.flags.writeable = False
    return values[:, None, None]


_short, _long = lru_cache(maxsize=512)(_hidden), lru_cache(maxsize=KEPT_LONG)(_hidden)


class Attention:
    """The arithmetic. One instance serves all layers of a model."""

    def __init__(
        self, n_kv_heads: int, group: int, head_dim: int, *, softcap: float = 0.0, bounded: bool = False
    ) -> None:
        self.n_kv, self.group, self.dim, self.softcap = n_kv_heads, group, head_dim, softcap
        self.bounded = bounded
        """Scores cannot leave `SAFE_SCORE` either way: nobody has to look for the largest."""
        self.max_rows = max(2, SMALL_PRODUCT // (PAGE * head_dim))

    def rows_at_once(self, pages: int) -> int:
        """How many token rows are worked off together when `pages` are in view."""
        rows = min(self.max_rows, SCORE_ELEMENTS // (self.n_kv * PAGE * min(pages, BLOCK_PAGES)))
        return max(1, rows // self.group)

    def attend(
        self,
        q: F32,
        past: PagedKeys,
        start: int,
        window: int,
        hidden: Sequence[Mask] | None,
        out: F32,
        each: Each = in_turn,
    ) -> None:
        """Rows `start ..` of one sequence: `q` and `out` are `[kv, group, rows, dim]` (`out` may be strided).
        Without `hidden` the masks are made here."""
        m = q.shape[2]
        pages = (start + m - 1) // PAGE + 1 - first_page(start, window)
        at_once = self.rows_at_once(pages)
        if at_once >= m:
            hidden = masks(start, m, window) if hidden is None else hidden
            self._piece(q, past, start, window, hidden, out)
            return

        def piece(number: int) -> None:
            low = number * at_once
            high = min(m, low + at_once)
            part = masks(start + low, high - low, window)
            self._piece(q[:, :, low:high], past, start + low, window, part, out[:, :, low:high])

        each(piece, -(-m // at_once))

    def attend_pages(
        self, q: F32, past: PagedKeys, chosen: NDArray[np.int64], position: int, out: F32
    ) -> None:
        """One row `[kv, group, 1, dim]` over `chosen` pages `[kv, n]`, its own page last."""
        n_kv, count = chosen.shape
        table = np.concatenate([np.arange(pool, pool + length) for _, pool, length in past.ranges])
        k = SCRATCH.room("chosen keys", count, n_kv, self.dim, PAGE)
        v = SCRATCH.room("chosen values", count, n_kv, PAGE, self.dim)
        for head in range(n_kv):
            pages = table[chosen[head]]
            k[:, head] = past.keys[pages, head]
            v[:, head] = past.values[pages, head]
        start = (count - 1) * PAGE + position % PAGE
        self._piece(q, PagedKeys(k, v, [(0, 0, count)]), start, 0, masks(start, 1, 0), out)

    def _piece(
        self, q: F32, past: PagedKeys, start: int, window: int, hidden: Sequence[Mask], out: F32
    ) -> None:
        n_kv, group, m, dim = q.shape
        rows = group * m
        if rows == 1:  # a single row would take another kernel: give it an idle neighbour
            q2 = SCRATCH.room("q", n_kv, 1, 2, dim)
            q2[:, :, :1] = q
            q2[:, :, 1:] = 0
            rows, flat = 2, q2.reshape(n_kv, 2, dim)
        elif m == 1 or q.flags.c_contiguous:
            flat = q.reshape(n_kv, rows, dim)
        else:
            q2 = SCRATCH.room("q", n_kv, group, m, dim)
            np.copyto(q2, q)
            flat = q2.reshape(n_kv, rows, dim)
        low, high = first_page(start, window), (start + m - 1) // PAGE + 1
        total = weight = peak = shift = None
        for block in range(low // BLOCK_PAGES, (high - 1) // BLOCK_PAGES + 1):
            begin, end = max(low, block * BLOCK_PAGES), min(high, (block + 1) * BLOCK_PAGES)
            cut = _cut(past.ranges, begin, end)
            scores = self._scores(flat, past.keys, cut, begin, end, m, hidden)
            top = SCRATCH.room("top", n_kv, rows, PAGE)
            here = NO_SHIFT
            if not self.bounded:
                np.maximum.reduce(scores, axis=0, out=top)
                largest = np.maximum.reduce(top, axis=-1, keepdims=True)  # [kv, rows, 1]
                np.maximum(largest, NO_KEY if peak is None else peak, out=largest)
                peak = largest
                most, least = np.maximum.reduce(largest, axis=None), np.minimum.reduce(largest, axis=None)
                if most > SAFE_SCORE or least < LEAST_SCORE:
                    safe = (largest <= SAFE_SCORE) & (largest >= LEAST_SCORE)
                    here = np.where(safe, np.float32(0), largest)
                    np.copyto(top, here)  # a number for each score: numpy is slow with one for a row of them
                    np.subtract(scores, top, out=scores)
            np.exp(scores, out=scores)
            np.add.reduce(scores, axis=0, out=top)
            sums = np.add.reduce(top, axis=-1, keepdims=True)  # [kv, rows, 1]
            mixed = self._mix(scores, past.values, cut, begin)
            if total is None or weight is None or shift is None:
                total, weight, shift = mixed, sums, here
                if (high - 1) // BLOCK_PAGES > block:
                    total = SCRATCH.room("total", *mixed.shape)
                    np.copyto(total, mixed)
            else:
                if here is not shift:
                    fade = np.exp(shift - here)
                    total *= fade
                    weight *= fade
                total += mixed
                weight += sums
                shift = here
        assert total is not None and weight is not None
        np.divide(
            total[:, : group * m].reshape(n_kv, group, m, dim),
            weight[:, : group * m].reshape(n_kv, group, m, 1),
            out=out,
        )

    def _scores(
        self, flat: F32, keys: F32, cut: Sequence[Range], begin: int, end: int, m: int, hidden: Sequence[Mask]
    ) -> F32:
        """`[pages, kv, rows, 64]` of pages `begin .. end`, masked."""
        n_kv, rows, _ = flat.shape
        scores = SCRATCH.room("scores", end - begin, n_kv, rows, PAGE)
        for first, pool, count in cut:
            np.matmul(flat, keys[pool : pool + count], out=scores[first - begin : first - begin + count])
        if self.softcap:
            scores *= np.float32(1 / self.softcap)
            np.tanh(scores, out=scores)
            scores *= np.float32(self.softcap)
        for mask in hidden:
            a, b = max(mask.first, begin), min(mask.first + len(mask.values), end)
            if a < b:
                seen = scores[a - begin : b - begin].reshape(b - a, n_kv, -1, rows if rows < m else m, PAGE)
                seen += mask.values[a - mask.first : b - mask.first]
        return scores

    def _mix(self, weights: F32, values: F32, cut: Sequence[Range], begin: int) -> F32:
        """Weighted values `[kv, rows, dim]`, summed page by page."""
        pages, n_kv, rows, _ = weights.shape
        parts = SCRATCH.room("parts", pages, n_kv, rows, self.dim)
        for first, pool, count in cut:
            at = first - begin
            np.matmul(weights[at : at + count], values[pool : pool + count], out=parts[at : at + count])
        mixed = SCRATCH.room("mixed", n_kv, rows, self.dim)
        np.add.reduce(parts, axis=0, out=mixed)
        return mixed


def _cut(ranges: Sequence[Range], begin: int, end: int) -> list[Range]:
    """The parts of `ranges` within pages `begin .. end` of the sequence."""
    out = []
    for first, pool, count in ranges:
        low, high = max(first, begin), min(first + count, end)
        if low < high:
            out.append((low, pool + low - first, high - low))
    return out
