"""The collectives as schedules: each core's instructions, run as events on a fabric.

One rule of time for all: a send takes a cycle in the ALU and a ramp, each link a hop, a receive a ramp and
the worm's length. An instruction that adds what arrives to memory and sends the sum on forwards the head
at once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from spark_tui.errors import UsageError
from spark_tui.mesh.fabric.closed_forms import KTree, tree_levels
from spark_tui.mesh.fabric.simulator import Fabric, Simulator
from spark_tui.mesh.fabric.topology import Core, Grid, interleaved_ring
from spark_tui.mesh.facts.wafer import Wafer

Line = Sequence[Core]


def fabric_for(width: int, height: int, wafer: Wafer) -> Fabric:
    return Fabric(Simulator(), Grid(width, height), wafer)


def row(width: int, y: int = 0) -> list[Core]:
    return [(x, y) for x in range(width)]


def run_broadcast(fabric: Fabric, line: Line, wavelets: int) -> float:
    """Core 0 of the line to all others, multicast by the routers."""
    if len(line) > 1:
        fabric.send(tuple(line), wavelets, 0.0, _taker(fabric, wavelets), name="broadcast", multicast=True)
        fabric.sim.run()
    return fabric.latest


def _taker(fabric: Fabric, wavelets: int) -> Callable[[Core, float], None]:
    """What a core does that only receives."""

    def take(core: Core, head: float) -> None:
        fabric.receive(core, wavelets, head)

    return take


def run_broadcast_2d(fabric: Fabric, width: int, height: int, wavelets: int) -> float:
    """Along the first row; each router there also turns the worm down its column."""
    if width * height == 1:
        return 0.0
    take = _taker(fabric, wavelets)

    def turn(core: Core, head: float) -> None:
        take(core, head)
        down(core[0], head)

    def down(x: int, head: float) -> None:
        if height > 1:
            # the router turns the worm without the ramp or the ALU that `send` would charge
            ready = head - 1 - fabric.wafer.ramp_cycles
            fabric.send(
                tuple((x, y) for y in range(height)), wavelets, ready, take, name="broadcast", multicast=True
            )

    down(0, float(1 + fabric.wafer.ramp_cycles))
    if width > 1:
        fabric.send(tuple(row(width)), wavelets, 0.0, turn, name="broadcast", multicast=True)
    fabric.sim.run()
    return fabric.latest


def run_star(fabric: Fabric, line: Line, wavelets: int) -> float:
    """Everyone sends straight to core 0, which adds in the order of arrival."""
    for place in range(1, len(line)):
        path = tuple(reversed(line[: place + 1]))
        fabric.send(path, wavelets, 0.0, _taker(fabric, wavelets), name="star")
    fabric.sim.run()
    return max(fabric.latest - 1, 0.0)  # the last store falls into the last add


def run_chain(fabric: Fabric, line: Line, wavelets: int, start: float = 0.0) -> float:
    """From the far end to core 0, each core adding on the way."""
    return run_chains(fabric, [line], wavelets, start)


def run_chains(fabric: Fabric, lines: Sequence[Line], wavelets: int, start: float = 0.0) -> float:
    """A chain on every line at the same time; when the last root has its sum."""

    def send(line: Line, place: int, ready: float) -> None:
        path = (line[place], line[place - 1])
        fabric.send(path, wavelets, ready, lambda _, head: got(line, place - 1, head), name="chain")

    def got(line: Line, place: int, head: float) -> None:
        fabric.receive(line[place], wavelets, head)
        if place > 0:
            send(line, place, head + fabric.wafer.ramp_cycles)

    for line in lines:
        if len(line) > 1:
            send(line, len(line) - 1, start)
    fabric.sim.run()
    return fabric.latest


def run_tree(fabric: Fabric, line: Line, wavelets: int) -> float:
    """Binary: at level k the cores that are odd multiples of 2^k send to the even ones. A core adds its
    children one after the other and streams the last sum straight on."""
    count = len(line)
    levels = tree_levels(count)
    free = [0.0] * count
    waiting: list[dict[int, float]] = [{} for _ in line]
    level_of = [0] * count

    def children(place: int) -> int:
        return levels if place == 0 else (place & -place).bit_length() - 1

    def send(place: int, ready: float) -> None:
        parent = place & (place - 1)
        path = fabric.grid.route(line[place], line[parent])
        level = children(place)
        fabric.send(path, wavelets, ready, lambda _, head: got(parent, level, head), name="tree")

    def got(place: int, level: int, head: float) -> None:
        waiting[place][level] = head
        while level_of[place] in waiting[place]:
            # one instruction retires and the next is issued before it takes what waits at the router
            turn = 2 if level_of[place] else 0
            begin = max(free[place] + turn, waiting[place].pop(level_of[place]))
            level_of[place] += 1
            if place and level_of[place] == children(place):
                send(place, begin + fabric.wafer.ramp_cycles)
            free[place] = fabric.receive(line[place], wavelets, begin)

    for place in range(1, count, 2):
        send(place, 0.0)
    fabric.sim.run()
    return fabric.latest


def run_two_phase(fabric: Fabric, line: Line, wavelets: int) -> float:
    """Chains inside √p groups, then a chain of the groups' first cores."""
    side = math.isqrt(len(line))
    if side * side != len(line):
        raise UsageError(f"a two-phase reduce needs a square number of cores, not {len(line)}")
    ready_at = [0.0] * side
    waiting: dict[int, float] = {}
    ramp = fabric.wafer.ramp_cycles

    def inner(place: int, ready: float) -> None:
        path = (line[place], line[place - 1])
        fabric.send(path, wavelets, ready, lambda _, head: inner_got(place - 1, head), name="group")

    def inner_got(place: int, head: float) -> None:
        done = fabric.receive(line[place], wavelets, head)
        group, offset = divmod(place, side)
        if offset:
            inner(place, head + ramp)
        elif group == side - 1:
            outer(group, head + ramp)  # nothing comes from beyond: stream on at once
        else:
            ready_at[group] = done
            if group in waiting:
                merge(group, waiting.pop(group))

    def outer(group: int, ready: float) -> None:
        path = fabric.grid.route(line[group * side], line[(group - 1) * side])
        fabric.send(path, wavelets, ready, lambda _, head: outer_got(group - 1, head), name="roots")

    def outer_got(group: int, head: float) -> None:
        if ready_at[group]:
            merge(group, head)
        else:
            waiting[group] = head

    def merge(group: int, head: float) -> None:
        begin = max(head, ready_at[group])
        fabric.receive(line[group * side], wavelets, begin)
        if group:
            outer(group, begin + ramp)

    if side > 1:
        for group in range(side):
            inner(group * side + side - 1, 0.0)
        fabric.sim.run()
    return fabric.latest


