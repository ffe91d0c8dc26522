"""Values that the engine and the mesh share: the shape of a model, and the work of one forward pass."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ModelShape:
    """The sizes that decide what a pass costs, on any machine."""

    name: str
    vocab_size: int
    d_model: int
    n_layers: int
    n_heads: int
    n_kv_heads: int
    head_dim: int
    d_ff: int
    gated_mlp: bool = True
    tied_head: bool = True
    windows: tuple[int, ...] = ()
    """Attention window of each layer in tokens, 0 for a global layer; empty means all global."""
    max_positions: int = 8192

    @property
    def n_params(self) -> int:
        """Weights in matrices and embeddings; norms and biases are left out (under one in a thousand)."""
        attention = self.d_model * self.head_dim * (2 * self.n_heads + 2 * self.n_kv_heads)
        mlp = self.d_model * self.d_ff * (3 if self.gated_mlp else 2)
        tables = self.vocab_size * self.d_model * (1 if self.tied_head else 2)
        return self.n_layers * (attention + mlp) + tables


@dataclass(frozen=True, slots=True)
class Step:
    """One forward pass, as the engine reports it."""

    kind: str
    """`prefill` or `decode`."""
    rows: int
    """Token rows computed in this pass, over all sequences."""
    context: int
    """Keys that the last row attended to (the longest sequence of the pass)."""
    drafted: int
    """Rows that were drafts."""
    accepted: int
    """Drafts that were accepted."""
    seconds: float
