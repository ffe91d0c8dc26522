"""Buffers of a forward pass: `Buffers.at(rows)` returns named views, made once for each number of rows."""

from __future__ import annotations

import threading

import numpy as np
from numpy.typing import NDArray

from spark_tui.engine.architecture import Arch
from spark_tui.engine.forward.layers import Layer
from spark_tui.engine.kernels.panels import MIN_ROWS, PANEL, Panels, round_up
from spark_tui.engine.runtime.arena import Scratch

F32 = NDArray[np.float32]
KEPT_SHAPES = 64
BLOCK_ROWS, ROW_STEP = 128, 16
"""Rows of a block, whose buffers stay in the second cache, and what they are a multiple of."""


def cut(rows: int) -> list[tuple[int, int]]:
    """Where the blocks of so many rows begin and end: of equal size, because threads share them."""
    count = -(-rows // BLOCK_ROWS)
    starts = list(range(0, rows, round_up(-(-rows // count), ROW_STEP)))
    if 0 < rows - starts[-1] < MIN_ROWS < rows:  # a single row would take another kernel
        starts[-1] -= ROW_STEP
    return list(zip(starts, [*starts[1:], rows], strict=True))


class _Own(threading.local):
    """What each thread makes for itself."""

    blocks: list[Buffers] | None = None


class Buffers:
    """Views of `rows` rows on shared memory: two row counts overlap, so only the latest one's content
    holds. All rows of `x`, `qkv` and `mixed` are kept, of the others those of a block."""

    cuts: list[tuple[int, int]]
    _root: Buffers
    _own: _Own
    x: F32
    h: F32
    o: F32
    o_view: F32
    squares: F32
    qkv: F32
    qk_squares: F32
    turn: F32
    mixed: F32
    gate_up_view: F32
    gate: F32
    up: F32
    inner: F32
    gated: F32
    """The place for `gate * up`: `inner` in the shape of `gate`."""
    scratch: F32
    """In the shape of `gate`, on the memory of `inner`."""

    def __init__(self, arch: Arch, head: int, layer: Layer, head_panels: Panels) -> None:
        self._arch, self._head, self._layer, self._head_panels = arch, head, layer, head_panels
        self._memory: dict[str, F32] = {}
        self._scratch = Scratch()
        self._at: dict[int, Buffers] = {}
        self._logits: dict[int, tuple[F32, F32]] = {}
        self._capacity = 0

    def _room(self, name: str, *shape: int) -> F32:
        size = int(np.prod(shape))
        held = self._memory.get(name)
        if held is None or held.size < size:
            held = self._memory[name] = np.zeros(size, np.float32)
        return held[:size].reshape(shape)

    def at(self, rows: int) -> Buffers:
        found = self._at.get(rows)
        if found is None:
            if rows > self._capacity or len(self._at) >= KEPT_SHAPES:
                self._capacity = max(rows, self._capacity)
                self._at.clear()
            found = self._at[rows] = self._views(rows)
        return found

    def _views(self, rows: int) -> Buffers:
        arch, head = self._arch, self._head
        heads, both = arch.n_heads, arch.n_heads + arch.n_kv_heads
        view = Buffers.__new__(Buffers)
        view.x = self._room("x", rows, arch.d_model)
        view.qkv = self._room("qkv", both + arch.n_kv_heads, rows, head)
        view.qk_squares = self._room("qk_squares", both, rows)
        view.turn = self._room("turn", both, rows, head)
        view.mixed = self._room("mixed", rows, heads * head)
        view._root, view._own, view.cuts = self, _Own(), cut(rows)
        return view

    @property
    def blocks(self) -> list[Buffers]:
        """The same cut into blocks, for all but attention, on scratch memory of the thread that asks."""
        if (found := self._own.blocks) is None:
            found = self._own.blocks = [self._root._block(self, low, high) for low, high in self.cuts]
        return found

    def _block(self, whole: Buffers, low: int, high: int) -> Buffers:
        rows, layer = high - low, self._layer
        view = Buffers.__new__(Buffers)
        view.x, view.mixed, view.qkv = whole.x[low:high], whole.mixed[low:high], whole.qkv[:, low:high]
        view.h = self._scratch.room("h", rows, self._arch.d_model)
        padded = self._scratch.room("o", rows, layer.o.width)
        view.o, view.o_view = padded[:, : self._arch.d_model], layer.o.view(padded)
        view.squares = self._scratch.room("squares", rows)
        self._inner(view, rows)
        return view

    def _inner(self, view: Buffers, rows: int) -> None:
        """The buffers between `gate_up` and `down`, panel by panel where panels are whole cache lines: with
        wide rows side by side, each row of a panel lies in another page of memory, which costs a tenth."""
        matrix, inner = self._layer.gate_up, self._layer.down.depth
        view.inner = view.gated = view.scratch = self._scratch.room("inner", rows, inner)
        if self._arch.gated_mlp and matrix.panel == PANEL:
            panels = inner // PANEL
            view.gate_up_view = self._scratch.room("gate_up", matrix.panels, rows, PANEL)
            view.gate, view.up = view.gate_up_view[:panels], view.gate_up_view[-panels:]
            view.gated = view.inner.reshape(rows, panels, PANEL).transpose(1, 0, 2)
            view.scratch = view.inner.reshape(panels, rows, PANEL)
            return
        gate_up = self._scratch.room("gate_up", rows, matrix.width)
        view.gate_up_view = matrix.view(gate_up)
        view.gate, view.up = gate_up[:, :inner], gate_up[:, -inner:]

    def logits(self, rows: int) -> tuple[F32, F32]:
        """`[rows, padded vocabulary]` and its view for the head's panels."""
        found = self._logits.get(rows)
        if found is None:
            if len(self._logits) >= KEPT_SHAPES or rows > max(self._logits, default=0):
                self._logits.clear()
            block = self._room("logits", rows, self._head_panels.width)
            found = self._logits[rows] = (block, self._head_panels.view(block))
        return found
