"""The engine's loop, shared by all sequences: one pass at a time hands out the tokens of each."""

from collections.abc import Callable, Sequence

from spark_tui.engine.batch_layout import StopFlag
from spark_tui.engine.generate import CHUNK_BOUNDS, Generation, Loop, OnStep


class FairScheduler(Loop):
    """The engine's loop, with a bound on a prompt's chunk, and shared by all that ask it for a pass."""

    allowance = 0
    """Rows; 0 leaves it to the loop."""
    along: Callable[[Sequence[Generation]], None] | None = None
    """Runs a pass with everybody else's rows."""

    def step(
        self,
        generations: Sequence[Generation],
        on_step: OnStep | None = None,
        stop: StopFlag | None = None,
    ) -> None:
        """Called by the check of an answer: a pass for it alone would hold up all others."""
        if self.along is None:
            super().step(generations, on_step, stop)
        else:
            self.along(generations)

    def together(self, generations: Sequence[Generation], on_step: OnStep) -> None:
        """The pass itself."""
        super().step(generations, on_step)

    @property
    def chunk(self) -> int:
        own = super().chunk
        return min(own, self.allowance) if self.allowance else own

    def rows_in(self, seconds: float) -> int:
        """How many rows a pass of this duration may have, within the loop's bounds."""
        return max(CHUNK_BOUNDS[0], int(seconds * self._rows_per_second))
