"""The grid: cores, links, XY routes, and the interleaved ring that keeps neighbours two hops apart."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from spark_tui.errors import UsageError

Core = tuple[int, int]
"""(column, row), both from 0."""
Link = tuple[Core, Core]
"""One direction of one wire, between cores side by side."""


@dataclass(frozen=True, slots=True)
class Grid:
    """A rectangle of cores."""

    width: int
    height: int

    def __post_init__(self) -> None:
        if self.width < 1 or self.height < 1:
            raise UsageError(f"a grid of {self.width} × {self.height} has no cores")

    def __contains__(self, core: Core) -> bool:
        return 0 <= core[0] < self.width and 0 <= core[1] < self.height

    def route(self, source: Core, target: Core) -> tuple[Core, ...]:
        """X first, then Y, both ends included: what the routers are configured to."""
        for core in (source, target):
            if core not in self:
                raise UsageError(f"core {core} is not on the {self.width} × {self.height} grid")
        (x0, y0), (x1, y1) = source, target
        step_x, step_y = (1 if x1 >= x0 else -1), (1 if y1 >= y0 else -1)
        along_x = [(x, y0) for x in range(x0, x1, step_x)]
        along_y = [(x1, y) for y in range(y0, y1, step_y)]
        return (*along_x, *along_y, target)


def links_of(path: tuple[Core, ...]) -> list[Link]:
    return list(pairwise(path))


def interleaved_ring(count: int) -> list[int]:
    """Places on a line in ring order: up the even ones, down the odd ones. Every ring neighbour, the
    wrap included, is at most two places away, which a plain ring's wrap is not."""
    evens = list(range(0, count, 2))
    odds = list(range(1, count, 2))
    return evens + odds[::-1]
