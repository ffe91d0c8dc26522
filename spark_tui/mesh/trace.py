"""What cores and links did: maps of use, and a trace that Chrome and Perfetto open.

Comes in: a fabric that has run. Goes out: arrays, and JSON. Must not know: kernels.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spark_tui.mesh.simulator import Fabric
from spark_tui.mesh.topology import Link

Map = NDArray[np.float64]
CORES, LINKS = 1, 2


def core_use(fabric: Fabric, cycles: float) -> Map:
    """Busy share of each core, `[row, column]`."""
    use = np.zeros((fabric.grid.height, fabric.grid.width))
    for (x, y), busy in fabric.core_busy_cycles.items():
        use[y, x] = busy
    return use / cycles if cycles > 0 else use


def link_use(fabric: Fabric, cycles: float) -> Map:
    """Busy share of the busiest link that leaves each core."""
    use = np.zeros((fabric.grid.height, fabric.grid.width))
    for ((x, y), _), busy in fabric.link_busy_cycles.items():
        use[y, x] = max(use[y, x], busy)
    return use / cycles if cycles > 0 else use


def _link_name(link: Link) -> str:
    (x0, y0), (x1, y1) = link
    return f"({x0},{y0})→({x1},{y1})"


def chrome_trace(fabric: Fabric) -> dict[str, Any]:
    """Complete events: process 1 are cores, process 2 are links. Times are microseconds at the device's
    clock."""
    to_us = 1e6 / fabric.wafer.clock_hz
    events: list[dict[str, Any]] = [
        {
            "ph": "M",
            "name": "process_name",
            "pid": CORES,
            "tid": 0,
            "args": {"name": f"{fabric.wafer.name} cores"},
        },
        {
            "ph": "M",
            "name": "process_name",
            "pid": LINKS,
            "tid": 0,
            "args": {"name": f"{fabric.wafer.name} links"},
        },
    ]
    threads: dict[tuple[int, str], int] = {}
    for span in fabric.spans:
        pid = LINKS if span.link else CORES
        label = _link_name(span.link) if span.link else f"core ({span.core[0]},{span.core[1]})"
        key = (pid, label)
        if key not in threads:
            threads[key] = len(threads) + 1
            events.append(
                {"ph": "M", "name": "thread_name", "pid": pid, "tid": threads[key], "args": {"name": label}}
            )
        events.append(
            {
                "ph": "X",
                "name": span.name,
                "pid": pid,
                "tid": threads[key],
                "ts": span.start * to_us,
                "dur": (span.end - span.start) * to_us,
                "args": {"start_cycle": span.start, "cycles": span.end - span.start},
            }
        )
    return {"displayTimeUnit": "ns", "traceEvents": events}


def write_chrome_trace(fabric: Fabric, path: Path) -> int:
    """Write it; the number of spans."""
    path.write_text(json.dumps(chrome_trace(fabric)), encoding="utf-8")
    return len(fabric.spans)
