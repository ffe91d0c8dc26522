"""Closed forms of the collectives: cycles from sizes, without running anything.

Shapes of the formulas: `data/reduce_formulas.csv`. `R` below is a ramp (`T_R`), `h` a hop.

Published for a hop of one cycle; here a hop is the device's, and a wavelet takes its time on a link.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from spark_tui.errors import UsageError
from spark_tui.mesh.facts.wafer import Wafer


def stage_cycles(wafer: Wafer) -> int:
    """What one more step of depth costs: up a ramp, down a ramp, one cycle through the ALU."""
    return 2 * wafer.ramp_cycles + 1


def pipelined_cycles(wavelets: int, wafer: Wafer) -> float:
    return wavelets * wafer.wavelet_cycles


def general(contention: float, energy: float, links: int, distance: float, depth: int, wafer: Wafer) -> float:
    """`max(C, E/N + L) + (2·R + 1)·D`."""
    return max(contention, energy / max(links, 1) + distance) + stage_cycles(wafer) * depth


def broadcast(p: int, wavelets: int, wafer: Wafer) -> float:
    if p == 1:
        return 0.0
    return pipelined_cycles(wavelets, wafer) + wafer.hop_cycles * (p - 1) + stage_cycles(wafer)


def broadcast_2d(width: int, height: int, wavelets: int, wafer: Wafer) -> float:
    return broadcast(width + height - 1, wavelets, wafer)


def star(p: int, wavelets: int, wafer: Wafer) -> float:
    """Every core sends to core 0; the last link is what is short. Counted as published, one cycle less than
    the chain for the same two cores: the root's last store is taken to fall into its last add."""
    if p == 1:
        return 0.0
    b = pipelined_cycles(wavelets, wafer)
    last_link = max(b * (p - 1), wafer.hop_cycles * (p - 2) + b)
    return last_link + wafer.hop_cycles - 1 + stage_cycles(wafer)


def chain(p: int, wavelets: int, wafer: Wafer) -> float:
    if p == 1:
        return 0.0
    return pipelined_cycles(wavelets, wafer) + (stage_cycles(wafer) + wafer.hop_cycles) * (p - 1)


def tree(p: int, wavelets: int, wafer: Wafer) -> float:
    """Binary tree over a power of two."""
    levels = tree_levels(p)
    if levels == 0:
        return 0.0
    b = pipelined_cycles(wavelets, wafer)
    return general(b * levels, b * p / 2 * levels, p - 1, wafer.hop_cycles * (p - 1), levels, wafer)


def two_phase(p: int, wavelets: int, wafer: Wafer) -> float:
    """Chains in √p groups, then a chain of their roots."""
    side = math.isqrt(p)
    if side * side != p:
        raise UsageError(f"a two-phase reduce needs a square number of cores, not {p}")
    if p == 1:
        return 0.0
    b = pipelined_cycles(wavelets, wafer)
    return general(2 * b, 2 * b * (p - side), p - 1, wafer.hop_cycles * (p - 1), 2 * side - 2, wafer)


