"""Buffers of a forward pass: `Buffers.at(rows)` returns named views, made once for each number of rows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spark_tui.engine.architecture import Arch
from spark_tui.engine.kernels import Panels
from spark_tui.engine.layers import Layer

F32 = NDArray[np.float32]
KEPT_SHAPES = 64


class Buffers:
    """Views of `rows` rows on shared memory: two row counts overlap, so only the latest one's content
    holds."""

    x: F32
    h: F32
    o: F32
    o_view: F32
    squares: F32
    qkv: F32
    qk_squares: F32
    turn: F32
    mixed: F32
    gate_up: F32
    gate_up_view: F32
    gate: F32
    up: F32
    inner: F32

    def __init__(self, arch: Arch, head: int, layer: Layer, head_panels: Panels) -> None:
        self._arch, self._head, self._layer, self._head_panels = arch, head, layer, head_panels
        self._memory: dict[str, F32] = {}
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
        """The views for `rows` rows."""
        found = self._at.get(rows)
        if found is None:
            if rows > self._capacity or len(self._at) >= KEPT_SHAPES:
                self._capacity = max(rows, self._capacity)
                self._at.clear()
            found = self._at[rows] = self._views(rows)
        return found

    def _views(self, rows: int) -> Buffers:
        arch, head, layer = self._arch, self._head, self._layer
        view = Buffers.__new__(Buffers)
        d, heads = arch.d_model, arch.n_heads
        view.x = self._room("x", rows, d)
        view.h = self._room("h", rows, d)
        padded = self._room("o", rows, layer.o.width)
        view.o, view.o_view = padded[:, :d], layer.o.view(padded)
        view.squares = self._room("squares", rows)
        view.qkv = self._room("qkv", heads + 2 * arch.n_kv_heads, rows, head)
        view.qk_squares = self._room("qk_squares", heads + arch.n_kv_heads, rows)
        view.turn = self._room("turn", heads + arch.n_kv_heads, rows, head)
        view.mixed = self._room("mixed", rows, heads * head)
        view.gate_up = self._room("gate_up", rows, layer.gate_up.width)
        view.gate_up_view = layer.gate_up.view(view.gate_up)
        inner = layer.down.depth
        view.gate, view.up = view.gate_up[:, :inner], view.gate_up[:, -inner:]
        view.inner = self._room("inner", rows, inner)
        return view

    def logits(self, rows: int) -> tuple[F32, F32]:
        """`[rows, padded vocabulary]` and its view for the head's panels."""
        found = self._logits.get(rows)
        if found is None:
            if len(self._logits) >= KEPT_SHAPES or rows > max(self._logits, default=0):
                self._logits.clear()
            block = self._room("logits", rows, self._head_panels.width)
            found = self._logits[rows] = (block, self._head_panels.view(block))
        return found
