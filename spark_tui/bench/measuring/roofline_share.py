"""Figures of an engine as a share of this machine's roofline."""

from __future__ import annotations

from spark_tui.bench.measuring.model_argument import place_of
from spark_tui.config import paths
from spark_tui.engine.architecture import Arch
from spark_tui.engine.checkpoint import load_checkpoint
from spark_tui.engine.model_sizes import size
from spark_tui.engine.performance.pass_cost import pass_cost
from spark_tui.engine.performance.roofline_store import process_roofline

COLUMN = "of roofline"


def arch_of(model: str) -> Arch:
    """The architecture that a bench's `--model` means."""
    place = place_of(model)
    return size(model) if place is None else load_checkpoint(place).arch


def share_of(
    arch: Arch,
    seconds: float,
    rows: float,
    context: int = 0,
    *,
    logits: int | None = None,
    int8: bool = False,
) -> float | None:
    """The least time on one thread for a pass of `rows` tokens after `context` others ÷ the seconds that it
    took."""
    cost = pass_cost(arch, max(1, round(rows)), context, logits=logits, int8=int8)
    least = process_roofline(paths.cache_dir()).roofline.seconds(cost, 1)
    return round(least / seconds, 3) if least is not None and seconds > 0 else None
