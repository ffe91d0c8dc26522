"""`spark wafer run`: a small transformer across a small wafer, with its numbers checked against dense numpy.

Comes in: sizes. Goes out: what it computed, how far off, what it cost, where the time went. Must not know:
printing.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from spark_tui.errors import UsageError
from spark_tui.mesh import dense_reference
from spark_tui.mesh.dense_weights import random_weights
from spark_tui.mesh.fitted_constants import FITTED
from spark_tui.mesh.kernels import Mesh
from spark_tui.mesh.trace import core_use, write_chrome_trace
from spark_tui.mesh.transformer import MeshTransformer
from spark_tui.mesh.wafer import MINI8
from spark_tui.shapes import ModelShape

VOCABULARY, PROMPT = 96, 8
LARGEST_SIDE, MOST_TOKENS = 32, 256
LIMITS = {"fp32": 1e-5, "fp16": 1e-3}


def run(
    *,
    side: int,
    heads: int,
    layers: int,
    width: int,
    tokens: int,
    fp16: bool = False,
    trace: Path | None = None,
) -> dict[str, Any]:
    """Read a prompt, decode some tokens (the last one event by event), compare every logit."""
    if side > LARGEST_SIDE:
        raise UsageError(f"the demo simulates each core: --grid is at most {LARGEST_SIDE}, not {side}")
    if tokens > MOST_TOKENS:
        raise UsageError(f"the demo decodes at most {MOST_TOKENS} tokens, not {tokens}")
    if width % heads:
        raise UsageError(f"{heads} heads do not divide a width of {width}")
    shape = ModelShape(
        "demo", VOCABULARY, width, layers, heads, heads, width // heads, 2 * width, tied_head=False
    )
    wafer = replace(MINI8, name=f"mini{side}", columns=side, rows=side)
    dtype = np.float16 if fp16 else np.float32
    held = {name: array.astype(dtype).astype(np.float32) for name, array in random_weights(shape).items()}
    text = [int(token) for token in np.random.default_rng(1).integers(0, VOCABULARY, PROMPT + tokens)]
    mesh = Mesh(side, wafer, FITTED, dtype)
    model = MeshTransformer(shape, held, mesh, tokens_per_row=-(-len(text) // side) + 1)
    found = [model.prefill(text[:PROMPT])]
    prefill_cycles = mesh.now
    for token in text[PROMPT:-1]:
        found.append(model.decode(token)[None])
    mesh.events = True
    # the fabric's own clock starts where the mesh stands
    mesh.fabric.sim.now = mesh.now
    before_last = mesh.now
    found.append(model.decode(text[-1])[None])
    wanted = dense_reference.forward(
        shape, {name: array.astype(np.float64) for name, array in held.items()}, text
    )
    error = float(np.abs(np.concatenate(found) - wanted).max() / np.abs(wanted).max())
    decode_cycles = mesh.now - prefill_cycles
    use = core_use(mesh.fabric, mesh.now - before_last)
    limit = LIMITS["fp16" if fp16 else "fp32"]
    try:
        spans = write_chrome_trace(mesh.fabric, trace) if trace else len(mesh.fabric.spans)
    except OSError as failure:
        raise UsageError(f"cannot write the trace: {failure}", where=str(trace)) from failure
    return {
        "layers": layers,
        "heads": heads,
        "width": width,
        "grid": side,
        "prompt": PROMPT,
        "tokens": tokens,
        "prefill_cycles": prefill_cycles,
        "decode_cycles": decode_cycles,
        "tokens_per_second": tokens * wafer.clock_hz / decode_cycles,
        "relative_error": error,
        "limit": limit,
        "ok": error <= limit,
        "keys_by_row": model.kv.counts(),
        "shifts": model.kv.shifts,
        "spans": spans,
        "core_use": ["".join(str(min(int(10 * share), 9)) for share in row) for row in use],
    }
