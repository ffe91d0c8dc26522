"""`--pace`: how fast another machine would read a prompt and write each token."""

from __future__ import annotations

from typing import Literal

from spark_tui.errors import UsageError
from spark_tui.mesh.estimates import cost, gpu
from spark_tui.mesh.estimates.placement import place
from spark_tui.mesh.estimates.prediction import best_grid
from spark_tui.mesh.facts.fitted_constants import FITTED
from spark_tui.mesh.facts.model_shapes import PRESETS
from spark_tui.mesh.facts.wafer import WSE3, Wafer
from spark_tui.shapes import ModelShape

Target = Literal["wafer", "h100"]
TARGETS: tuple[Target, ...] = ("wafer", "h100")
IMAGINED = PRESETS["llama3-8b"]
"""The built-in model is far smaller than what people run on such machines: pace as if it were this one."""

_H100 = gpu.GPUS["h100"]


class Pace:
    """Seconds a token and a prompt take on the target."""

    def __init__(self, target: str, shape: ModelShape = IMAGINED, wafer: Wafer = WSE3) -> None:
        if target not in TARGETS:
            raise UsageError(f"--pace must be one of {', '.join(TARGETS)}, not {target!r}")
        self.target, self.shape, self.wafer = target, shape, wafer
        self._grid = 0
        self._gpus = gpu.count_for(shape, _H100)
        if target == "wafer":
            context = min(shape.max_positions, 4096)
            self._grid = best_grid(shape, wafer, context)
            place(shape, self._grid, context, wafer)

    def seconds_per_token(self, context: int) -> float:
        """At that many keys, counted in blocks of 256."""
        keys = max(-(-context // 256), 1) * 256
        if self.target == "h100":
            return gpu.decode_seconds(self.shape, _H100, self._gpus, keys, gpu.bus_of(_H100, FITTED))
        cycles = cost.decode_token_cycles(self.shape, self._grid, keys, self.wafer, FITTED)
        return cycles / self.wafer.clock_hz

    def first_token_seconds(self, prompt: int) -> float:
        """Reading a prompt of that length."""
        if prompt < 1:
            return 0.0
        if self.target == "h100":
            return gpu.prefill_seconds(self.shape, _H100, self._gpus, prompt, gpu.bus_of(_H100, FITTED))
        block = -(-prompt // 256) * 256
        side = best_grid(self.shape, self.wafer, block, prompt=True)
        cycles = cost.prefill_cycles(self.shape, side, block, self.wafer, FITTED)
        return cycles / self.wafer.clock_hz
