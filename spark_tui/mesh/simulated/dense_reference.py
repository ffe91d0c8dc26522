"""A small transformer in dense numpy: the reference that the mesh is compared with."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spark_tui.mesh.simulated.dense_weights import Weights, angles
from spark_tui.mesh.simulated.kernels import EPS
from spark_tui.shapes import ModelShape

Real = NDArray[np.floating]


def forward(shape: ModelShape, weights: Weights, tokens: list[int]) -> Real:
    """`[T, vocabulary]`."""
    count, size = len(tokens), shape.head_dim
    cos, sin = (part[:, None] for part in angles(size, np.arange(count)))  # [T, 1, head_dim / 2]

    def norm(x: Real, gain: Real) -> Real:
        scaled: Real = x / np.sqrt((x * x).mean(-1, keepdims=True) + EPS) * gain
        return scaled

    def turn(x: Real) -> Real:
        even, odd = x[..., 0::2], x[..., 1::2]
        return np.stack([even * cos - odd * sin, even * sin + odd * cos], axis=-1).reshape(x.shape)

    x: Real = weights["embed"][tokens]
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
    logits: Real = norm(x, weights["norm"]) @ weights["head"]
    return logits
