"""`--pace`: how fast another machine would read a prompt and write each token."""

from __future__ import annotations

from spark_tui.mesh.estimates import cost, gpu
from spark_tui.mesh.estimates.prediction import best_grid
from spark_tui.mesh.facts.fitted_constants import FITTED
from spark_tui.mesh.facts.model_shapes import PRESETS
from spark_tui.mesh.facts.wafer import WSE3

IMAGINED = PRESETS["llama3-8b"]
"""The built-in model is far smaller than what people run on such machines: pace as if it were this one."""

_CONTEXT = 4096
"""The longest that the grid is chosen for."""
_PIECE = 32_768
"""A longer prompt is read in pieces: no grid holds the rows of all of it."""
_H100 = gpu.GPUS["h100"]


class Pace:
    """Seconds a token and a prompt take on the target, `wafer` or `h100`."""

    def __init__(self, target: str) -> None:
        self.target = target
        self._gpus = gpu.count_for(IMAGINED, _H100)
        self._grid = best_grid(IMAGINED, WSE3, _CONTEXT) if target == "wafer" else 0

    def seconds_per_token(self, context: int) -> float:
        """At that many keys, counted in blocks of 256."""
        keys = max(-(-context // 256), 1) * 256
        if self.target == "h100":
            return gpu.decode_seconds(IMAGINED, _H100, self._gpus, keys, gpu.bus_of(_H100, FITTED))
        cycles = cost.decode_token_cycles(IMAGINED, self._grid, keys, WSE3, FITTED)
        return cycles / WSE3.clock_hz

    def first_token_seconds(self, prompt: int) -> float:
        """Reading a prompt of that length."""
        if prompt < 1:
            return 0.0
        if self.target == "h100":
            return gpu.prefill_seconds(IMAGINED, _H100, self._gpus, prompt, gpu.bus_of(_H100, FITTED))
        cycles = 0.0
        for begun in range(0, prompt, _PIECE):
            block = -(-min(prompt - begun, _PIECE) // 256) * 256
            side = best_grid(IMAGINED, WSE3, block, prompt=True)
            cycles += cost.prefill_cycles(IMAGINED, side, block, WSE3, FITTED, begun + block)
        return cycles / WSE3.clock_hz
