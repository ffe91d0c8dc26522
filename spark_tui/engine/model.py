"""One forward pass for every family: rows of one or several sequences in, logits out.

A pass is a fixed list of numpy calls on preallocated buffers, `R` rows deep. Comments give the shapes: R
rows, D model width, H query heads, G key heads, h head size, F inner width, V vocabulary.
"""

from __future__ import annotations

from collections.abc import Sequence as Ids
from dataclasses import replace
from functools import partial
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from spark_tui.engine.architecture import Arch
from spark_tui.engine.cache.page_selection import SELECTED, sees_all, select
from spark_tui.engine.cache.pool import Pool, padded_head
from spark_tui.engine.forward.batch_layout import BatchJob, RowSpan, check_jobs, lay_out, smear
from spark_tui.engine.forward.buffers import Buffers
from spark_tui.engine.forward.layers import (
    Layer,
    Norm,
    Weights,
    build_layer,
    check_shapes,
    normalize,
    normalize_with,
    read_norm,
    score_bound,
    take,
)
from spark_tui.engine.forward.rope import RopeTable, turn_heads
from spark_tui.engine.kernels import int8_products
from spark_tui.engine.kernels.attention import PAGE, SAFE_SCORE, Attention, PagedKeys
from spark_tui.engine.kernels.int8_accelerator import Accelerator
from spark_tui.engine.kernels.panels import ACTIVATIONS, MIN_ROWS, Panels, round_up, row_step, rows_are_exact
from spark_tui.engine.kernels.weight_strips import prepared, usable
from spark_tui.engine.runtime.arena import Arena
from spark_tui.engine.runtime.helper_threads import ALONE, Each
from spark_tui.engine.runtime.pass_stop import NEVER, StopFlag

F32 = NDArray[np.float32]

__all__ = ["BatchJob", "Model"]


