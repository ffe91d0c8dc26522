"""The grid: cores, links, XY routes, colours, and the interleaved ring that keeps neighbours two hops
apart.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

from spark_tui.errors import Misfit, UsageError

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

    @property
    def links(self) -> int:
        """Directed links."""
        return 2 * (self.height * (self.width - 1) + self.width * (self.height - 1))

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


def manhattan(source: Core, target: Core) -> int:
    return abs(source[0] - target[0]) + abs(source[1] - target[1])


def links_of(path: tuple[Core, ...]) -> list[Link]:
    return list(pairwise(path))


def interleaved_ring(count: int) -> list[int]:
    """Places on a line in ring order: up the even ones, down the odd ones. Every ring neighbour, the
    wrap included, is at most two places away, which a plain ring's wrap is not."""
    evens = list(range(0, count, 2))
    odds = list(range(1, count, 2))
    return evens + odds[::-1]


@dataclass(slots=True)
class ColourMap:
    """Hands out the routable colours of a device. A kernel that needs more than there are does not fit."""

    limit: int
    taken: dict[str, int] = field(default_factory=dict)

    def take(self, use: str) -> int:
        """The colour assigned to that use; repeated calls return the same one."""
        if use not in self.taken:
            if len(self.taken) >= self.limit:
                raise Misfit(
                    f"the {len(self.taken) + 1}th colour ({use}) is one more than the {self.limit} that"
                    " routers have",
                    hint="fuse collectives or let two that never overlap share a colour",
                )
            self.taken[use] = len(self.taken)
        return self.taken[use]


def transformer_colours(limit: int) -> ColourMap:
    """The colours that prefill and decode take together: K-tree reduces, broadcasts, two-hop shifts."""
    colours = ColourMap(limit)
    for axis in ("x", "y"):
        for level in ("group", "roots"):
            for way in ("towards-low", "towards-high"):
                colours.take(f"reduce {axis} {level} {way}")
        for way in ("low", "high"):
            colours.take(f"broadcast {axis} {way}")
        for role in range(3):
            colours.take(f"two-hop {axis} {role}")
    colours.take("kv shift")
    return colours
