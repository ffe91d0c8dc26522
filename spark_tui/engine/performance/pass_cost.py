"""What a forward pass has to read and to compute, whatever the implementation."""

from __future__ import annotations

from dataclasses import dataclass

from spark_tui.engine.architecture import Arch, weight_shapes
from spark_tui.engine.cache.page_selection import SELECTED
from spark_tui.engine.kernels.attention import PAGE


@dataclass(frozen=True, slots=True)
class PassCost:
    """Bytes of weights and of keys and values that are read once, and floating point operations."""

    rows: int
    bytes_read: float
    flops: float
    int8: bool = False


def pass_cost(
    arch: Arch, rows: int, context: int = 0, *, logits: int | None = None, int8: bool = False
) -> PassCost:
    """The cost of a pass of `rows` tokens after `context` others, with logits for `logits` of them
    (default: all)."""
    shapes = weight_shapes(arch)
    embedding = shapes.get("embed.tok", (0, 0))
    head = embedding[0] * embedding[1]
    layers = sum(
        shape[0] * shape[1]
        for name, shape in shapes.items()
        if len(shape) == 2 and name.startswith("layers.")
    )
    chosen = rows if logits is None else logits
    kept = sum(_within(arch, layer, context + rows) for layer in range(arch.n_layers))
    seen = sum(_within(arch, layer, context + (rows + 1) // 2) for layer in range(arch.n_layers))
    return PassCost(
        rows,
        (layers + (head if chosen else 0)) * (1 if int8 else 4)
        + 2 * 4 * kept * arch.n_kv_heads * arch.head_dim,
        2 * rows * layers + 2 * chosen * head + 4 * rows * seen * arch.n_heads * arch.head_dim,
        int8,
    )


def _within(arch: Arch, layer: int, tokens: int) -> int:
    """The tokens of so many that a layer looks at."""
    window = arch.window_of(layer) or (SELECTED * PAGE if arch.page_select else 0)
    return min(tokens, window or tokens)
