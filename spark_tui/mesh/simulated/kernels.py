"""The kernels run on simulated cores: numbers and cycles from the same calls.

Sums are taken in the order in which the cores would: along a chain from both ends of a group to its
middle, the high side first, then group by group. Multiply-adds run one input at a time, so results do not
depend on a library.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import DTypeLike, NDArray

from spark_tui.mesh.estimates import cost
from spark_tui.mesh.fabric import closed_forms
from spark_tui.mesh.fabric.collectives import fabric_for, run_ktree_allreduce, run_ring_shifts
from spark_tui.mesh.fabric.simulator import Fabric
from spark_tui.mesh.fabric.topology import Core, interleaved_ring
from spark_tui.mesh.facts.fitted_constants import Constants
from spark_tui.mesh.facts.wafer import Wafer

Array = NDArray[np.floating]
Combine = Callable[[Array, Array], Array]
ALONG = {"y": 0, "x": 1}
EPS = 1e-6
"""Of the norms."""


def reduce_in_order(parts: Array, tree: closed_forms.KTree, combine: Combine) -> Array:
    """The first axis is the line. What the K-tree's root holds in the end."""
    level = parts
    for size in tree.sizes:
        groups = level.reshape(level.shape[0] // size, size, *level.shape[1:])
        middle = size // 2
        total = groups[:, middle]
        if middle + 1 < size:
            high = groups[:, size - 1]
            for index in range(size - 2, middle, -1):
                high = combine(high, groups[:, index])
            total = combine(high, total)
        if middle:
            low = groups[:, 0]
            for index in range(1, middle):
                low = combine(low, groups[:, index])
            total = combine(low, total)
        level = total
    result: Array = level[0]
    return result


@dataclass(slots=True)
class Mesh:
    """A square of cores that computes. Tiles hold `dtype`; multiply-adds accumulate and sums travel in fp32
    (the published kernels send fp16 sums, two to a wavelet, and lose a few bits to it)."""

    side: int
    wafer: Wafer
    constants: Constants
    dtype: DTypeLike = np.float32
    events: bool = False
    now: float = 0.0
    fabric: Fabric = field(init=False)
    core: cost.CoreCosts = field(init=False)

    def __post_init__(self) -> None:
        self.wafer.check_grid(self.side)
        self.fabric = fabric_for(self.side, self.side, self.wafer)
        self.core = cost.CoreCosts(self.side, self.wafer, self.constants)

    # -- time

    def spend(self, name: str, compute: float, network: float = 0.0) -> None:
        """All cores work for `compute` cycles; then the network part follows."""
        if compute:
            self._work(compute, name)
        self.now += compute + network

    def _work(self, cycles: float, name: str) -> None:
        if self.events:
            for core in ((x, y) for y in range(self.side) for x in range(self.side)):
                self.fabric.work(core, self.now, cycles, name)

    # -- collectives

    def allreduce(self, tiles: Array, axis: str, *, largest: bool = False, segments: int = 1) -> Array:
        """Along `x` or `y`, in each of `segments` equal parts of every line; everyone ends with the
        result."""
        count = self.side // segments
        elements = int(np.prod(tiles.shape[2:], dtype=np.int64))
        combine: Combine = np.maximum if largest else np.add
        lines = np.moveaxis(tiles, ALONG[axis], 0).astype(np.float32, copy=False)
        tree = cost.ktree(count, self.wafer, self.constants)
        parts = lines.reshape(segments, count, *lines.shape[1:])
        totals = np.stack([reduce_in_order(part, tree, combine) for part in parts])
        spread = np.broadcast_to(totals[:, None], parts.shape).reshape(lines.shape)
        self._run_tree(tree, elements, axis)
        result: Array = np.ascontiguousarray(np.moveaxis(spread, 0, ALONG[axis]))
        return result

    def _run_tree(self, tree: closed_forms.KTree, wavelets: int, axis: str) -> None:
        if tree.cores == 1:
            return
        if self.events:
            lines: list[list[Core]] = []
            for other in range(self.side):
                for first in range(0, self.side, tree.cores):
                    span = range(first, first + tree.cores)
                    lines.append([(place, other) if axis == "x" else (other, place) for place in span])
            self.now = run_ktree_allreduce(self.fabric, lines, wavelets, tree, self.now)
        else:
            self.now += closed_forms.ktree_allreduce(tree, wavelets, self.wafer)

    # -- kernels

    def gemv(self, inputs: Array, weights: Array, axis: str, name: str) -> Array:
        """MeshGEMV: inputs `[P, P, K]`, weights `[P, P, K, N]`; partial sums are reduced along `axis`."""
        return self.allreduce(self.local_gemv(inputs, weights, name), axis)

    def tile(self, values: Array) -> Array:
        """As a tile holds it."""
        result: Array = values.astype(self.dtype)
        return result

    def local_gemv(self, inputs: Array, weights: Array, name: str) -> Array:
        inner, outer = weights.shape[2], weights.shape[3]
        total = np.zeros((*weights.shape[:2], outer), dtype=np.float32)
        for k in range(inner):
            total = total + inputs[..., k, None].astype(np.float32) * weights[..., k, :].astype(np.float32)
        self.spend(name, self.core.vector(outer) + self.wafer.issue_cycles + self.core.mapped(inner, outer))
        return total

    def gemm(self, left: Array, right: Array, name: str) -> Array:
        """MeshGEMM: `[P, P, M, K]` times `[P, P, K, N]`. The left tiles are skewed along their rows, then
        both move one place round the interleaved ring each step: two hops at most, for everyone at once."""
        side, ring = self.side, interleaved_ring(self.side)
        place_of = np.argsort(ring)  # ring order of each physical column or row
        m, k_tile, n = left.shape[2], left.shape[3], right.shape[3]
        total = np.zeros((side, side, m, n), dtype=np.float32)
        rows, columns = np.meshgrid(place_of, place_of, indexing="ij")
        physical = np.array(ring)
        y_index, x_index = np.meshgrid(np.arange(side), np.arange(side), indexing="ij")
        for step in range(side):
            # at this step core (y, x) holds the pair of tiles whose shared index is this one
            shared = physical[(rows + columns + step) % side]
            a, b = left[y_index, shared], right[shared, x_index]
            for k in range(k_tile):
                total = total + a[..., k, None].astype(np.float32) * b[..., k, None, :].astype(np.float32)
        multiply = k_tile * (self.wafer.issue_cycles + self.core.mapped(n, m))
        per_wavelet = self.wafer.elements_per_wavelet if np.dtype(self.dtype).itemsize == 2 else 1
        self._shift_and_multiply(name, multiply, -(-m * k_tile // per_wavelet), -(-k_tile * n // per_wavelet))
        return total

    def _shift_and_multiply(self, name: str, multiply: float, left: int, right: int) -> None:
        """The time of one cyclic-shift product: half a grid of steps that skew the left tiles, then one step
        for each place of the ring, in which the next tiles (left ones first) travel while these are
        multiplied."""
        overhead = self.constants.gemm_step_cycles
        for _ in range(self.side // 2):
            self.now = self._shift(left, 0) + overhead
        for _ in range(self.side):
            self._work(multiply, name)
            self.now = max(self.now + multiply, self._shift(left, right)) + overhead

    def _shift(self, left: int, right: int) -> float:
        """Tiles go one place round, left ones along the rows and then right ones along the columns; when they
        have."""
        if self.side == 1:
            return self.now
        if not self.events:
            return self.now + closed_forms.ring_shift(self.side, left + right, self.wafer)
        later = self.now + closed_forms.pipelined_cycles(left, self.wafer)
        lines: list[tuple[list[Core], int, float]] = []
        for other in range(self.side):
            lines.append(([(x, other) for x in range(self.side)], left, self.now))
            if right:
                lines.append(([(other, y) for y in range(self.side)], right, later))
        return run_ring_shifts(self.fabric, lines)

    def rmsnorm(self, tiles: Array, gain: Array, width: int, axis: str, name: str) -> Array:
        """RMSNorm of a vector whose parts `[..., d]` are distributed along `axis`; `width` is its true
        length.
        """
        x = tiles.astype(np.float32)
        squares = np.zeros(x.shape[:-1], dtype=np.float32)
        for index in range(x.shape[-1]):
            squares = squares + x[..., index] * x[..., index]
        batch = int(np.prod(tiles.shape[2:-1], dtype=np.int64))
        self.spend(
            name,
            3 * self.core.vector(batch * x.shape[-1])
            + self.core.vector(batch * x.shape[-1], 1)
            + batch * 120,
        )
        total = self.allreduce(squares, axis).astype(np.float32)
        scale = np.float32(1.0) / np.sqrt(total / np.float32(width) + np.float32(EPS))
        result: Array = (x * gain.astype(np.float32) * scale[..., None]).astype(self.dtype)
        return result

    def rope(self, tiles: Array, cos: Array, sin: Array) -> Array:
        """Pairs of neighbours `(2i, 2i + 1)` turn by their angle. Local to each core."""
        even, odd = tiles[..., 0::2].astype(np.float32), tiles[..., 1::2].astype(np.float32)
        turned = np.empty(tiles.shape, dtype=np.float32)
        turned[..., 0::2] = even * cos - odd * sin
        turned[..., 1::2] = even * sin + odd * cos
        self.spend("rope", 6 * self.core.vector(int(np.prod(tiles.shape[2:], dtype=np.int64)) // 2, 1))
        result: Array = turned.astype(self.dtype)
        return result
