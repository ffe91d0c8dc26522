"""The steps of the engine in the last turn: written on the engine's thread, read on the event loop, none
lost."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from spark_tui.backends.base import Backend
    from spark_tui.shapes import ModelShape, Step

Mark = Literal["turn", "answer"]
"""What begins: a turn, whose answers may be several (one for each window of a file), or another answer of
it."""


class StepLog:
    """The passes of the turn that runs, or was last. To write costs one append."""

    def __init__(self) -> None:
        self.source = ""
        """Where the text comes from; empty before a session is open."""
        self.shape: ModelShape | None = None
        """The model's sizes; None where nobody reports passes."""
        self._steps: deque[Step | Mark] = deque()
        self._turn_due = True

    def attach(self, backend: Backend) -> None:
        self.source, self.shape = backend.name, None
        self._steps.clear()
        self._turn_due = True
        from spark_tui.backends.base import ReportsSteps  # loaded with the session

        if isinstance(backend, ReportsSteps):
            self.shape = backend.shape
            backend.listen(self)

    def turn(self) -> None:
        """A turn begins. What there is of the one before stays until the first answer of this one."""
        self._turn_due = True

    def begin(self) -> None:
        """An answer begins. The first answer of a turn drops the passes of earlier turns."""
        if self._turn_due:
            self._turn_due = False
            self._steps.clear()
            self._steps.append("turn")
        else:
            self._steps.append("answer")

    def step(self, step: Step) -> None:
        self._steps.append(step)

    def take(self) -> list[Step | Mark]:
        """What came since the last time, oldest first."""
        taken: list[Step | Mark] = []
        while True:
            try:
                taken.append(self._steps.popleft())
            except IndexError:  # also when the other thread was quicker to clear it
                return taken
