"""The placement of a model: tiles on cores, layers on regions, regions on wafers, and whether they fit in
SRAM.

A *region* is one square of cores; it is one stage of the pipeline and holds some whole layers.
"""

from __future__ import annotations

from dataclasses import dataclass

from spark_tui.errors import Misfit
from spark_tui.mesh.estimates.cost import Tiles, layer_params, tiles
from spark_tui.mesh.facts.wafer import BYTES_FP16, Wafer
from spark_tui.shapes import ModelShape


@dataclass(frozen=True, slots=True)
class Placement:
    """What one core holds, and how many regions and wafers that makes."""

    side: int
    tiles: Tiles
    weight_bytes_per_layer: int
    kv_bytes_per_layer: int
    activation_bytes: int
    layers_per_stage: int
    stages: int
    regions_per_wafer: int
    sram_bytes_per_core: int
    """Of the fullest core, the runtime included."""
    sram_limit_bytes: int

    @property
    def wafers(self) -> int:
        return -(-self.stages // self.regions_per_wafer)


def weight_bytes(shape: ModelShape, t: Tiles) -> int:
    """One layer's tiles on one core, as the kernels hold them: keys and values as wide as queries, two
    norms."""
    ups = 2 if shape.gated_mlp else 1
    return BYTES_FP16 * (4 * t.model * t.attention + (ups + 1) * t.model * t.feed + 2 * t.model)


def activation_bytes(shape: ModelShape, t: Tiles, prompt: bool) -> int:
    """The kernels' buffers: residual, norm and temporaries, Q/K/V, scores twice, the feed-forward's; prefill
    keeps a row of each per prompt token and a second buffer for the tiles that travel."""
    rows = t.keys if prompt else 1
    ups = 2 if shape.gated_mlp else 1
    once = rows * (5 * t.model + 4 * t.attention + (ups + 1) * t.feed + 2 * t.keys)
    if prompt:
        once += max(t.model * max(t.attention, t.feed), rows * max(t.model, t.feed))
    return BYTES_FP16 * once


def place(
    shape: ModelShape,
    side: int,
    positions: int,
    wafer: Wafer,
    *,
    prompt: bool = False,
    wafers: int | None = None,
) -> Placement:
    """Lay the model out. `wafers` is how many there are; None means as many as it takes."""
    wafer.check_grid(side)
    found = _measure(shape, side, positions, wafer, prompt)
    if found.layers_per_stage == 0:
        raise Misfit(
            f"one layer of {shape.name} takes {found.sram_bytes_per_core:,} bytes a core on {side} × {side}"
            f" and a core has {wafer.sram_bytes_per_core:,}:"
            f" {found.sram_bytes_per_core - wafer.sram_bytes_per_core:,} bytes are missing",
            where=f"{wafer.name}, {positions} positions",
            hint=_what_would_do(shape, positions, wafer, prompt, wafers),
        )
    if wafers is not None and found.wafers > wafers:
        short = found.wafers * found.regions_per_wafer - wafers * found.regions_per_wafer
        missing_layers = shape.n_layers - wafers * found.regions_per_wafer * found.layers_per_stage
        missing = missing_layers * (found.weight_bytes_per_layer + found.kv_bytes_per_layer) * side * side
        raise Misfit(
            f"{shape.name} needs {found.stages} stages of {side} × {side} on {found.wafers} wafers and there"
            f" are {wafers}: {missing / 1e9:.2f} GB in {missing_layers} layers are missing",
            where=f"{wafer.name}, {positions} positions",
            hint=f"Use --wafers {found.wafers} ({short} more regions). "
            + _what_would_do(shape, positions, wafer, prompt, wafers),
        )
    return found


def _measure(shape: ModelShape, side: int, positions: int, wafer: Wafer, prompt: bool) -> Placement:
    t = tiles(shape, side, positions)
    weights, keys = weight_bytes(shape, t), BYTES_FP16 * 2 * t.attention * t.keys
    fixed = activation_bytes(shape, t, prompt)
    room = wafer.data_bytes_per_core - fixed
    each = weights + keys
    per_stage = max(min(room // each, shape.n_layers), 0) if room > 0 else 0
    stages = -(-shape.n_layers // per_stage) if per_stage else 0
    if stages:
        per_stage = -(-shape.n_layers // stages)  # spread evenly: no stage is fuller than it must be
    return Placement(
        side=side,
        tiles=t,
        weight_bytes_per_layer=weights,
        kv_bytes_per_layer=keys,
        activation_bytes=fixed,
        layers_per_stage=per_stage,
        stages=stages,
        regions_per_wafer=wafer.regions(side),
        sram_bytes_per_core=wafer.runtime_bytes_per_core + fixed + each * max(per_stage, 1),
        sram_limit_bytes=wafer.sram_bytes_per_core,
    )


def candidate_sides(wafer: Wafer) -> list[int]:
    """Grids worth trying: multiples of 60 (the published ones among them), and small ones on small wafers."""
    most = min(wafer.columns, wafer.rows)
    return [side for side in (4, 8, 16, 32, *range(60, 721, 60), 750, 900) if side <= most]


def fitting_side(
    shape: ModelShape, positions: int, wafer: Wafer, *, prompt: bool = False, wafers: int | None = None
) -> int | None:
    """The smallest candidate grid that holds the model on that many wafers."""
    for side in candidate_sides(wafer):
        found = _measure(shape, side, positions, wafer, prompt)
        if found.layers_per_stage and (wafers is None or found.wafers <= wafers):
            return side
    return None


def _what_would_do(shape: ModelShape, positions: int, wafer: Wafer, prompt: bool, wafers: int | None) -> str:
    side = fitting_side(shape, positions, wafer, prompt=prompt, wafers=wafers)
    if side is None:
        side = fitting_side(shape, positions, wafer, prompt=prompt)
    if side is None:
        return "No square grid of this device holds a layer. Use a shorter context or a larger device."
    found = _measure(shape, side, positions, wafer, prompt)
    return f"--grid {side} fits (stages: {found.stages}, wafers: {found.wafers})."


def shift_tokens_per_row(shape: ModelShape, side: int, wafer: Wafer) -> float:
    """Tokens of keys and values that one row of cores can keep, when one wafer's regions share the layers.

    Counted as the published capacities appear to be: the whole 48 KiB, grouped keys, exact widths."""
    regions = max(wafer.columns * wafer.rows // (side * side), 1)
    layers = shape.n_layers / regions
    kv_width = shape.n_kv_heads * shape.head_dim / side
    weights = BYTES_FP16 * layer_params(shape) / (side * side)
    each = BYTES_FP16 * 2 * kv_width
    return max(wafer.sram_bytes_per_core - layers * weights, 0.0) / (layers * each)
