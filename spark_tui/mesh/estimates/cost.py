"""The cost of a layer on a grid in closed form, operator by operator as in the published kernels.

Shapes are the kernels' own: every width is padded up to a multiple of the side, there are as many keys and
values as queries ("MHA-sized"), Q/K/V share one allreduce and so do up and gate, two fp16 share a wavelet.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

from spark_tui.errors import UsageError
from spark_tui.mesh.fabric import closed_forms
from spark_tui.mesh.facts.fitted_constants import Constants
from spark_tui.mesh.facts.wafer import Wafer
from spark_tui.shapes import ModelShape

Keys = TypeVar("Keys", int, float)

DIVIDE_CYCLES = 60
"""A software fp16 divide or square root: eleven quotient bits at about four instructions, and unpacking."""
EXP_SCALAR_CYCLES = 4
"""The kernels' exponential: a scale, an add, two squarings, as scalars."""


@dataclass(frozen=True, slots=True)
class Op:
    """One operator of a layer. Cycles of the slowest core."""

    name: str
    compute_cycles: float
    network_cycles: float = 0.0
    macs: int = 0

    @property
    def cycles(self) -> float:
        return self.compute_cycles + self.network_cycles


@dataclass(frozen=True, slots=True)
class Tiles:
    """What one core holds of each width."""

    model: int
    attention: int
    feed: int
    keys: int
    """Positions of the context (decode) or of the prompt (prefill)."""


