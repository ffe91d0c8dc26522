"""Answers to "what would this model do on that wafer": placement and cost together, as plain values."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from spark_tui.errors import Misfit, UsageError
from spark_tui.mesh.estimates import cost, gpu, placement, row_predictors
from spark_tui.mesh.estimates.placement import Placement, place
from spark_tui.mesh.facts.fitted_constants import FITTED, UNFITTED
from spark_tui.mesh.facts.wafer import Wafer
from spark_tui.shapes import ModelShape

Answer = dict[str, Any]


def _common(shape: ModelShape, wafer: Wafer, grid: int, phase: str, spot: Placement) -> Answer:
    return {
        "model": shape.name,
        "device": wafer.name,
        "grid": grid,
        "phase": phase,
        "sram_bytes_per_core": spot.sram_bytes_per_core,
        "sram_limit_bytes": spot.sram_limit_bytes,
        "layers_per_stage": spot.layers_per_stage,
        "stages": spot.stages,
        "fits": True,
        "wafers": spot.wafers,
    }


def decode(shape: ModelShape, wafer: Wafer, grid: int, context: int, wafers: int | None = None) -> Answer:
    """One token of one sequence with `context` keys. `tokens_per_second` counts the layers, as published
    rates do; the transfer between stages is a separate figure. `pipelined_…` is the total of all sequences
    when each stage has its own.
    """
    _check_positive(context=context)
    spot = place(shape, grid, context, wafer, wafers=wafers)
    cycles = cost.decode_token_cycles(shape, grid, context, wafer, FITTED)
    bare = cost.decode_token_cycles(shape, grid, context, wafer, UNFITTED)
    return _common(shape, wafer, grid, "decode", spot) | {
        "context": context,
        "cycles_per_layer": cycles / shape.n_layers,
        "tokens_per_second": wafer.clock_hz / cycles,
        "unfitted_cycles_per_layer": bare / shape.n_layers,
        "handover_cycles_per_token": cost.handover_cycles(
            shape, grid, spot.stages, spot.regions_per_wafer, wafer
        ),
        "pipelined_tokens_per_second": wafer.clock_hz / (cycles / shape.n_layers * spot.layers_per_stage),
        "constants": asdict(FITTED),
    }


def prefill(shape: ModelShape, wafer: Wafer, grid: int, prompt: int, wafers: int | None = None) -> Answer:
    _check_positive(prompt=prompt)
    spot = place(shape, grid, prompt, wafer, prompt=True, wafers=wafers)
    cycles = cost.prefill_cycles(shape, grid, prompt, wafer, FITTED)
    bare = cost.prefill_cycles(shape, grid, prompt, wafer, UNFITTED)
    seconds = cycles / wafer.clock_hz
    return _common(shape, wafer, grid, "prefill", spot) | {
        "prompt": prompt,
        "cycles_per_layer": cycles / shape.n_layers,
        "tokens_per_second": prompt / seconds,
        "ttft_s": seconds,
        "unfitted_cycles_per_layer": bare / shape.n_layers,
        "constants": asdict(FITTED),
    }


def end_to_end(
    shape: ModelShape,
    wafer: Wafer,
    prompt: int,
    output: int,
    prefill_grid: int,
    decode_grid: int,
    wafers: int | None = None,
) -> Answer:
    """A prompt and its answer."""
    _check_positive(prompt=prompt, output=output)
    place(shape, prefill_grid, prompt, wafer, prompt=True, wafers=wafers)
    answer = decode(shape, wafer, decode_grid, prompt + output, wafers)
    first = prefill(shape, wafer, prefill_grid, prompt, wafers)["ttft_s"]
    move = cost.replacement_seconds(shape, prompt, decode_grid, wafer)
    seconds = row_predictors.end_to_end_seconds(
        shape, wafer, prompt, output, prefill_grid, decode_grid, FITTED
    )
    return answer | {
        "phase": "e2e",
        "prompt": prompt,
        "output": output,
        "prefill_grid": prefill_grid,
        "decode_grid": decode_grid,
        "ttft_s": first,
        "replacement_s": move,
        "decode_s": seconds - first - move,
        "e2e_s": seconds,
        "e2e_tokens_per_second": output / seconds,
    }


def _check_positive(**values: int) -> None:
    for name, value in values.items():
        if value < 1:
            raise UsageError(f"--{name} must be at least 1, not {value}")


def best_grid(shape: ModelShape, wafer: Wafer, positions: int, *, prompt: bool = False) -> int:
    """The grid with the fastest token, or the fastest `prompt`, among those that hold a layer."""
    found: list[tuple[float, int]] = []
    for side in placement.candidate_sides(wafer):
        try:
            place(shape, side, positions, wafer, prompt=prompt)
        except Misfit:
            continue
        of = cost.prefill_cycles if prompt else cost.decode_token_cycles
        found.append((of(shape, side, positions, wafer, FITTED), side))
    if not found:
        side = min(wafer.columns, wafer.rows)
        place(shape, side, positions, wafer, prompt=prompt)
        return side
    return min(found)[1]


def compare(
    shape: ModelShape,
    wafer: Wafer,
    prompt: int,
    output: int,
    prefill_grid: int | None = None,
    decode_grid: int | None = None,
) -> list[Answer]:
    """GPUs, the wafer, and prefill on GPUs with decode on the wafer, side by side."""
    _check_positive(prompt=prompt, output=output)
    before = prefill_grid or best_grid(shape, wafer, prompt, prompt=True)
    after = decode_grid or best_grid(shape, wafer, prompt + output)
    rows = [gpu_answer(shape, name, prompt, output) for name in ("a100", "h100", "h200")]
    whole = end_to_end(shape, wafer, prompt, output, before, after)
    spread = whole["decode_s"]
    rows.append(
        {
            "system": f"{wafer.name} {before}² → {after}²",
            "devices": max(whole["wafers"], place(shape, before, prompt, wafer, prompt=True).wafers),
            "ttft_s": whole["ttft_s"],
            "transfer_s": whole["replacement_s"],
            "decode_tokens_per_second": output / spread,
            "e2e_s": whole["e2e_s"],
            "e2e_tokens_per_second": whole["e2e_tokens_per_second"],
        }
    )
    h100 = rows[1]
    transfer = cost.kv_bytes(shape, prompt) / wafer.io_bytes_per_second
    total = h100["ttft_s"] + transfer + spread
    rows.append(
        {
            "system": f"h100 → {wafer.name} {after}²",
            "devices": h100["devices"] + whole["wafers"],
            "ttft_s": h100["ttft_s"],
            "transfer_s": transfer,
            "decode_tokens_per_second": output / spread,
            "e2e_s": total,
            "e2e_tokens_per_second": output / total,
        }
    )
    return rows


def gpu_answer(shape: ModelShape, name: str, prompt: int, output: int) -> Answer:
    """As many of these GPUs as hold the weights and the keys."""
    part = gpu.find(name)
    count = gpu.count_for(shape, part, prompt + output)
    bus = gpu.bus_of(part, FITTED)
    first = gpu.prefill_seconds(shape, part, count, prompt, bus)
    total = gpu.end_to_end_seconds(shape, part, count, prompt, output, bus)
    return {
        "system": f"{count} × {name}",
        "devices": count,
        "ttft_s": first,
        "transfer_s": 0.0,
        "decode_tokens_per_second": output / (total - first),
        "e2e_s": total,
        "e2e_tokens_per_second": output / total,
    }


def sweep(shape: ModelShape, wafer: Wafer, context: int, grids: list[int]) -> list[Answer]:
    """Grid size against rate and memory. A grid that cannot hold a layer says so."""
    rows: list[Answer] = []
    for side in grids:
        try:
            at_decode = decode(shape, wafer, side, context)
        except Misfit as error:
            rows.append({"grid": side, "fits": False, "why": error.what})
            continue
        try:
            rate: float | None = prefill(shape, wafer, side, context)["tokens_per_second"]
        except Misfit:
            rate = None
        rows.append(
            {
                "grid": side,
                "fits": True,
                "decode_tokens_per_second": at_decode["tokens_per_second"],
                "prefill_tokens_per_second": rate,
                "sram_bytes_per_core": at_decode["sram_bytes_per_core"],
                "stages": at_decode["stages"],
                "wafers": at_decode["wafers"],
            }
        )
    return rows
