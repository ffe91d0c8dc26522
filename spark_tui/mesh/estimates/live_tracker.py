"""What the wafer would have done with the tokens that are being generated, kept up pass by pass.

`feed` is a lookup and a few additions; whatever costs more is done in `reading` and `heat`, at the pace of
the screen. The shape need not be that of the model that runs: another one is simulated with the same rows
and the same contexts.

The seconds are those of the layers' kernels on the device: for the very rows of a decode step, drafts
included, and for the rows of a prompt together, since only this machine's cache makes pieces of it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from spark_tui.mesh.estimates import cost, gpu
from spark_tui.mesh.estimates.placement import Placement, place
from spark_tui.mesh.estimates.prediction import best_grid
from spark_tui.mesh.fabric import closed_forms
from spark_tui.mesh.facts.fitted_constants import FITTED
from spark_tui.mesh.facts.wafer import WSE3, Wafer
from spark_tui.shapes import ModelShape, Step

Map = NDArray[np.float64]
Cycles = tuple[float, float]
"""In all, and those in which cores compute."""


@dataclass(frozen=True, slots=True)
class GpuReading:
    """What so many of one GPU would have done with the turn: one sequence, fp16, drafts included."""

    name: str
    count: int
    """As many as hold the weights and the keys."""
    tokens_per_second: float
    first_token_s: float


@dataclass(frozen=True, slots=True)
class LiveFigures:
    """Everything that a panel says. Rates are tokens a second; 0 means that nothing was decoded yet."""

    model: str
    n_params: int
    n_layers: int
    d_model: int
    device: str
    device_cores: tuple[int, int]
    """Columns and rows."""
    grid: int
    tokens: int
    """Decoded by passes of their own: not those that came with the last pass of a prompt."""
    with_prompt: int
    """Tokens that came with the last pass of a prompt."""
    passes: int
    answers: int
    simulated_tokens_per_second: float
    measured_tokens_per_second: float
    simulated_first_token_s: float
    measured_first_token_s: float
    simulated_cycles: float
    compute_share: float
    """Share of the last interval's cycles in which the cores of a working stage compute."""
    sram_bytes_per_core: int
    sram_limit_bytes: int
    stages: int
    wafers: int
    gpus: tuple[GpuReading, ...]


