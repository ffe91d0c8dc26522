"""Dense weights of a shape, and the rotary angles, as the mesh and its dense reference both use them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spark_tui.mesh.simulated.kernels import Array
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
