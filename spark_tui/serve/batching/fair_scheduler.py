"""The engine's loop, shared by all sequences: one pass at a time hands out the tokens of each."""

from __future__ import annotations

from spark_tui.engine.generate import CHUNK_BOUNDS, Loop


class FairScheduler(Loop):
    """The engine's loop, with a bound on a prompt's chunk."""

    allowance = 0
    """Rows; 0 leaves it to the loop."""

    @property
    def chunk(self) -> int:
        own = super().chunk
        return min(own, self.allowance) if self.allowance else own

    def rows_in(self, seconds: float) -> int:
        """How many rows a pass of this duration may have, within the loop's bounds."""
        return max(CHUNK_BOUNDS[0], int(seconds * self._rows_per_second))
