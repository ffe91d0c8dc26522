"""Check the simulator: events against closed forms, numbers against dense numpy, and its running time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np

from spark_tui.bars import Bar, at_most
from spark_tui.mesh.estimates import cost
from spark_tui.mesh.estimates.live_tracker import LiveWafer
from spark_tui.mesh.fabric import closed_forms, collectives
from spark_tui.mesh.facts.fitted_constants import FITTED
from spark_tui.mesh.facts.model_shapes import PRESETS
from spark_tui.mesh.facts.wafer import MINI8, WSE2, Wafer
from spark_tui.mesh.simulated import demo
from spark_tui.mesh.simulated.kernels import Mesh
from spark_tui.shapes import ModelShape, Step

PAYLOADS = (1, 3, 8, 17, 64, 257)
LINES = (2, 3, 4, 8, 16, 25, 31, 32)
ASSUMED_RATE = 2000.0
"""Passes a second of a fast local engine: what live tracking must not slow down."""


@dataclass(frozen=True, slots=True)
class CollectivePair:
    """One collective, both ways."""

    name: str
    simulated: float
    closed: float
    bound: float = 0.0


def exact_pairs(wafer: Wafer = WSE2) -> Iterator[CollectivePair]:
    """Broadcast, star, chain, ring, two-hop shift on lines, and the two-dimensional ones."""
    on_lines = (
        ("broadcast", collectives.run_broadcast, closed_forms.broadcast),
        ("star", collectives.run_star, closed_forms.star),
        ("chain", collectives.run_chain, closed_forms.chain),
        ("ring", collectives.run_ring_allreduce, closed_forms.ring_allreduce),
        ("shift", collectives.run_ring_shift, closed_forms.ring_shift),
    )
    on_planes = (
        ("2D broadcast", collectives.run_broadcast_2d, closed_forms.broadcast_2d),
        ("X-Y reduce", collectives.run_xy_reduce, closed_forms.xy_reduce),
    )
    for p, b in product(LINES, PAYLOADS):
        for name, run, closed in on_lines:
            ran = run(collectives.fabric_for(p, 1, wafer), collectives.row(p), b)
            yield CollectivePair(name, ran, closed(p, b, wafer))
    for (width, height), b in product(((2, 2), (8, 8), (5, 12), (32, 32)), (1, 16)):
        for name, run_plane, closed_plane in on_planes:
            ran = run_plane(collectives.fabric_for(width, height, wafer), width, height, b)
            yield CollectivePair(name, ran, closed_plane(width, height, b, wafer))


def near_pairs(wafer: Wafer = WSE2) -> Iterator[CollectivePair]:
    """Tree, two-phase, K-tree, each with the lower bound of a reduce to the end of a line."""
    bounded = (
        ("tree", collectives.run_tree, closed_forms.tree, (2, 4, 8, 16, 32)),
        ("two-phase", collectives.run_two_phase, closed_forms.two_phase, (4, 9, 16, 25)),
    )
    for b in PAYLOADS:
        for name, run, closed, lines in bounded:
            for p in lines:
                ran = run(collectives.fabric_for(p, 1, wafer), collectives.row(p), b)
                bound = closed_forms.lower_bound_1d(p, b, wafer)
                yield CollectivePair(name, ran, closed(p, b, wafer), bound)
        for sizes in ((4, 2), (4, 4), (8, 4), (5, 5), (2, 4, 4)):
            tree = closed_forms.KTree(sizes, wafer.issue_cycles, FITTED.stage_software_cycles)
            fabric = collectives.fabric_for(tree.cores, 1, wafer)
            ran = collectives.run_ktree_allreduce(fabric, [collectives.row(tree.cores)], b, tree)
            # the root is in the middle: no side is longer than that
            bound = closed_forms.lower_bound_1d(tree.root + 1, b, wafer)
            yield CollectivePair("K-tree", ran, closed_forms.ktree_allreduce(tree, b, wafer), bound)


def agreement_bars() -> list[Bar]:
    exact, near = list(exact_pairs()), list(near_pairs())
    return [
        at_most(
            "events vs closed forms: broadcast, star, chain, ring, shift, 2D; difference in cycles",
            max(abs(pair.simulated - pair.closed) for pair in exact),
            0.0,
        ),
        at_most(
            "events vs closed forms: tree, two-phase, K-tree; difference in %",
            max(100.0 * abs(pair.simulated / pair.closed - 1.0) for pair in near),
            10.0,
        ),
        at_most(
            "reduces that beat the lower bound",
            float(sum(pair.simulated < pair.bound - 1e-9 for pair in near)),
            0.0,
        ),
    ]


def number_bars() -> list[Bar]:
    """A whole small transformer across 8 × 8 cores, prompt and answer."""
    found = []
    for fp16, name in ((False, "fp32"), (True, "fp16")):
        answer = demo.run(side=8, heads=4, layers=2, width=64, tokens=4, fp16=fp16)
        title = f"transformer on 8 × 8 vs dense numpy, {name}, relative to the largest logit"
        found.append(at_most(title, answer["relative_error"], answer["limit"]))
    return found


def best_of(work: Callable[[], object], times: int = 5) -> float:
    """Seconds of the fastest of a few runs: what the work takes when nothing else has the core."""
    spent = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        spent.append(time.perf_counter() - start)
    return min(spent)


def predict_cold() -> float:
    """One decode token of an 8B model on 420 × 420, nothing remembered."""
    cost.decode_token_cycles.cache_clear()
    return cost.decode_token_cycles(PRESETS["llama3-8b"], 420, 4096, WSE2, FITTED)


def event_gemv() -> float:
    """An 8 × 8 matrix-vector product, every message an event."""
    mesh = Mesh(8, MINI8, FITTED, np.float32, events=True)
    tiles = np.ones((8, 8, 4), dtype=np.float32)
    mesh.gemv(tiles, np.ones((8, 8, 4, 4), dtype=np.float32), "y", "gemv")
    return mesh.now


def live_share() -> float:
    """Per cent of a second that tracking takes: each pass fed, and thirty readings."""
    live = LiveWafer(ModelShape("probe", 8192, 384, 8, 6, 2, 64, 1024))
    steps = [Step("decode", 4, 500 + index, 3, 1, 1.0 / ASSUMED_RATE) for index in range(400)]

    def feed() -> None:
        for step in steps:
            live.feed(step)

    return 100.0 * (ASSUMED_RATE * best_of(feed) / len(steps) + 30.0 * best_of(live.reading))


def speed_bars() -> list[Bar]:
    return [
        at_most("one predicted token of an 8B model on 420 × 420, ms", 1e3 * best_of(predict_cold), 5.0),
        at_most("an event-level GEMV on 8 × 8, ms", 1e3 * best_of(event_gemv), 50.0),
        at_most(f"live tracking at {ASSUMED_RATE:,.0f} passes a second, % of the time", live_share(), 3.0),
    ]


def bars() -> list[Bar]:
    return agreement_bars() + number_bars() + speed_bars()
