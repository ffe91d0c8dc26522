"""What the wafer would have done with the tokens that are being generated, kept up pass by pass.

Comes in: a `ModelShape`, then every `Step` of the engine. Goes out: a `Reading` whenever someone wants to draw one.
Must not know: screens. `feed` is a lookup and two additions (a bench holds it under 3 % of the generation rate);
whatever costs more is done in `reading`, at the pace of the screen.

The seconds are those of the layers' kernels on the device, for the very rows of the step, drafts included.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from spark_tui.errors import Misfit
from spark_tui.mesh import cost, forms, gpu
from spark_tui.mesh.constants import FITTED, Constants
from spark_tui.mesh.placement import Placement, place
from spark_tui.mesh.predict import best_decode_grid
from spark_tui.mesh.wafer import WSE3, Wafer
from spark_tui.shapes import ModelShape, Step

Map = NDArray[np.float64]
MAP_ROWS, MAP_COLUMNS = 16, 32


@dataclass(frozen=True, slots=True)
class Reading:
    """Everything that a panel shows. Rates are tokens a second; 0 means that nothing was decoded yet."""

    model: str
    device: str
    grid: int
    tokens: int
    simulated_tokens_per_second: float
    measured_tokens_per_second: float
    simulated_first_token_s: float
    measured_first_token_s: float
    simulated_cycles: float
    sram_bytes_per_core: int
    sram_limit_bytes: int
    stages: int
    wafers: int
    compute: Map
    """Busy share of the ALUs over the device so far, `[rows, columns]` of cells, 0 to 1."""
    network: Map
    """Use of the links, in the same cells, as a share of the busiest link's."""
    gpus: tuple[tuple[str, float], ...]
    """Tokens a second of one A100, H100, H200 at this context. Roofline: small models would not reach it."""