class Model:
    """Weights ready to run. `forward` is not thread-safe."""

    def __init__(self, arch: Arch, weights: Weights, *, fold: bool = True) -> None:
        """`weights` are given away: each is taken out of the mapping as it is read, and its memory may be
        used. Without `fold` matrices keep the rows of the file, which `accelerate` then rounds least."""
        check_shapes(arch, weights)
        self.arch = arch
        self.head = padded_head(arch)
        self._exact = rows_are_exact()
        self.min_rows = MIN_ROWS if self._exact else 1
        """Least rows of a pass, so that a row never meets another kernel alone than in company."""
        self.accelerator: Accelerator | None = None
        self._ropes = [RopeTable(rope, arch.head_dim) for rope in arch.ropes]
        arena = Arena()
        self.layers: list[Layer] = []
        for index in range(arch.n_layers):
            chosen = arch.layer_ropes[index] if arch.layer_ropes else 0
            rope = self._ropes[chosen] if arch.rope_of(index) is not None else None
            self.layers.append(build_layer(arch, weights, index, self.head, rope, arena, fold=fold))
        table = take(weights, "embed.tok")
        self.final: Norm = read_norm(arch, weights, "final_norm")
        head = table if arch.tied_head else take(weights, "head.w")
        self.head_panels = prepared(head, own=True, arena=arena)
        self._table = None if arch.tied_head else table
        self._positions = take(weights, "embed.pos") if arch.learned_positions else None
        bounded = all(score_bound(arch, layer) < SAFE_SCORE for layer in self.layers)
        self.attention = Attention(
            arch.n_kv_heads, arch.group, self.head, softcap=arch.attn_softcap, bounded=bounded
        )
        self.threads = ALONE
        """They share long passes."""
        self._activate = ACTIVATIONS[arch.activation]
        self._windows = sorted({layer.window for layer in self.layers})
        self._room = Buffers(arch, self.head, self.layers[0], self.head_panels)

    def matrices(self) -> list[Panels]:
        """Every matrix, in the order in which a pass needs them."""
        layers = [(x.qkv, x.o, x.gate_up, x.down) for x in self.layers]
        return [*(panels for four in layers for panels in four), self.head_panels]

    @property
    def exact(self) -> bool:
        """Whether a row comes out the same, bit for bit, for any cut into passes."""
        return self._exact and (self.accelerator is None or self.accelerator.exact)

    def accelerate(self, *, wait: bool = False) -> bool:
        """Round the weights to int8 and use compiled products where they win. False without numba."""
        if not int8_products.available():
            return False
        if self.accelerator is None:
            self.accelerator = Accelerator(self.matrices())
            self.min_rows = 1
            self.accelerator.start()
        return self.accelerator.wait() if wait else True

    # -- the pass -----------------------------------------------------------------------------

    def forward(self, jobs: Ids[BatchJob], stop: StopFlag = NEVER) -> F32:
        """Run the jobs' rows in one pass. The logits of all jobs, one after the other, are a view: the next
        pass overwrites it. Raises `PassStopped` once `stop` is set."""
        check_jobs(self.arch, jobs)
        try:
            logits = self._run(lay_out(jobs, self._windows, self._ropes), stop)
        except BaseException:  # an interrupt in the middle of a pass, too: the sequences stay as they were
            for job in jobs:
                job.sequence.tags.truncate(job.sequence.length)
                job.sequence.kept_next = None
            raise
        for job in jobs:
            job.sequence.ids.extend(job.ids)
        return logits

    def _run(self, spans: list[RowSpan], stop: StopFlag) -> F32:
        total = spans[-1].high
        room, each = self._room.at(self._padded(total)), partial(self.threads.each, stop)
        self._embed(spans, room.x, total)
        asked = [row for span in spans for row in range(span.high - span.job.logits, span.high)]
        with np.errstate(over="ignore", invalid="ignore", under="ignore"):
            for index, layer in enumerate(self.layers):
                last = index == len(self.layers) - 1
                self._attend(index, layer, spans, room, each)
                if last:
                    if not asked:
                        break
                    if len(asked) < total:
                        room = self._narrow(room, asked)
                each(partial(self._after_attention, layer, room), len(room.cuts))
            return (
                self._logits(room, len(asked)) if asked else np.empty((0, self.arch.vocab_size), np.float32)
            )

    def _padded(self, rows: int) -> int:
        """The rows of a pass, padded with idle rows where that makes the products no slower."""
        compiled = self.accelerator is not None and rows <= self.accelerator.rows
        if not compiled and (rows > 1 or usable()):
            rows = round_up(rows, row_step())
        return max(rows, self.min_rows)

    def _embed(self, spans: list[RowSpan], x: F32, total: int) -> None:
        """Rows `[R, D]`: token, position and tag embeddings."""
        ids: list[int] = []
        for span in spans:
            if span.lead:
                ids.append(span.job.sequence.ids[-1])
            ids.extend(span.job.ids)
        index = np.asarray(ids, np.int64)
        x[:total] = self._rows_of(index)
        x[total:] = 0
        if self.arch.tags is not None:
            carried: list[int] = []
            for span in spans:
                carried += span.job.sequence.tags.added[span.start : span.start + span.high - span.low]
            added = np.asarray(carried, np.int64)
            if (here := np.flatnonzero(added >= 0)).size:
                x[here] += self._rows_of(added[here])
        if self.arch.embed_scale != 1:
            x *= np.float32(self.arch.embed_scale)
        if self._positions is not None:
            for span in spans:
                x[span.low : span.high] += self._positions[span.start : span.start + span.high - span.low]

    def _rows_of(self, index: NDArray[np.int64]) -> F32:
        if self._table is not None:
            found: F32 = self._table[index]
            return found
        return self.head_panels.columns(index)

    def _attend(self, index: int, layer: Layer, spans: list[RowSpan], room: Buffers, each: Each) -> None:
        """Attention of one layer: `room.x` `[R, D]` to `room.mixed` `[R, H * h]`."""
        arch, heads, both = self.arch, self.arch.n_heads, self.arch.n_heads + self.arch.n_kv_heads
        each(partial(self._before_attention, layer, room), len(room.cuts))
        if layer.qkv_bias is not None:
            room.qkv += layer.qkv_bias
        qk = room.qkv[:both]
        if layer.qk_weight is not None:
            np.vecdot(qk, qk, out=room.qk_squares)
            room.qk_squares *= np.float32(1 / arch.head_dim)
            room.qk_squares += np.float32(arch.norm_eps)
            np.sqrt(room.qk_squares, out=room.qk_squares)
            qk /= room.qk_squares[:, :, None]
            qk *= layer.qk_weight
        if layer.smear is not None:
            for span in spans:
                smear(index, layer.smear, room.qkv[heads:both, span.low : span.high], span)
        for span in spans:
            if layer.rope is not None:
                scratch = room.turn[:, span.low : span.high]
                turn_heads(qk[:, span.low : span.high], *span.turns[id(layer.rope)], scratch)
            self._attend_one(index, layer, span, room, each)

    def _before_attention(self, layer: Layer, whole: Buffers, number: int) -> None:
        """Queries, keys and values of a block: `x` `[R, D]` to `qkv` `[H + 2G, R, h]`."""
        room = whole.blocks[number]
        normalize(self.arch, room.x, room.h, room.squares)
        if layer.before_attention is not None:
            room.h *= layer.before_attention.weight
        layer.qkv.apply(room.h, room.qkv)

    def _attend_one(self, index: int, layer: Layer, span: RowSpan, room: Buffers, each: Each) -> None:
        arch, sequence = self.arch, span.job.sequence
        pool, heads, n_kv = sequence.pool, arch.n_heads, arch.n_kv_heads
        rows = span.high - span.low
        first = span.low + span.lead
        k = room.qkv[heads : heads + n_kv, first : span.high]  # [G, R, h]
        v = room.qkv[heads + n_kv :, first : span.high]
        keys, values = pool.keys[index], pool.values[index]
        for page, offset, row, count in span.places:
            keys[page, :, :, offset : offset + count] = k[:, row : row + count].transpose(0, 2, 1)
            values[page, :, offset : offset + count] = v[:, row : row + count]
        bounds = pool.bounds.get(index)
        if bounds is not None:
            for page, offset, _, count in span.places:
                if offset + count == PAGE:
                    bounds.seal(page, keys[page])
        hidden, low = span.masks.get(layer.window), span.low
        if index == arch.n_layers - 1 and span.job.logits < rows:  # the other rows' results are not used
            low, rows = span.high - span.job.logits, span.job.logits
            if not rows:
                return
            hidden = None
        start = span.start + low - span.low
        q = room.qkv[:heads, low : span.high].reshape(n_kv, arch.group, rows, self.head)
        out = room.mixed[low : span.high].reshape(rows, n_kv, arch.group, self.head).transpose(1, 2, 0, 3)
        past = PagedKeys(keys, values, sequence.ranges())
        all_seen = rows
        if bounds is not None and not sees_all(start + rows - 1):
            all_seen = max(0, min(rows, SELECTED * PAGE - start))
            for row in range(all_seen, rows):
                chosen = select(q[:, :, row], bounds, past.ranges, start + row)
                one = slice(row, row + 1)
                self.attention.attend_pages(q[:, :, one], past, chosen, start + row, out[:, :, one])
            if not all_seen:
                return
            q, out, hidden = q[:, :, :all_seen], out[:, :, :all_seen], None
        self.attention.attend(q, past, start, layer.window, hidden, out, each)

    def _after_attention(self, layer: Layer, whole: Buffers, number: int) -> None:
        """Output projection and inner layer of a block: its `mixed` and `x` to the next `x`."""
        room = whole.blocks[number]
        layer.o.apply(room.mixed, room.o_view)  # [R, H * h] -> [R, D]
        if layer.o_bias is not None:
            room.o += layer.o_bias
        if layer.after_attention is not None:
            normalize_with(self.arch, layer.after_attention, room.o, room.o, room.squares)
        room.x += room.o
        normalize(self.arch, room.x, room.h, room.squares)
        if layer.before_mlp is not None:
            room.h *= layer.before_mlp.weight
        layer.gate_up.apply(room.h, room.gate_up_view)  # [R, D] -> [R, 2F]
        if layer.gate_up_bias is not None:
            room.gate_up_view += layer.gate_up_bias
        self._activate(room.gate, room.scratch)
        if self.arch.gated_mlp:
            np.multiply(room.gate, room.up, out=room.gated)
            inner = room.inner
        else:
            inner = room.gate
        layer.down.apply(inner, room.o_view)  # [R, F] -> [R, D]
        if layer.down_bias is not None:
            room.o += layer.down_bias
        if layer.after_mlp is not None:
            normalize_with(self.arch, layer.after_mlp, room.o, room.o, room.squares)
        room.x += room.o

    def _narrow(self, room: Buffers, asked: list[int]) -> Buffers:
        """After the last attention keep only the requested rows."""
        rows = np.asarray(asked, np.int64)
        x, mixed = room.x[rows], room.mixed[rows]
        narrow = self._room.at(self._padded(len(asked)))
        narrow.x[len(asked) :] = 0
        narrow.mixed[len(asked) :] = 0
        narrow.x[: len(asked)] = x
        narrow.mixed[: len(asked)] = mixed
        return narrow

    def _logits(self, room: Buffers, count: int) -> F32:
        logits, view = self._room.logits(room.x.shape[0])
        low = 0
        for block in room.blocks:
            normalize_with(self.arch, self.final, block.x, block.h, block.squares)
            high = low + len(block.h)
            self.head_panels.apply(block.h, view[:, low:high])  # [R, D] -> [R, V]
            low = high
        logits = logits[:count, : self.arch.vocab_size]
        if self.arch.final_softcap:
            logits *= np.float32(1 / self.arch.final_softcap)
            np.tanh(logits, out=logits)
            logits *= np.float32(self.arch.final_softcap)
        return logits

    def fingerprint(self) -> str:
        """A short name of architecture and weights: cached keys of two models never meet."""
        digest = blake2b(repr(replace(self.arch, name="")).encode(), digest_size=8)
        for panels in self.matrices():
            weights = panels.data.reshape(-1)
            digest.update(weights[:: weights.size >> 12 | 1].tobytes())
        for array in (self._table, self._positions):
            if array is not None:
                digest.update(array[::997].tobytes())  # rows: most of a mapped file stays unread
        for layer in self.layers:
            for vector in layer.vectors():
                digest.update(vector.tobytes())
        return digest.hexdigest()

    def new_pool(self, max_bytes: int) -> Pool:
        """A cache for sequences of this model."""
        return Pool(self.arch, max_bytes)