def tiles(shape: ModelShape, side: int, positions: int) -> Tiles:
    return Tiles(
        model=-(-shape.d_model // side),
        attention=-(-shape.n_heads * shape.head_dim // side),
        feed=-(-shape.d_ff // side),
        keys=-(-max(positions, 1) // side),
    )


_PUBLISHED_GROUPS = {512: 32}
"""Of the published configurations only this one is not the rule below."""


def group_count(side: int) -> int:
    """How many groups the K-tree of a line has: the largest divisor up to the root of the side."""
    if side in _PUBLISHED_GROUPS:
        return _PUBLISHED_GROUPS[side]
    return max(divisor for divisor in range(1, math.isqrt(side) + 1) if side % divisor == 0)


def ktree(side: int, wafer: Wafer, constants: Constants) -> closed_forms.KTree:
    return closed_forms.two_level(
        side, group_count(side), wafer.issue_cycles, constants.stage_software_cycles
    )


class CoreCosts:
    """Cycles of one core's instructions."""

    def __init__(self, side: int, wafer: Wafer, constants: Constants) -> None:
        self.side, self.wafer, self.constants = side, wafer, constants
        self.tree = ktree(side, wafer, constants)

    def vector(self, elements: int, lanes: int = 0) -> float:
        return float(self.wafer.issue_cycles + -(-elements // (lanes or self.wafer.fma_lanes)))

    def mapped(self, calls: int, elements: int) -> float:
        """A multiply-add of `elements` called by a map `calls` times."""
        groups = -(-elements // self.wafer.fma_lanes)
        return calls * (self.constants.mapped_issue_cycles + groups * self.wafer.fma_group_cycles)

    def gemv(self, inner: int, outer: int, batch: int) -> float:
        """Clear the output, then one multiply-add of the row for each input."""
        return self.vector(batch * outer) + batch * (self.wafer.issue_cycles + self.mapped(inner, outer))

    def allreduce(self, elements: int) -> float:
        return closed_forms.ktree_allreduce(
            self.tree, -(-elements // self.wafer.elements_per_wavelet), self.wafer
        )

    def norm(self, width: int, batch: int) -> float:
        """Square, sum (one lane), weigh, scale by a software root and divide."""
        return 3 * self.vector(batch * width) + self.vector(batch * width, 1) + batch * 2 * DIVIDE_CYCLES

    def exponentials(self, count: int) -> float:
        """In a scalar loop, as published."""
        return count * (self.wafer.issue_cycles + EXP_SCALAR_CYCLES)


def decode_layer(
    shape: ModelShape, side: int, context: int, wafer: Wafer, constants: Constants, batch: int = 1
) -> list[Op]:
    """The operators of one decode layer, in order. `batch` rows go through together."""
    core, t = CoreCosts(side, wafer, constants), tiles(shape, side, context)
    d, a, f, s = t.model, t.attention, t.feed, t.keys
    ups = 2 if shape.gated_mlp else 1
    half = -(-a // 2)
    rope = 2 * batch * 6 * core.vector(half, 1)
    softmax_sum = (
        core.exponentials(batch * s)
        + core.vector(batch * s)
        + core.vector(batch * s, 1)
        + core.vector(batch * s)
    )
    activation = batch * d * (wafer.issue_cycles + EXP_SCALAR_CYCLES + DIVIDE_CYCLES) + core.vector(batch * f)
    return [
        Op("rmsnorm", core.norm(d, batch), core.allreduce(batch)),
        Op("qkv", 3 * core.gemv(d, a, batch), core.allreduce(3 * batch * a), 3 * d * a * batch),
        Op("rope", rope),
        Op(
            "scores",
            core.gemv(a, s, batch) + core.vector(batch * s),
            core.allreduce(batch * s),
            a * s * batch,
        ),
        Op("softmax max", core.vector(batch * s, 1), core.allreduce(batch)),
        Op("softmax sum", softmax_sum + batch * DIVIDE_CYCLES, core.allreduce(batch)),
        Op("values", core.gemv(s, a, batch), core.allreduce(batch * a), a * s * batch),
        Op(
            "output",
            core.gemv(a, d, batch) + core.vector(batch * d),
            core.allreduce(batch * d),
            a * d * batch,
        ),
        Op("rmsnorm 2", core.norm(d, batch), core.allreduce(batch)),
        Op("up and gate", ups * core.gemv(d, f, batch), core.allreduce(ups * batch * f), ups * d * f * batch),
        Op("activation", activation),
        Op("down", core.gemv(f, d, batch) + core.vector(batch * d), core.allreduce(batch * d), f * d * batch),
    ]


def prefill_layer(
    shape: ModelShape, side: int, prompt: int, wafer: Wafer, constants: Constants, context: int = 0
) -> list[Op]:
    """The operators of one prefill layer over `prompt` rows that attend to `context` earlier keys in all (a
    chunk of a longer prompt; 0 for a whole prompt).
    """
    core, t = CoreCosts(side, wafer, constants), tiles(shape, side, prompt)
    d, a, f, s = t.model, t.attention, t.feed, t.keys
    seen = -(-max(context, prompt) // side)
    softmax = core.exponentials(s * seen) + 4 * core.vector(s * seen) + s * DIVIDE_CYCLES
    gate = s * f * (wafer.issue_cycles + EXP_SCALAR_CYCLES + DIVIDE_CYCLES)
    local = 2 * (4 * core.vector(s * d) + s * 2 * DIVIDE_CYCLES) + 2 * 6 * core.vector(s * -(-a // 2), 1)
    return [
        *(_gemm(core, name, s, d, a) for name in ("q", "k", "v")),
        _gemm(core, "scores", s, a, seen, transposed=True),
        _gemm(core, "values", s, seen, a),
        _gemm(core, "output", s, a, d),
        *(_gemm(core, name, s, d, f) for name in (("up", "gate") if shape.gated_mlp else ("up",))),
        _gemm(core, "down", s, f, d),
        Op("norms and rope", local, 2 * core.allreduce(s)),
        Op("softmax", softmax, 2 * core.allreduce(s)),
        Op("activation", gate + core.vector(s * f)),
    ]


def _gemm(core: CoreCosts, name: str, m: int, k: int, n: int, *, transposed: bool = False) -> Op:
    """A product of tiles, [m, k] · [k, n], by cyclic shift: as many steps as the grid has sides; the next
    tiles travel while these are multiplied. Keys are not moved to be `transposed`: partial scores are reduced
    along the row, a step at a time."""
    side, wafer, constants = core.side, core.wafer, core.constants
    multiply = k * (wafer.issue_cycles + core.mapped(n, m))
    left = -(-m * k // wafer.elements_per_wavelet)
    right = -(-k * n // wafer.elements_per_wavelet)
    hop = 2 * wafer.hop_cycles + closed_forms.stage_cycles(wafer)
    if transposed:
        partial = -(-m * n // wafer.elements_per_wavelet)
        reduce_local = 2 * (wafer.issue_cycles + closed_forms.pipelined_cycles(partial, wafer))
        step = max(multiply, closed_forms.pipelined_cycles(right, wafer) + hop) + reduce_local
        fill = (closed_forms.stage_cycles(wafer) + wafer.hop_cycles) * side
        total = side * (step + constants.gemm_step_cycles) + fill
    else:
        step = max(multiply, closed_forms.pipelined_cycles(left + right, wafer) + hop)
        align = (side // 2) * (closed_forms.pipelined_cycles(left, wafer) + hop + constants.gemm_step_cycles)
        total = side * (step + constants.gemm_step_cycles) + align
    compute = side * multiply
    return Op(name, compute, total - compute, side * m * k * n)


def cycles_of(ops: list[Op]) -> float:
    return sum(op.cycles for op in ops)


def _contexts(shape: ModelShape, context: Keys) -> Counter[Keys]:
    """How many layers see how many keys."""
    if not shape.windows:
        return Counter({context: shape.n_layers})
    return Counter(min(window, context) if window else context for window in shape.windows)


@lru_cache(maxsize=4096)
def decode_token_cycles(
    shape: ModelShape, side: int, context: int, wafer: Wafer, constants: Constants, batch: int = 1
) -> float:
    """All layers of one decode pass."""
    return sum(
        count * cycles_of(decode_layer(shape, side, keys, wafer, constants, batch))
        for keys, count in _contexts(shape, context).items()
    )


@lru_cache(maxsize=1024)
def prefill_cycles(
    shape: ModelShape, side: int, prompt: int, wafer: Wafer, constants: Constants, context: int = 0
) -> float:
    """All layers over one prompt. The published kernels compute every score, so windows save nothing here."""
    return shape.n_layers * cycles_of(prefill_layer(shape, side, prompt, wafer, constants, context))


def decode_span_seconds(
    shape: ModelShape, side: int, prompt: int, output: int, wafer: Wafer, constants: Constants
) -> float:
    """The time of `output` tokens after a prompt; the context grows by one each. The cost only changes when a
    row of keys is full.
    """
    if output < 1:
        raise UsageError("an answer has at least one token")
    total, position = 0.0, prompt + 1
    end = prompt + output
    while position <= end:
        full = min(-(-position // side) * side, end)
        total += (full - position + 1) * decode_token_cycles(shape, side, full, wafer, constants)
        position = full + 1
    return total / wafer.clock_hz


def replacement_seconds(shape: ModelShape, prompt: int, decode_side: int, wafer: Wafer) -> float:
    """Between prefill and decode the layers' weights and the prompt's keys and values move to the decode
    layout, over one edge of its region: a wavelet a link a cycle."""
    weights = layer_params(shape) * shape.n_layers * 2
    moved = weights + kv_bytes(shape, prompt)
    edge_bytes_per_cycle = decode_side * 2 * wafer.elements_per_wavelet / wafer.wavelet_cycles
    return moved / edge_bytes_per_cycle / wafer.clock_hz


def handover_cycles(shape: ModelShape, side: int, stages: int, regions_per_wafer: int, wafer: Wafer) -> float:
    """Cycles per token for all transfers between stages: the residual vector goes to the adjacent region, or
    over the system's I/O to the next wafer (bandwidth only: no latency is published).
    """
    across_wafers = (stages - 1) // regions_per_wafer
    beside = stages - 1 - across_wafers
    tile = -(-shape.d_model // side)
    wavelets = -(-tile // wafer.elements_per_wavelet)
    region = (
        closed_forms.pipelined_cycles(wavelets, wafer)
        + wafer.hop_cycles * side
        + closed_forms.stage_cycles(wafer)
    )
    over_io = shape.d_model * 2 / wafer.io_bytes_per_second * wafer.clock_hz + 2 * region
    return beside * region + across_wafers * over_io


def layer_params(shape: ModelShape) -> int:
    attention = shape.d_model * shape.head_dim * (2 * shape.n_heads + 2 * shape.n_kv_heads)
    return attention + shape.d_model * shape.d_ff * (3 if shape.gated_mlp else 2)


def kv_bytes(shape: ModelShape, tokens: float) -> float:
    """Keys and values of one sequence: a layer with a window keeps no more."""
    kept = sum(count * keys for keys, count in _contexts(shape, tokens).items())
    return 2 * shape.n_kv_heads * shape.head_dim * 2 * kept


def gemv_cycles(size: int, side: int, wafer: Wafer, constants: Constants) -> float:
    """One square matrix-vector product with its allreduce, as the stand-alone published kernel."""
    core, tile = CoreCosts(side, wafer, constants), -(-size // side)
    return core.gemv(tile, tile, 1) + core.allreduce(tile)