@lru_cache(maxsize=64)
def line_traffic(sizes: tuple[int, ...]) -> Map:
    """Wavelets that each core of a line sends or passes on in one allreduce, for each wavelet of payload."""
    tree = forms.KTree(sizes)
    count = tree.cores
    load = np.zeros(count)
    stride = 1
    for size in sizes:
        middle = size // 2
        offset = sum(
            (s // 2) * int(np.prod(sizes[:i])) for i, s in enumerate(sizes) if int(np.prod(sizes[:i])) < stride
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
    """One generation at a time; `reset` begins another. Not thread-safe: feed it where it is read, or lock."""

    def __init__(
        self,
        shape: ModelShape,
        wafer: Wafer = WSE3,
        grid: int | None = None,
        constants: Constants = FITTED,
        context: int = 0,
    ) -> None:
        self.shape, self.wafer, self.constants = shape, wafer, constants
        self.context_limit = context or min(shape.max_positions, 8192)
        self.grid = grid or best_decode_grid(shape, wafer, self.context_limit, constants)
        self.spot: Placement = place(shape, self.grid, self.context_limit, wafer)
        self._decode: dict[tuple[int, int], tuple[float, float]] = {}
        self._prefill: dict[tuple[int, int], tuple[float, float]] = {}
        self.reset()

    def reset(self) -> None:
        """Before a new answer."""
        self.tokens = 0
        self.context = 0
        self.decode_cycles = 0.0
        self.prefill_cycles = 0.0
        self.compute_cycles = 0.0
        self.decode_seconds = 0.0
        self.prefill_seconds = 0.0

    def feed(self, step: Step) -> None:
        """One pass of the engine."""
        side = self.grid
        self.context = step.context
        if step.kind == "prefill":
            key = (-(-step.rows // side), -(-step.context // side))
            cycles, busy = self._prefill.get(key) or self._learn_prefill(key)
            self.prefill_cycles += cycles
            self.prefill_seconds += step.seconds
        else:
            key = (step.rows, -(-step.context // side))
            cycles, busy = self._decode.get(key) or self._learn_decode(key)
            self.decode_cycles += cycles
            self.decode_seconds += step.seconds
            self.tokens += step.rows - step.drafted + step.accepted
        self.compute_cycles += busy

    def simulated_seconds(self, step: Step) -> float:
        """How long this pass takes on the device."""
        side = self.grid
        if step.kind == "prefill":
            key = (-(-step.rows // side), -(-step.context // side))
            cycles = (self._prefill.get(key) or self._learn_prefill(key))[0]
        else:
            key = (step.rows, -(-step.context // side))
            cycles = (self._decode.get(key) or self._learn_decode(key))[0]
        return cycles / self.wafer.clock_hz

    def _learn_decode(self, key: tuple[int, int]) -> tuple[float, float]:
        rows, keys = max(key[0], 1), max(key[1], 1) * self.grid
        total = cost.decode_token_cycles(self.shape, self.grid, keys, self.wafer, self.constants, rows)
        ops = cost.decode_layer(self.shape, self.grid, keys, self.wafer, self.constants, rows)
        busy = self.shape.n_layers * sum(op.compute_cycles for op in ops)
        self._decode[key] = (total, min(busy, total))
        return self._decode[key]

    def _learn_prefill(self, key: tuple[int, int]) -> tuple[float, float]:
        rows, keys = max(key[0], 1) * self.grid, max(key[1], 1) * self.grid
        total = cost.prefill_cycles(self.shape, self.grid, rows, self.wafer, self.constants, keys)
        ops = cost.prefill_layer(self.shape, self.grid, rows, self.wafer, self.constants, keys)
        busy = self.shape.n_layers * sum(op.compute_cycles for op in ops)
        self._prefill[key] = (total, min(busy, total))
        return self._prefill[key]

    # -- what is drawn ------------------------------------------------------------------------------------------

    def reading(self) -> Reading:
        clock = self.wafer.clock_hz
        decoding = self.decode_cycles / clock
        per_token = self.decode_cycles / self.tokens / clock if self.tokens else 0.0
        compute, network = self.maps()
        return Reading(
            model=self.shape.name,
            device=self.wafer.name,
            grid=self.grid,
            tokens=self.tokens,
            simulated_tokens_per_second=self.tokens / decoding if decoding else 0.0,
            measured_tokens_per_second=self.tokens / self.decode_seconds if self.decode_seconds else 0.0,
            simulated_first_token_s=self.prefill_cycles / clock + per_token,
            measured_first_token_s=self.prefill_seconds + (self.decode_seconds / self.tokens if self.tokens else 0.0),
            simulated_cycles=self.prefill_cycles + self.decode_cycles,
            sram_bytes_per_core=self.spot.sram_bytes_per_core,
            sram_limit_bytes=self.spot.sram_limit_bytes,
            stages=self.spot.stages,
            wafers=self.spot.wafers,
            compute=compute,
            network=network,
            gpus=self.gpus(),
        )

    def gpus(self) -> tuple[tuple[str, float], ...]:
        """Rates of one GPU each, for the tokens that a pass yields on average counted as one."""
        context = max(self.context, 1)
        found = []
        for name in ("a100", "h100", "h200"):
            part = gpu.GPUS[name]
            seconds = gpu.decode_seconds(self.shape, part, 1, context, gpu.bus_of(part, self.constants))
            found.append((name, 1.0 / seconds))
        return tuple(found)

    def maps(self, rows: int = MAP_ROWS, columns: int = MAP_COLUMNS) -> tuple[Map, Map]:
        """Over the whole device: regions that hold layers work in turn, one stage at a time; the rest is dark."""
        share = 0.0
        total = self.prefill_cycles + self.decode_cycles
        if total:
            share = self.compute_cycles / total / self.spot.stages
        traffic = line_traffic(cost.ktree(self.grid, self.wafer, self.constants).sizes)
        ys = ((np.arange(rows) + 0.5) * self.wafer.rows / rows).astype(int)
        xs = ((np.arange(columns) + 0.5) * self.wafer.columns / columns).astype(int)
        across = self.wafer.columns // self.grid
        used = min(self.spot.stages, self.wafer.regions(self.grid))
        region = (ys[:, None] // self.grid) * across + xs[None, :] // self.grid
        inside = (xs[None, :] // self.grid < across) & (region < used)
        compute = np.where(inside, share, 0.0)
        both = traffic[ys % self.grid][:, None] + traffic[xs % self.grid][None, :]
        network = np.where(inside, both / both.max(initial=1.0), 0.0) if total else np.zeros((rows, columns))
        return compute, network


def try_live(shape: ModelShape, wafer: Wafer = WSE3) -> LiveWafer | None:
    """A tracker, or None when the model has no place on the device (the panel then says so)."""
    try:
        return LiveWafer(shape, wafer)
    except Misfit:
        return None
