"""Intervals for comparisons: of the same cases, answered by two candidates, and of two independent groups."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

Z95 = 1.959964
RESAMPLES = 1000
_SEED = 7
_STEPS = 60


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate and its 95 % interval."""

    value: float
    low: float
    high: float

    def as_dict(self, digits: int = 4) -> dict[str, Any]:
        return {name: round(number, digits) for name, number in asdict(self).items()}


def share_difference(cases: int, won: int, lost: int) -> Interval:
    """By how much a share differs between two candidates on the same cases: `won` only the second got right,
    `lost` only the first.

    Tango's score interval (Statistics in Medicine 17, 1998): unlike the usual one it is no point where no
    case differs, and it keeps its coverage on few cases.
    """
    if cases < 1 or won < 0 or lost < 0 or won + lost > cases:
        raise ValueError("counts that cannot be")

    def score(difference: float) -> float:
        a = 2 * cases
        b = -won - lost + (2 * cases - won + lost) * difference
        c = -lost * difference * (1 - difference)
        q = (math.sqrt(max(0.0, b * b - 4 * a * c)) - b) / (2 * a)
        variance = cases * (2 * q + difference * (1 - difference))
        gap = won - lost - cases * difference
        if variance <= 0:
            return math.copysign(math.inf, gap) if gap else 0.0
        return gap / math.sqrt(variance)

    middle = (won - lost) / cases
    low = -1.0 if lost == cases else _root(lambda value: score(value) - Z95, -1.0, middle)
    high = 1.0 if won == cases else _root(lambda value: score(value) + Z95, middle, 1.0)
    return Interval(middle, low, high)


def _root(falling: Callable[[float], float], low: float, high: float) -> float:
    """Where a falling function crosses zero."""
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if falling(middle) > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def independent_difference(first: int, of_first: int, second: int, of_second: int) -> Interval | None:
    """By how much the share of a second, independent group differs (Newcombe's hybrid score interval); None
    where a group is empty."""
    if not of_first or not of_second:
        return None
    one, two = _wilson(first, of_first), _wilson(second, of_second)
    low = math.hypot(two.value - two.low, one.high - one.value)
    high = math.hypot(two.high - two.value, one.value - one.low)
    gap = two.value - one.value
    return Interval(gap, gap - low, gap + high)


def _wilson(count: int, total: int) -> Interval:
    share, z = count / total, Z95
    middle = (share + z * z / (2 * total)) / (1 + z * z / total)
    half = z / (1 + z * z / total) * math.sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    return Interval(share, middle - half, middle + half)


def sign_test(won: int, lost: int) -> float:
    """The exact probability of a split at least as uneven, where neither candidate is better (McNemar)."""
    total, least = won + lost, min(won, lost)
    tail = sum(math.comb(total, count) for count in range(least + 1)) / 2**total
    return float(min(1.0, 2 * tail))


def median_ratio(
    numerator: Sequence[float], denominator: Sequence[float], blocks: Sequence[int]
) -> Interval | None:
    """The median of the ratios within each pair, with a bootstrap interval; None without pairs.

    Whole blocks are drawn, then pairs in them: what was measured in one go shares the machine's mood, so its
    pairs are not independent of each other.
    """
    drawn: dict[int, list[float]] = {}
    for a, b, block in zip(numerator, denominator, blocks, strict=True):
        if a > 0 and b > 0:
            drawn.setdefault(block, []).append(a / b)
    groups = [np.array(group) for group in drawn.values()]
    if not groups:
        return None
    generator = np.random.default_rng(_SEED)
    medians = []
    for _ in range(RESAMPLES):
        chosen = [groups[at] for at in generator.integers(0, len(groups), len(groups))]
        again = [group[generator.integers(0, len(group), len(group))] for group in chosen]
        medians.append(float(np.median(np.concatenate(again))))
    low, high = np.quantile(medians, [0.025, 0.975])
    return Interval(float(np.median(np.concatenate(groups))), float(low), float(high))
