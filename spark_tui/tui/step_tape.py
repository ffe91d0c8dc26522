"""What the engine did since somebody looked: written on its thread, read on the loop, nothing lost in between.

Comes in: passes of an answer, from a backend that reports them. Goes out: those passes, in order. Must not know:
widgets, what is made of the passes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from spark_tui.backends.base import Backend, Stepping
from spark_tui.shapes import ModelShape, Step
from spark_tui.tui.seat import Seat


class StepTape:
    """The passes of the answer that is being written, or was last. To write costs one append."""

    def __init__(self) -> None:
        self.source = ""
        """Where the text comes from; empty before a session is open."""
        self.shape: ModelShape | None = None
        """The model's sizes; None where nobody reports passes."""
        self._steps: deque[Step | None] = deque()

    def attach(self, backend: Backend) -> None:
        """From now on."""
        self.source, self.shape = backend.name, None
        self._steps.clear()
        if isinstance(backend, Stepping):
            self.shape = backend.shape
            backend.listen(self)

    def begin(self) -> None:
        """Earlier answers are of no interest any more, also where nobody has looked at them."""
        self._steps.clear()
        self._steps.append(None)

    def step(self, step: Step) -> None:
        self._steps.append(step)

    def take(self) -> list[Step | None]:
        """What came since the last time, oldest first; None where an answer begins."""
        taken: list[Step | None] = []
        while True:
            try:
                taken.append(self._steps.popleft())
            except IndexError:  # also when the other thread was quicker to clear it
                return taken


def listening(opener: Callable[[], Seat], tape: StepTape) -> Seat:
    """Open a session, and listen before its first turn can begin."""
    seat = opener()
    tape.attach(seat.backend)
    return seat
