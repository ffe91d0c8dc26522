"""`spark wafer run`: a small transformer across a small wafer, with its numbers checked against dense
numpy.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spark_tui.errors import UsageError
from spark_tui.mesh.fabric.simulator import Fabric
from spark_tui.mesh.facts.fitted_constants import FITTED
from spark_tui.mesh.facts.wafer import MINI8
from spark_tui.mesh.simulated import dense_model
from spark_tui.mesh.simulated.dense_model import random_weights
from spark_tui.mesh.simulated.kernels import Mesh
from spark_tui.mesh.simulated.transformer import MeshTransformer
from spark_tui.shapes import ModelShape

Map = NDArray[np.float64]
CORES, LINKS = 1, 2


def core_use(fabric: Fabric, cycles: float) -> Map:
    """Busy share of each core, `[row, column]`."""
    use = np.zeros((fabric.grid.height, fabric.grid.width))
    for (x, y), busy in fabric.core_busy_cycles.items():
        use[y, x] = busy
    return use / cycles if cycles > 0 else use


def chrome_trace(fabric: Fabric) -> dict[str, Any]:
    """Complete events: process 1 are cores, process 2 are links. Times are microseconds at the device's
    clock."""
    to_us = 1e6 / fabric.wafer.clock_hz
    events = [
        _named("process_name", pid, 0, f"{fabric.wafer.name} {kind}")
        for pid, kind in ((CORES, "cores"), (LINKS, "links"))
    ]
    threads: dict[tuple[int, str], int] = {}
    for span in fabric.spans:
        pid = LINKS if span.link else CORES
        ends = [f"({x},{y})" for x, y in span.link or (span.core,)]
        label = "→".join(ends) if span.link else f"core {ends[0]}"
        key = (pid, label)
        if key not in threads:
            threads[key] = len(threads) + 1
            events.append(_named("thread_name", pid, threads[key], label))
        cycles = span.end - span.start
        events.append(
            {
                "ph": "X",
                "name": span.name,
                "pid": pid,
                "tid": threads[key],
                "ts": span.start * to_us,
                "dur": cycles * to_us,
                "args": {"start_cycle": span.start, "cycles": cycles},
            }
        )
    return {"displayTimeUnit": "ns", "traceEvents": events}


def _named(what: str, pid: int, tid: int, name: str) -> dict[str, Any]:
    return {"ph": "M", "name": what, "pid": pid, "tid": tid, "args": {"name": name}}


def write_chrome_trace(fabric: Fabric, path: Path) -> int:
    """Write it; the number of spans."""
    path.write_text(json.dumps(chrome_trace(fabric)), encoding="utf-8")
    return len(fabric.spans)


VOCABULARY, PROMPT = 96, 8
MOST = {"grid": 32, "layers": 32, "width": 1024, "tokens": 256}
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
    asked = {"grid": side, "layers": layers, "width": width, "tokens": tokens}
    for name, most in MOST.items():
        if asked[name] > most:
            raise UsageError(f"the demo simulates each core: --{name} is at most {most}, not {asked[name]}")
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
    wanted = dense_model.forward(
        shape, {name: array.astype(np.float64) for name, array in held.items()}, text
    )
    error = float(np.abs(np.concatenate(found) - wanted).max() / np.abs(wanted).max())
    decode_cycles = mesh.now - prefill_cycles
    use = core_use(mesh.fabric, mesh.now - before_last)
    limit = LIMITS["fp16" if fp16 else "fp32"]
    spans = write_chrome_trace(mesh.fabric, trace) if trace else len(mesh.fabric.spans)
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
