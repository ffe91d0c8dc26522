"""`--pace`: how long to hold text back so that it appears at another machine's rate.

Comes in: `wafer`, `h100` or `off`, the shape of the model that is imagined, the engine's steps. Goes out: seconds to
wait. Must not know: threads, screens (whoever asks does the waiting, and keeps looking at its stop flag).

A pace can only slow down: where the machine at hand is the slower one, the wait is 0. Lateness is carried over, so
that the mean rate is right although single waits are short.
"""

from __future__ import annotations

from typing import Literal

from spark_tui.errors import UsageError
from spark_tui.mesh import cost, gpu
from spark_tui.mesh.constants import FITTED
from spark_tui.mesh.models import PRESETS
from spark_tui.mesh.placement import place
from spark_tui.mesh.predict import best_decode_grid, best_prefill_grid
from spark_tui.mesh.wafer import WSE3, Wafer
from spark_tui.shapes import ModelShape, Step

Target = Literal["wafer", "h100", "off"]
TARGETS: tuple[Target, ...] = ("wafer", "h100", "off")
IMAGINED = PRESETS["llama3-8b"]
"""The built-in model is far smaller than what people run on such machines: pace as if it were this one."""


class Pace:
    """Seconds a token and a prompt take on the target."""

    def __init__(self, target: str, shape: ModelShape = IMAGINED, wafer: Wafer = WSE3) -> None:
        if target not in TARGETS:
            raise UsageError(f"--pace is one of {', '.join(TARGETS)}, not {target!r}")
        self.target, self.shape, self.wafer = target, shape, wafer
        self._per_token: dict[int, float] = {}
        self._grid = 0
        self._owed = 0.0
        if target == "wafer":
            context = min(shape.max_positions, 4096)
            self._grid = best_decode_grid(shape, wafer, context)
            place(shape, self._grid, context, wafer)

    def seconds_per_token(self, context: int) -> float:
        """At that many keys, counted in blocks of 256."""
        block = max(-(-context // 256), 1)
        if block not in self._per_token:
            self._per_token[block] = self._work_out(block * 256)
        return self._per_token[block]

    def _work_out(self, context: int) -> float:
        if self.target == "off":
            return 0.0
        if self.target == "h100":
            part = gpu.GPUS["h100"]
            return gpu.decode_seconds(self.shape, part, self._gpus(), context, gpu.bus_of(part, FITTED))
        cycles = cost.decode_token_cycles(self.shape, self._grid, context, self.wafer, FITTED)
        return cycles / self.wafer.clock_hz

    def _gpus(self) -> int:
        count, part = 1, gpu.GPUS["h100"]
        while count * gpu.MEMORY_SHARE * part.memory_bytes < self.shape.n_params * 2:
            count *= 2
        return count

    def first_token_seconds(self, prompt: int) -> float:
        """Reading a prompt of that length."""
        if self.target == "off" or prompt < 1:
            return 0.0
        if self.target == "h100":
            part = gpu.GPUS["h100"]
            return gpu.prefill_seconds(self.shape, part, self._gpus(), prompt, gpu.bus_of(part, FITTED))
        block = -(-prompt // 256) * 256
        side = best_prefill_grid(self.shape, self.wafer, block)
        cycles = cost.prefill_cycles(self.shape, side, block, self.wafer, FITTED)
        return cycles / self.wafer.clock_hz

    def delay(self, step: Step) -> float:
        """Seconds to wait behind this pass, given the seconds that it took here."""
        if self.target == "off":
            return 0.0
        if step.kind == "prefill":
            wanted = self.first_token_seconds(step.rows)
        else:
            wanted = (step.rows - step.drafted + step.accepted) * self.seconds_per_token(step.context)
        self._owed += wanted - step.seconds
        wait = max(self._owed, 0.0)
        self._owed = min(self._owed - wait, 0.0)
        # time lost to a slow machine is not made up for later by running ahead of the target's rate
        self._owed = max(self._owed, -wanted)
        return wait