@lru_cache(maxsize=64)
def line_traffic(sizes: tuple[int, ...]) -> Map:
    """Wavelets that each core of a line sends or passes on in one allreduce, for each wavelet of payload."""
    tree = closed_forms.KTree(sizes)
    count = tree.cores
    load = np.zeros(count)
    stride = 1
    for size in sizes:
        middle = size // 2
        offset = sum(
            (s // 2) * int(np.prod(sizes[:i]))
            for i, s in enumerate(sizes)
            if int(np.prod(sizes[:i])) < stride
        )
        for group in range(0, count, stride * size):
            first = group + offset
            last = first + (size - 1) * stride
            root = first + middle * stride
            load[first:root] += 1  # towards higher places
            load[root + 1 : last + 1] += 1  # towards lower places
        stride *= size
    load[1 : tree.root + 1] += 1  # the broadcast, to the low side
    load[tree.root : count - 1] += 1  # and to the high side
    return load


class LiveWafer:
    """One turn at a time, of one answer or several; `reset` begins another. Not thread-safe: feed it where it
    is read, or lock."""

    def __init__(self, shape: ModelShape, wafer: Wafer = WSE3, grid: int | None = None) -> None:
        self.shape, self.wafer = shape, wafer
        self.context_limit = min(shape.max_positions, 8192)
        self.grid = grid or best_grid(shape, wafer, self.context_limit)
        self.spot: Placement = place(shape, self.grid, self.context_limit, wafer)
        self._decode: dict[tuple[int, int], Cycles] = {}
        self._prefill: dict[tuple[int, int], Cycles] = {}
        self.reset()

    def reset(self) -> None:
        """Before a new turn."""
        self.tokens = 0
        self.with_prompt = 0
        self.passes = 0
        self.answers = 1
        self.contexts = 0
        """Sum of the contexts of all decode passes."""
        self.first_cycles = 0.0
        self.first_seconds = 0.0
        self._first: Step | None = None
        """Rows and context of the first prompt; its rows are added up."""
        self._reading_first = True
        self.context = 0
        self.decode_cycles = 0.0
        self.prefill_cycles = 0.0
        self.compute_cycles = 0.0
        self.decode_seconds = 0.0
        self._prompt_rows = 0
        self._prompt: Cycles = (0.0, 0.0)
        self._before = (0.0, 0.0, 0.0)
        self._lately = (0.0, 0.0, 0.0)

    def next_answer(self) -> None:
        """Begin another answer of the same turn, which has its own prompt."""
        self.answers += 1
        self._end_prompt()

    def _end_prompt(self) -> None:
        self._prompt_rows, self._prompt = 0, (0.0, 0.0)
        self._reading_first = self._first is None

    def feed(self, step: Step) -> None:
        """One pass of the engine."""
        side = self.grid
        self.context = step.context
        if step.kind == "prefill":
            self._prompt_rows += step.rows
            now = self._prompt_cycles(self._prompt_rows, -(-step.context // side))
            before, self._prompt = self._prompt, now
            self.prefill_cycles += now[0] - before[0]
            self.compute_cycles += now[1] - before[1]
            self.with_prompt += step.accepted
            if self._reading_first:
                self.first_cycles += now[0] - before[0]
                self.first_seconds += step.seconds
                self._first = replace(step, rows=self._prompt_rows)
        else:
            self._end_prompt()
            self.contexts += step.context
            key = (step.rows, -(-step.context // side))
            cycles, busy = self._decode.get(key) or self._learn_decode(key)
            self.decode_cycles += cycles
            self.compute_cycles += busy
            self.decode_seconds += step.seconds
            self.tokens += step.rows - step.drafted + step.accepted
            self.passes += 1

    def _prompt_cycles(self, rows: int, keys: int) -> Cycles:
        """A prompt of so many new rows before so many blocks of keys. The rest of a prompt whose beginning is
        known may be a few rows: they go through as drafts do where that is faster than to fill the grid up
        with nothing."""
        key = (-(-rows // self.grid), keys)
        whole = self._prefill.get(key) or self._learn_prefill(key)
        if rows > self.grid:
            return whole
        return min(whole, self._decode.get((rows, keys)) or self._learn_decode((rows, keys)))

    def _learn_decode(self, key: tuple[int, int]) -> Cycles:
        rows, keys = max(key[0], 1), max(key[1], 1) * self.grid
        at = self.shape, self.grid, keys, self.wafer, FITTED, rows
        self._decode[key] = self._learn(cost.decode_token_cycles(*at), cost.decode_layer(*at))
        return self._decode[key]

    def _learn_prefill(self, key: tuple[int, int]) -> Cycles:
        rows, keys = max(key[0], 1) * self.grid, max(key[1], 1) * self.grid
        at = self.shape, self.grid, rows, self.wafer, FITTED, keys
        self._prefill[key] = self._learn(cost.prefill_cycles(*at), cost.prefill_layer(*at))
        return self._prefill[key]

    def _learn(self, total: float, ops: list[cost.Op]) -> Cycles:
        return total, min(self.shape.n_layers * sum(op.compute_cycles for op in ops), total)

    # -- what is drawn

    def reading(self) -> LiveFigures:
        clock = self.wafer.clock_hz
        decoding = self.decode_cycles / clock
        reading, writing, computing = self._interval()
        return LiveFigures(
            model=self.shape.name,
            n_params=self.shape.n_params,
            n_layers=self.shape.n_layers,
            d_model=self.shape.d_model,
            device=self.wafer.name,
            device_cores=(self.wafer.columns, self.wafer.rows),
            grid=self.grid,
            tokens=self.tokens,
            with_prompt=self.with_prompt,
            passes=self.passes,
            answers=self.answers,
            simulated_tokens_per_second=self.tokens / decoding if decoding else 0.0,
            measured_tokens_per_second=self.tokens / self.decode_seconds if self.decode_seconds else 0.0,
            simulated_first_token_s=self.first_cycles / clock,
            measured_first_token_s=self.first_seconds,
            simulated_cycles=self.prefill_cycles + self.decode_cycles,
            compute_share=computing / (reading + writing) if reading + writing else 0.0,
            sram_bytes_per_core=self.spot.sram_bytes_per_core,
            sram_limit_bytes=self.spot.sram_limit_bytes,
            stages=self.spot.stages,
            wafers=self.spot.wafers,
            gpus=self.gpus(),
        )

    def gpus(self) -> tuple[GpuReading, ...]:
        """The turn so far: a pass reads the weights once, however many drafts it checks."""
        context = self.contexts // self.passes if self.passes else max(self.context, 1)
        per_pass = self.tokens / self.passes if self.passes else 0.0
        first = self._first
        found = []
        for name in ("a100", "h100", "h200"):
            part = gpu.GPUS[name]
            bus = gpu.bus_of(part, FITTED)
            count = gpu.count_for(self.shape, part, self.context_limit)
            seconds = gpu.decode_seconds(self.shape, part, count, context, bus)
            reading = (
                gpu.pass_seconds(self.shape, part, count, first.rows, first.context, bus) if first else 0.0
            )
            found.append(GpuReading(name, count, per_pass / seconds, reading))
        return tuple(found)

    def _interval(self) -> tuple[float, float, float]:
        """Cycles of reading, of writing and of computing since this was asked last; without new ones, the
        last ones."""
        now = (self.prefill_cycles, self.decode_cycles, self.compute_cycles)
        if now != self._before:
            reading, writing, computing = (new - old for new, old in zip(now, self._before, strict=True))
            self._before, self._lately = now, (reading, writing, computing)
        return self._lately

    @property
    def area(self) -> tuple[int, int]:
        """Columns and rows of the part of the (first) wafer that holds layers: regions beside each other,
        rows filled one after the other."""
        across = self.wafer.columns // self.grid
        used = min(self.spot.stages, self.wafer.regions(self.grid))
        return min(used, across) * self.grid, -(-used // across) * self.grid

    def heat(self, rows: int, columns: int) -> Map:
        """Use of the links over the `area` in the interval of the last reading, `[rows, columns]` of cells,
        as a share of the busiest link's.

        While a prompt is read, matrix tiles go round on every link; while tokens are written, sums run to the
        middle and back. Stages work in turn and alike, so that over an interval their maps are the same.
        """
        reading, writing, _ = self._lately
        if not reading + writing:
            return np.zeros((rows, columns))
        wide, tall = self.area
        line = line_traffic(cost.ktree(self.grid, self.wafer, FITTED).sizes)
        ys, xs = _binned(line, tall // self.grid, rows), _binned(line, wide // self.grid, columns)
        sums = (ys[:, None] + xs[None, :]) / (2 * line.max(initial=1.0))
        share = writing / (reading + writing)
        region = self._held(rows, columns)
        return np.where(region, np.minimum((1.0 - share) + share * sums, 1.0), 0.0)

    def _held(self, rows: int, columns: int) -> NDArray[np.bool_]:
        """Cells whose middle lies on a region that holds layers: the last row of regions may not be full."""
        wide, tall = self.area
        across = wide // self.grid
        used = min(self.spot.stages, self.wafer.regions(self.grid))
        ys = ((np.arange(rows) + 0.5) * tall / rows).astype(int) // self.grid
        xs = ((np.arange(columns) + 0.5) * wide / columns).astype(int) // self.grid
        held: NDArray[np.bool_] = ys[:, None] * across + xs[None, :] < used
        return held


def _binned(line: Map, times: int, cells: int) -> Map:
    """The mean of a line, repeated so often, in each of so many cells."""
    total = np.concatenate(([0.0], np.cumsum(np.tile(line, times))))
    edges = np.interp(np.linspace(0, len(total) - 1, cells + 1), np.arange(len(total)), total)
    return np.diff(edges) / ((len(total) - 1) / cells)
