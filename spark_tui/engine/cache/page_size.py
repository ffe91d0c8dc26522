"""The size of a cache page in bytes, and how many pages fit a memory bound."""

from __future__ import annotations

from spark_tui.engine.architecture import Arch
from spark_tui.engine.kernels.attention import PAGE
from spark_tui.engine.kernels.panels import round_up


def padded_head(arch: Arch) -> int:
    """Head size as stored: a multiple of 16, so that every product takes the same kernel."""
    return round_up(arch.head_dim, 16)


def page_bytes(arch: Arch) -> int:
    """Of all layers, keys and values."""
    return 2 * 4 * arch.n_layers * arch.n_kv_heads * padded_head(arch) * PAGE


def pages_within(arch: Arch, max_bytes: int) -> int:
    """How many a bound has room for; a few in any case."""
    return max(4, max_bytes // page_bytes(arch))
