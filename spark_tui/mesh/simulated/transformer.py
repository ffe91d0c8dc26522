"""A whole small transformer that runs across the cores. Its logits equal dense numpy's up to the order of
sums, which proves that the placement computes the right numbers.

Decode: the residual vector lies along the rows (the same in every column), projections turn it to lie along
the columns and back. Keys lie as their column's part of their row's tokens. Each head is the columns that
hold it. Prefill: tokens lie along the rows, widths along the columns; scores stay with all columns of their
head.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from spark_tui.errors import UsageError
from spark_tui.mesh.simulated.dense_model import Weights, angles
from spark_tui.mesh.simulated.kernels import Array, Mesh
from spark_tui.mesh.simulated.kv_placement import ShiftedKV
from spark_tui.shapes import ModelShape


def widen_heads(matrix: NDArray[np.float32], shape: ModelShape) -> NDArray[np.float32]:
    """Keys or values as many as queries: each group's one is repeated."""
    d = matrix.shape[0]
    grouped = matrix.reshape(d, shape.n_kv_heads, shape.head_dim)
    wide = np.repeat(grouped, shape.n_heads // shape.n_kv_heads, axis=1)
    return wide.reshape(d, shape.n_heads * shape.head_dim)


@dataclass(slots=True)
class _Layer:
    tiles: dict[str, Array]
    keys: Array
    values: Array


@dataclass(slots=True)
class MeshTransformer:
    """The model, laid on the mesh. `tokens_per_row` is how much context each row keeps."""

    shape: ModelShape
    weights: Weights
    mesh: Mesh
    tokens_per_row: int = 8
    layers: list[_Layer] = field(init=False)
    kv: ShiftedKV = field(init=False)

    def __post_init__(self) -> None:
        shape, side = self.shape, self.mesh.side
        heads, width = shape.n_heads, shape.n_heads * shape.head_dim
        if heads % shape.n_kv_heads:
            raise UsageError(f"{shape.n_kv_heads} key heads do not divide {heads} query heads")
        if side % heads and heads % side:
            raise UsageError(
                f"{heads} heads do not divide a grid of {side} columns",
                hint="Use a grid whose side is a multiple or a divisor of the number of heads.",
            )
        for name, size in (("model", shape.d_model), ("attention", width), ("feed-forward", shape.d_ff)):
            if size % side:
                raise UsageError(f"a {name} width of {size} does not divide over {side} columns")
        if (part := min(width // side, shape.head_dim)) % 2:
            raise UsageError(f"rotary pairs do not fit a core's {part} columns of a head")
        self.kv = ShiftedKV(side, self.tokens_per_row)
        self.layers = [self._lay(layer) for layer in range(shape.n_layers)]

    # -- layout

    def _lay(self, layer: int) -> _Layer:
        w, shape, side = self.weights, self.shape, self.mesh.side
        dense = {name: w[f"{layer}.{name}"] for name in ("q", "o", "up", "gate", "down")}
        dense["k"], dense["v"] = (widen_heads(w[f"{layer}.{name}"], shape) for name in ("k", "v"))
        tiles = {name: self.split(matrix) for name, matrix in dense.items()}
        for name in ("norm1", "norm2"):
            tiles[name] = w[f"{layer}.{name}"].reshape(side, -1).astype(self.mesh.dtype)
        attention = shape.n_heads * shape.head_dim // side
        cache = np.zeros((side, side, self.tokens_per_row, attention), dtype=self.mesh.dtype)
        return _Layer(tiles, cache, cache.copy())

    def split(self, matrix: NDArray[np.float32]) -> Array:
        """A dense `[K, N]` as `[P, P, K/P, N/P]`."""
        side = self.mesh.side
        rows, columns = matrix.shape
        cut = matrix.reshape(side, rows // side, side, columns // side).transpose(0, 2, 1, 3)
        result: Array = np.ascontiguousarray(cut).astype(self.mesh.dtype)
        return result

    @property
    def _heads_per_column(self) -> int:
        return max(self.shape.n_heads // self.mesh.side, 1)

    @property
    def _segments(self) -> int:
        """Parts of a row that reduce scores among themselves: one a head, or one a column."""
        return min(self.shape.n_heads, self.mesh.side)

    def _column_angles(self, positions: NDArray[np.int64]) -> tuple[Array, Array]:
        """For every column its own part of the head's angles: `[P, T, a / 2]`."""
        shape, side = self.shape, self.mesh.side
        cos, sin = angles(shape.head_dim, positions)
        half = shape.n_heads * shape.head_dim // side // 2
        wide_cos, wide_sin = (np.tile(part, (1, shape.n_heads)) for part in (cos, sin))
        shape3 = (len(positions), side, half)
        return wide_cos.reshape(shape3).transpose(1, 0, 2), wide_sin.reshape(shape3).transpose(1, 0, 2)

    # -- decode

    def decode(self, token: int) -> NDArray[np.float32]:
        """Append one token to the context and return its logits."""
        mesh, side = self.mesh, self.mesh.side
        position = self.kv.length
        moves = self.kv.append()
        if moves:
            width = self.layers[0].keys.shape[-1] * 2
            mesh.spend("kv shift", 0.0, mesh.fabric.worm_cycles(width) + 2 * mesh.wafer.ramp_cycles + 2)
        along_rows = self.weights["embed"][token].reshape(side, 1, -1)
        x = np.ascontiguousarray(np.broadcast_to(along_rows, (side, side, along_rows.shape[2]))).astype(
            np.float32
        )
        for layer in self.layers:
            x = self._decode_layer(layer, x, position, moves)
        gain = self.weights["norm"].reshape(side, 1, -1)
        x = mesh.rmsnorm(x, gain, self.shape.d_model, "y", "final norm")
        out = mesh.gemv(x, self._head(), "y", "head")
        logits: NDArray[np.float32] = out[0].reshape(-1)[: self.shape.vocab_size].astype(np.float32)
        return logits

    def _head(self) -> Array:
        """The head, cut by columns, padded where the vocabulary does not divide."""
        missing = -self.shape.vocab_size % self.mesh.side
        return self.split(np.pad(self.weights["head"], ((0, 0), (0, missing))))

    def _decode_layer(self, layer: _Layer, x: Array, position: int, moves: list[tuple[int, int]]) -> Array:
        mesh, t, d = self.mesh, layer.tiles, self.shape.d_model
        h = mesh.rmsnorm(x, t["norm1"][:, None, :], d, "y", "norm 1")
        fused = np.concatenate([mesh.local_gemv(h, t[name], name) for name in ("q", "k", "v")], axis=-1)
        fused = mesh.allreduce(fused, "y")
        q, k, v = np.split(fused, 3, axis=-1)
        cos, sin = self._column_angles(np.array([position]))
        v = mesh.tile(v)
        q, k = (mesh.rope(part, cos[None, :, 0], sin[None, :, 0]) for part in (q, k))
        self._store(layer, k, v, moves)
        attended = self._attend(layer, mesh.tile(q))
        x = (x + mesh.gemv(attended, t["o"].swapaxes(0, 1), "x", "output")).astype(np.float32)
        h = mesh.rmsnorm(x, t["norm2"][:, None, :], d, "y", "norm 2")
        fused = np.concatenate([mesh.local_gemv(h, t[name], name) for name in ("up", "gate")], axis=-1)
        up, gate = np.split(mesh.allreduce(fused, "y"), 2, axis=-1)
        inner = self._activate(up, gate)
        return (x + mesh.gemv(inner, t["down"].swapaxes(0, 1), "x", "down")).astype(np.float32)

    def _activate(self, up: Array, gate: Array) -> Array:
        g = gate.astype(np.float32)
        elements = int(np.prod(up.shape[2:], dtype=np.int64))
        self.mesh.spend("activation", elements * 80.0 + self.mesh.core.vector(elements))
        result: Array = (up.astype(np.float32) * (g / (np.float32(1.0) + np.exp(-g)))).astype(self.mesh.dtype)
        return result

    def _store(self, layer: _Layer, k: Array, v: Array, moves: list[tuple[int, int]]) -> None:
        """Shift as the balance says, then put the new token where it ended up."""
        for cache, new in ((layer.keys, k), (layer.values, v)):
            before = {row: len(held) for row, held in enumerate(self.kv.rows)}
            for _, row in moves:
                before[row] += 1
                before[row - 1] -= 1
            before[self.mesh.side - 1] -= 1
            last = self.mesh.side - 1
            cache[last, :, before[last]] = new[last]
            before[last] += 1
            for _, row in moves:
                cache[row - 1, :, before[row - 1]] = cache[row, :, 0]
                before[row - 1] += 1
                cache[row, :, : before[row] - 1] = cache[row, :, 1 : before[row]].copy()
                before[row] -= 1

    def _attend(self, layer: _Layer, q: Array) -> Array:
        """Scores along the head's columns, softmax and values along the rows."""
        mesh, side, per = self.mesh, self.mesh.side, self._heads_per_column
        counts = np.array(self.kv.counts())
        part = q.shape[-1] // per
        qh = q.reshape(side, side, per, part).astype(np.float32)
        kh = layer.keys.reshape(side, side, -1, per, part).astype(np.float32)
        vh = layer.values.reshape(side, side, -1, per, part).astype(np.float32)
        slots = kh.shape[2]
        scores = np.zeros((side, side, slots, per), dtype=np.float32)
        for index in range(part):
            scores = scores + qh[:, :, None, :, index] * kh[..., index]
        mesh.spend(
            "scores", mesh.core.vector(slots) + mesh.wafer.issue_cycles + mesh.core.mapped(part * per, slots)
        )
        scores = mesh.allreduce(scores, "x", segments=self._segments)
        scores = scores.astype(np.float32) / np.float32(np.sqrt(self.shape.head_dim))
        valid = np.arange(slots)[None, :] < counts[:, None]
        scores = np.where(valid[:, None, :, None], scores, np.float32(-np.inf))
        peak = np.maximum(scores.max(axis=2, initial=-np.inf), np.float32(-60_000.0))
        peak = mesh.allreduce(peak, "y", largest=True).astype(np.float32)
        weights = np.exp(scores - peak[:, :, None])
        mesh.spend("softmax", slots * per * 20.0 + 3 * mesh.core.vector(slots * per))
        total = np.zeros((*weights.shape[:2], per), dtype=np.float32)
        for slot in range(slots):
            total = total + weights[:, :, slot]
        total = mesh.allreduce(total, "y").astype(np.float32)
        weights = weights / total[:, :, None]
        out = np.zeros((side, side, per, part), dtype=np.float32)
        for slot in range(slots):
            out = out + weights[:, :, slot, :, None] * vh[:, :, slot]
        mesh.spend(
            "values",
            mesh.core.vector(part * per) + mesh.wafer.issue_cycles + mesh.core.mapped(slots, part * per),
        )
        flat = out.reshape(side, side, per * part)
        return mesh.tile(mesh.allreduce(flat, "y"))

    # -- prefill

    def prefill(self, tokens: list[int]) -> NDArray[np.float32]:
        """The whole prompt at once. Logits of every position, and the keys stay for decode."""
        mesh, side, shape = self.mesh, self.mesh.side, self.shape
        if self.kv.length:
            raise UsageError("a prompt is read before anything is decoded")
        if not tokens:
            raise UsageError("a prompt has at least one token")
        self.kv.load(len(tokens))
        rows = max(self.kv.counts())
        where = np.full((side, rows), -1, dtype=np.int64)
        for y, held in enumerate(self.kv.rows):
            where[y, : len(held)] = held
        ids = np.array([*tokens, 0])[where]
        x = self.weights["embed"][ids].reshape(side, rows, side, -1).transpose(0, 2, 1, 3).astype(np.float32)
        for layer in self.layers:
            x = self._prefill_layer(layer, x, where)
        gain = self.weights["norm"].reshape(1, side, 1, -1)
        x = mesh.rmsnorm(x, gain, shape.d_model, "x", "final norm")
        out = mesh.gemm(x, self._head(), "head").transpose(0, 2, 1, 3).reshape(side * rows, -1)
        return out[where.reshape(-1) >= 0][:, : shape.vocab_size].astype(np.float32)

    def _prefill_layer(self, layer: _Layer, x: Array, where: NDArray[np.int64]) -> Array:
        mesh, t, d = self.mesh, layer.tiles, self.shape.d_model
        h = mesh.rmsnorm(x, t["norm1"][None, :, None, :], d, "x", "norm 1")
        q, k, v = (mesh.gemm(h, t[name], name) for name in ("q", "k", "v"))
        v = mesh.tile(v)
        cos, sin = self._column_angles(np.maximum(where, 0).reshape(-1))
        shape4 = (self.mesh.side, self.mesh.side, where.shape[1], cos.shape[-1])
        cos, sin = (part.reshape(shape4).swapaxes(0, 1) for part in (cos, sin))
        q, k = (mesh.rope(part, cos, sin) for part in (q, k))
        rows = where.shape[1]
        layer.keys[:, :, :rows], layer.values[:, :, :rows] = k, v
        attended = self._attend_all(q, k, v, where)
        x = (x + mesh.gemm(attended, t["o"], "output")).astype(np.float32)
        h = mesh.rmsnorm(x, t["norm2"][None, :, None, :], d, "x", "norm 2")
        inner = self._activate(mesh.gemm(h, t["up"], "up"), mesh.gemm(h, t["gate"], "gate"))
        return (x + mesh.gemm(inner, t["down"], "down")).astype(np.float32)

    def _attend_all(self, q: Array, k: Array, v: Array, where: NDArray[np.int64]) -> Array:
        """Keys, then values, travel round the rows; each row scores the block that is there. Blocks are
        summed in the order in which they come by."""
        mesh, side, per = self.mesh, self.mesh.side, self._heads_per_column
        rows, part = q.shape[2], q.shape[3] // per
        qh, kh, vh = (a.reshape(side, side, rows, per, part).astype(np.float32) for a in (q, k, v))
        blocks = []
        for step in range(side):
            there = (np.arange(side) + step) % side
            scores = np.zeros((side, side, rows, rows, per), dtype=np.float32)
            for index in range(part):
                scores = scores + qh[:, :, :, None, :, index] * kh[there][:, :, None, :, :, index]
            mesh.spend(
                "scores", mesh.core.mapped(part * per * rows, rows) + self.mesh.constants.gemm_step_cycles
            )
            summed = mesh.allreduce(scores, "x", segments=self._segments)
            seen = (where[there][:, None, :] <= where[:, :, None]) & (where[there][:, None, :] >= 0)
            scaled = summed.astype(np.float32) / np.float32(np.sqrt(self.shape.head_dim))
            blocks.append(np.where(seen[:, None, :, :, None], scaled, np.float32(-np.inf)))
        peak = np.maximum(np.max([block.max(axis=3) for block in blocks], axis=0), np.float32(-60_000.0))
        weights = [np.exp(block - peak[:, :, :, None]) for block in blocks]
        mesh.spend("softmax", side * rows * rows * per * 20.0)
        total = np.zeros((side, side, rows, per), dtype=np.float32)
        out = np.zeros((side, side, rows, per, part), dtype=np.float32)
        for step, weight in enumerate(weights):
            there = (np.arange(side) + step) % side
            for slot in range(rows):
                total = total + weight[:, :, :, slot]
                out = out + weight[:, :, :, slot, :, None] * vh[there][:, :, None, slot]
            mesh.spend(
                "values", mesh.core.mapped(rows * part * per, rows) + self.mesh.constants.gemm_step_cycles
            )
        safe = np.where(total == 0, np.float32(1.0), total)
        result: Array = (out / safe[..., None]).reshape(side, side, rows, per * part).astype(mesh.dtype)
        return result
