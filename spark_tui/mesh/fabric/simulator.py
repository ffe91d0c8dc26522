"""Discrete events: a clock, a queue, and a fabric whose links can be busy.

Events at the same time run by priority, then in order of creation, so every run is identical. A message is a
worm of `wavelets`. Its head waits for each link in turn and occupies it for the length of the worm. Routers
buffer waiting worms (a blocked worm does not block the links it came over).
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field

from spark_tui.mesh.fabric.topology import Core, Grid, Link, links_of
from spark_tui.mesh.facts.wafer import Wafer

Action = Callable[[], None]


class Simulator:
    """`now`, `at`, `run`. Times are cycles and may be fractions."""

    def __init__(self) -> None:
        self.now = 0.0
        self._serial = 0
        self._queue: list[tuple[float, int, Action]] = []

    def at(self, time: float, action: Action) -> None:
        """Run `action` at `time` (never before now)."""
        if time < self.now:
            raise ValueError(f"an event at {time} lies before now ({self.now})")
        heapq.heappush(self._queue, (time, self._serial, action))
        self._serial += 1

    def run(self) -> float:
        """Run all events. Returns the time of the last one."""
        while self._queue:
            self.now, _, action = heapq.heappop(self._queue)
            action()
        return self.now


@dataclass(frozen=True, slots=True)
class BusySpan:
    """A core or a link was busy. `core` is where it is drawn."""

    name: str
    core: Core
    start: float
    end: float
    link: Link | None = None


@dataclass(slots=True)
class Fabric:
    """The links of a grid under one simulator."""

    sim: Simulator
    grid: Grid
    wafer: Wafer
    spans: list[BusySpan] = field(default_factory=list)
    link_busy_cycles: dict[Link, float] = field(default_factory=lambda: defaultdict(float))
    core_busy_cycles: dict[Core, float] = field(default_factory=lambda: defaultdict(float))
    latest: float = 0.0
    """When the last word of all that were received was stored."""
    _free_at: dict[Link, float] = field(default_factory=lambda: defaultdict(float))

    def worm_cycles(self, wavelets: int) -> float:
        """How long a worm of that length occupies a link or a ramp."""
        return wavelets * self.wafer.wavelet_cycles

    def send(
        self,
        path: tuple[Core, ...],
        wavelets: int,
        ready: float,
        arrived: Callable[[Core, float], None],
        *,
        name: str = "message",
        multicast: bool = False,
    ) -> None:
        """A worm leaves the first core's instruction at `ready`: one cycle through the ALU, up the ramp, over
        the links of `path`. `arrived(core, head)` is called when the head is at the last core's router (with
        `multicast`, at every router after the first). Receiving it is the receiver's affair."""
        busy = self.worm_cycles(wavelets)
        self.core_busy_cycles[path[0]] += busy
        self.spans.append(BusySpan(f"send {name}", path[0], ready, ready + busy))
        links = links_of(path)
        head = ready + 1 + self.wafer.ramp_cycles
        if not links:
            self.sim.at(head, lambda: arrived(path[0], self.sim.now))
            return
        self.sim.at(head, lambda: self._cross(links, 0, wavelets, arrived, name, multicast))

    def _cross(
        self,
        links: list[Link],
        index: int,
        wavelets: int,
        arrived: Callable[[Core, float], None],
        name: str,
        multicast: bool,
    ) -> None:
        link = links[index]
        start = max(self.sim.now, self._free_at[link])
        busy = self.worm_cycles(wavelets)
        self._free_at[link] = start + busy
        self.link_busy_cycles[link] += busy
        self.spans.append(BusySpan(name, link[0], start, start + busy, link))

        def reached() -> None:
            last = index + 1 == len(links)
            if last or multicast:
                arrived(link[1], self.sim.now)
            if not last:
                self._cross(links, index + 1, wavelets, arrived, name, multicast)

        self.sim.at(start + self.wafer.hop_cycles, reached)

    def receive(self, core: Core, wavelets: int, start: float) -> float:
        """The receive instruction of `core` takes a worm whose head is at its router and which it began to
        want by `start` (the later of the two). The time when the last word is stored."""
        done = start + self.wafer.ramp_cycles + self.worm_cycles(wavelets)
        self.core_busy_cycles[core] += self.worm_cycles(wavelets)
        self.spans.append(BusySpan("receive", core, start, done))
        self.latest = max(self.latest, done)
        return done

    def work(self, core: Core, start: float, cycles: float, name: str) -> float:
        """The core computes. The time when it has."""
        self.core_busy_cycles[core] += cycles
        self.spans.append(BusySpan(name, core, start, start + cycles))
        return start + cycles