def ring_allreduce(p: int, wavelets: int, wafer: Wafer) -> float:
    """Reduce-scatter and all-gather on a line closed by one long wrap; `p` chunks, each rounded up."""
    if p == 1:
        return 0.0
    chunk = pipelined_cycles(-(-wavelets // p), wafer)
    return 2 * (p - 1) * (chunk + stage_cycles(wafer)) + wafer.hop_cycles * (4 * p - 6)


def ring_shift(p: int, wavelets: int, wafer: Wafer) -> float:
    """Everyone on a line hands its tile to the next in the interleaved ring: two hops, all at once."""
    if p == 1:
        return 0.0
    return pipelined_cycles(wavelets, wafer) + wafer.hop_cycles * min(2, p - 1) + stage_cycles(wafer)


def xy_reduce(width: int, height: int, wavelets: int, wafer: Wafer) -> float:
    """Chains along the rows, then one down the first column."""
    return chain(width, wavelets, wafer) + chain(height, wavelets, wafer)


def lower_bound_1d(p: int, wavelets: int, wafer: Wafer) -> float:
    """No reduce to one end of a line of `p` does better under the general form: the least, over depths, of
    element-hops spread over all links, the way of the farthest, and the depth."""
    if p == 1:
        return 0.0
    best = math.inf
    energy = [0.0] + [math.inf] * (p - 1)  # fewest element-hops of r+1 cores at the present depth
    energy[0] = 0.0
    for depth in range(1, p):
        nxt = [0.0] * p
        for r in range(2, p + 1):
            # the first s cores reduce at full depth; the other r - s one level less, then come s hops down
            nxt[r - 1] = min(energy[r - 1], *(nxt[s - 1] + energy[r - s - 1] + s for s in range(1, r)))
        energy = nxt
        b = pipelined_cycles(wavelets, wafer)
        if math.isfinite(energy[p - 1]):
            cost = b * energy[p - 1] / (p - 1) + wafer.hop_cycles * (p - 1) + depth * stage_cycles(wafer)
            best = min(best, cost)
    return best


@dataclass(frozen=True, slots=True)
class KTree:
    """How a line of cores is grouped: `sizes[0]` neighbours to a group, `sizes[1]` groups to a group of
    groups, … Each group chains from both ends to its middle; the last root broadcasts back both ways."""

    sizes: tuple[int, ...]
    issue_cycles: float = 1.0
    """Set-up of a vector instruction that follows another one on the critical core."""
    stage_software_cycles: float = 0.0
    """Software's share of one routing stage, over what the wires need (fitted for published kernels)."""

    @property
    def cores(self) -> int:
        return math.prod(self.sizes)

    @property
    def root(self) -> int:
        place, stride = 0, 1
        for size in self.sizes:
            place += (size // 2) * stride
            stride *= size
        return place

    @property
    def stages(self) -> int:
        """Routing stages on the longest way: half of each level."""
        return sum(size // 2 for size in self.sizes)


def ktree_reduce(tree_: KTree, wavelets: int, wafer: Wafer) -> float:
    """Both sides of a group at once; the middle adds the high side, then the low side."""
    b, done, stride = pipelined_cycles(wavelets, wafer), 0.0, 1
    for size in tree_.sizes:
        low = size // 2
        high = size - 1 - low
        step = stage_cycles(wafer) + tree_.stage_software_cycles + wafer.hop_cycles * stride
        posted = done + (tree_.issue_cycles if low else 0.0)
        if high:
            done = posted + high * step + b
        if low:
            head_of_low = posted + low * step - wafer.ramp_cycles
            wanted = done + tree_.issue_cycles if high else posted
            done = max(wanted, head_of_low) + wafer.ramp_cycles + b
        stride *= size
    return done


def ktree_broadcast(tree_: KTree, wavelets: int, wafer: Wafer) -> float:
    """From the root to the low side, then to the high side: two instructions, one after the other."""
    b, p, root = pipelined_cycles(wavelets, wafer), tree_.cores, tree_.root
    if p == 1:
        return 0.0
    start = tree_.issue_cycles
    low = start + stage_cycles(wafer) + wafer.hop_cycles * root + b
    if root == p - 1:
        return low
    return max(
        low, start + b + tree_.issue_cycles + stage_cycles(wafer) + wafer.hop_cycles * (p - 1 - root) + b
    )


def ktree_allreduce(tree_: KTree, wavelets: int, wafer: Wafer) -> float:
    return ktree_reduce(tree_, wavelets, wafer) + ktree_broadcast(tree_, wavelets, wafer)


def two_level(p: int, groups: int, issue_cycles: float = 1.0, stage_software_cycles: float = 0.0) -> KTree:
    """The K = 2 tree of `p` cores in `groups` groups."""
    if groups < 1 or p % groups:
        raise UsageError(f"{p} cores do not divide into {groups} groups")
    return KTree((p // groups, groups), issue_cycles, stage_software_cycles)


def tree_levels(p: int) -> int:
    """The levels of a binary tree over so many cores."""
    levels = p.bit_length() - 1
    if p < 1 or 1 << levels != p:
        raise UsageError(f"a tree reduce needs a power of two of cores, not {p}")
    return levels
