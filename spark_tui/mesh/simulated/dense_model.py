"""A small transformer in dense numpy: its weights, its rotary angles, and the reference that the mesh is
compared with."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spark_tui.mesh.simulated.kernels import EPS, Array
from spark_tui.shapes import ModelShape

Weights = dict[str, NDArray[np.float32]]
ROPE_BASE = 10_000.0


def random_weights(shape: ModelShape, seed: int = 0) -> Weights:
    """Weights of the size that training would leave, for a shape without a checkpoint."""
    rng = np.random.default_rng(seed)
    d, f, q, kv = shape.d_model, shape.d_ff, shape.n_heads * shape.head_dim, shape.n_kv_heads * shape.head_dim

    def matrix(rows: int, columns: int) -> NDArray[np.float32]:
        drawn: NDArray[np.float32] = (rng.standard_normal((rows, columns)) / np.sqrt(rows)).astype(np.float32)
        return drawn

    weights: Weights = {"embed": rng.standard_normal((shape.vocab_size, d)).astype(np.float32)}
    for layer in range(shape.n_layers):
        sizes = {
            "q": (d, q),
            "k": (d, kv),
            "v": (d, kv),
            "o": (q, d),
            "up": (d, f),
            "gate": (d, f),
            "down": (f, d),
        }
        for name, (rows, columns) in sizes.items():
            weights[f"{layer}.{name}"] = matrix(rows, columns)
        for name in ("norm1", "norm2"):
            weights[f"{layer}.{name}"] = (1.0 + 0.1 * rng.standard_normal(d)).astype(np.float32)
    weights["norm"] = (1.0 + 0.1 * rng.standard_normal(d)).astype(np.float32)
    weights["head"] = matrix(d, shape.vocab_size)
    return weights


def angles(head_dim: int, positions: NDArray[np.int64]) -> tuple[Array, Array]:
    """Cosines and sines `[T, head_dim / 2]`."""
    rates = ROPE_BASE ** (-np.arange(0, head_dim, 2, dtype=np.float64) / head_dim)
    turn = positions[:, None].astype(np.float64) * rates[None, :]
    return np.cos(turn).astype(np.float32), np.sin(turn).astype(np.float32)


def forward(shape: ModelShape, weights: Weights, tokens: list[int]) -> Array:
    """`[T, vocabulary]`."""
    count, size = len(tokens), shape.head_dim
    cos, sin = (part[:, None] for part in angles(size, np.arange(count)))  # [T, 1, head_dim / 2]

    def norm(x: Array, gain: Array) -> Array:
        scaled: Array = x / np.sqrt((x * x).mean(-1, keepdims=True) + EPS) * gain
        return scaled

    def turn(x: Array) -> Array:
        even, odd = x[..., 0::2], x[..., 1::2]
        return np.stack([even * cos - odd * sin, even * sin + odd * cos], axis=-1).reshape(x.shape)

    x: Array = weights["embed"][tokens]
    allowed = np.tril(np.ones((count, count), dtype=bool))
    for layer in range(shape.n_layers):
        w = {name: weights[f"{layer}.{name}"] for name in ("q", "k", "v", "o", "up", "gate", "down")}
        h = norm(x, weights[f"{layer}.norm1"])
        q = turn((h @ w["q"]).reshape(count, shape.n_heads, size))  # [T, H, D]
        k = turn((h @ w["k"]).reshape(count, shape.n_kv_heads, size))
        v = (h @ w["v"]).reshape(count, shape.n_kv_heads, size)
        repeat = shape.n_heads // shape.n_kv_heads
        k, v = np.repeat(k, repeat, axis=1), np.repeat(v, repeat, axis=1)
        scores = np.where(allowed, np.einsum("ihd,jhd->hij", q, k) / np.sqrt(size), -np.inf)
        share = np.exp(scores - scores.max(-1, keepdims=True))
        share = share / share.sum(-1, keepdims=True)
        x = x + np.einsum("hij,jhd->ihd", share, v).reshape(count, -1) @ w["o"]
        h = norm(x, weights[f"{layer}.norm2"])
        gate = h @ w["gate"]
        x = x + ((h @ w["up"]) * (gate / (1.0 + np.exp(-gate)))) @ w["down"]
    logits: Array = norm(x, weights["norm"]) @ weights["head"]
    return logits