def run_ring_allreduce(fabric: Fabric, line: Line, wavelets: int) -> float:
    """Reduce-scatter, then all-gather. Core i sends to i + 1; the last one's way home is the whole line."""
    count = len(line)
    if count == 1:
        return 0.0
    chunk = -(-wavelets // count)
    rounds = 2 * (count - 1)

    def send(place: int, round_: int, ready: float) -> None:
        to = (place + 1) % count
        path = fabric.grid.route(line[place], line[to])
        fabric.send(path, chunk, ready, lambda _, head: got(to, round_, head), name="ring")

    def got(place: int, round_: int, head: float) -> None:
        done = fabric.receive(line[place], chunk, head)
        if round_ + 1 < rounds:
            fabric.sim.at(done, lambda: send(place, round_ + 1, done))

    for place in range(count):
        send(place, 0, 0.0)
    fabric.sim.run()
    return fabric.latest


def run_ring_shift(fabric: Fabric, line: Line, wavelets: int) -> float:
    """One step of MeshGEMM on a line: every core's tile goes one place round the interleaved ring."""
    return run_ring_shifts(fabric, [(line, wavelets, 0.0)])


def run_ring_shifts(fabric: Fabric, shifts: Sequence[tuple[Line, int, float]]) -> float:
    """Many at once: (line, wavelets of a tile, when its cores begin to send). When the last tile has come."""
    for line, wavelets, start in shifts:
        ring = interleaved_ring(len(line))
        for index, place in enumerate(ring):
            to = ring[(index + 1) % len(ring)]
            if to != place:
                path = fabric.grid.route(line[place], line[to])
                fabric.send(path, wavelets, start, _taker(fabric, wavelets), name="shift")
    fabric.sim.run()
    return fabric.latest


def run_xy_reduce(fabric: Fabric, width: int, height: int, wavelets: int) -> float:
    """Rows to their first cores, then the first column to its first core."""
    rows_done = run_chains(fabric, [row(width, y) for y in range(height)], wavelets)
    if height == 1:
        return rows_done
    return run_chain(fabric, [(0, y) for y in range(height)], wavelets, start=rows_done)


def run_ktree_allreduce(
    fabric: Fabric, lines: Sequence[Line], wavelets: int, tree: KTree, start: float = 0.0
) -> float:
    """K-tree reduce to the middle and broadcast back, on every line at the same time; when the last core has
    it."""
    runs = [_KTreeRun(fabric, line, wavelets, tree, start) for line in lines]
    for run in runs:
        run.begin()
    fabric.sim.run()
    return max(fabric.latest, start)


class _KTreeRun:
    """One line. Levels follow each other at each root; a level's chains of both sides run at once."""

    def __init__(self, fabric: Fabric, line: Line, wavelets: int, tree: KTree, start: float) -> None:
        if len(line) != tree.cores:
            raise UsageError(f"a tree of {tree.cores} cores does not fit a line of {len(line)}")
        self.fabric, self.line, self.wavelets, self.tree, self.start = fabric, line, wavelets, tree, start
        self.heads: dict[tuple[int, int, str], float] = {}
        self.wanted: dict[tuple[int, int], float] = {}

    def begin(self) -> None:
        if self.tree.cores > 1:
            for place in range(len(self.line)):
                self._enter(place, 0, self.start)

    def _span(self, level: int) -> tuple[int, int]:
        """Stride between members of a group at that level, and how many there are."""
        return math.prod(self.tree.sizes[:level]), self.tree.sizes[level]

    def _enter(self, place: int, level: int, ready: float) -> None:
        """`place` has its sum of the level below, and takes its part in the next one."""
        if level == len(self.tree.sizes):
            self._broadcast(place, ready)
            return
        stride, size = self._span(level)
        index, middle = (place // stride) % size, size // 2
        if size == 1:
            self._enter(place, level + 1, ready)
        elif index == middle:
            self.wanted[place, level] = ready + self.tree.issue_cycles
            self._try_root(place, level)
        elif index in (0, size - 1):
            self._pass_on(place, level, ready + self.tree.issue_cycles)
        else:
            self.wanted[place, level] = ready + self.tree.issue_cycles
            self._try_middle(place, level)

    def _pass_on(self, place: int, level: int, ready: float) -> None:
        stride, size = self._span(level)
        low = (place // stride) % size < size // 2
        to = place + (stride if low else -stride)
        side = "low" if low else "high"
        path = self.fabric.grid.route(self.line[place], self.line[to])

        def arrived(_: Core, head: float) -> None:
            self.heads[to, level, side] = head
            if (to // stride) % size == size // 2:
                self._try_root(to, level)
            else:
                self._try_middle(to, level)

        late = ready + self.tree.stage_software_cycles
        self.fabric.send(path, self.wavelets, late, arrived, name=f"reduce level {level}")

    def _try_middle(self, place: int, level: int) -> None:
        """A core between an end and the root: add what comes, send the sum on as it streams."""
        stride, size = self._span(level)
        side = "low" if (place // stride) % size < size // 2 else "high"
        if (place, level, side) in self.heads and (place, level) in self.wanted:
            begin = max(self.heads.pop((place, level, side)), self.wanted.pop((place, level)))
            self.fabric.receive(self.line[place], self.wavelets, begin)
            self._pass_on(place, level, begin + self.fabric.wafer.ramp_cycles)

    def _try_root(self, place: int, level: int) -> None:
        """The middle: the high side, then (one more instruction) the low side."""
        _, size = self._span(level)
        sides = ["low"] if size == 2 else ["high", "low"]
        if (place, level) not in self.wanted or any((place, level, side) not in self.heads for side in sides):
            return
        done = self.wanted.pop((place, level))
        for number, side in enumerate(sides):
            begin = max(
                done + (self.tree.issue_cycles if number else 0.0), self.heads.pop((place, level, side))
            )
            done = self.fabric.receive(self.line[place], self.wavelets, begin)
        self.fabric.sim.at(max(done, self.fabric.sim.now), lambda: self._enter(place, level + 1, done))

    def _broadcast(self, root: int, ready: float) -> None:
        take = _taker(self.fabric, self.wavelets)
        start = ready + self.tree.issue_cycles
        if root > 0:
            path = tuple(reversed(self.line[: root + 1]))
            self.fabric.send(path, self.wavelets, start, take, name="broadcast low", multicast=True)
            start += self.fabric.worm_cycles(self.wavelets) + self.tree.issue_cycles
        if root < len(self.line) - 1:
            path = tuple(self.line[root:])
            self.fabric.send(path, self.wavelets, start, take, name="broadcast high", multicast=True)
