"""Whether a candidate may become the default: the criteria of a TOML file, checked on a paired comparison.

A bound on a difference or a ratio is compared with the end of the 95 % interval that is worse for the
candidate: too few cases prove nothing, so the criterion fails.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from spark_tui.errors import ConfigError
from spark_tui.evals.cases import SUITES, Suite
from spark_tui.evals.comparison import ALL, MEASURES, PairedRuns

DEFAULT_CRITERIA = Path(__file__).with_name("promote.toml")
BOUNDS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(MEASURES, ("at_least", "at_most", "difference_at_least", "difference_at_most")),
    "seconds": ("at_most", "ratio_at_most"),
    "memory_mb": ("at_most", "ratio_at_most"),
    "model_mb": ("at_most", "ratio_at_most"),
}
"""For each measure the bounds that it can have."""
_TOP = {"suite", "path", "sample", "check_seconds", "criterion"}


@dataclass(frozen=True, slots=True)
class Criterion:
    """One condition: a measure over the cases of a kind, and one bound on it."""

    name: str
    measure: str
    bound: str
    limit: float
    kind: str = ALL


@dataclass(frozen=True, slots=True)
class Criteria:
    """A whole file."""

    suite: Suite
    path: Path | None
    sample: int
    check_seconds: int
    criteria: tuple[Criterion, ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """A criterion and what was found; `value` is None where it could not be measured, which fails."""

    criterion: Criterion
    value: float | None

    @property
    def holds(self) -> bool:
        if self.value is None:
            return False
        limit = self.criterion.limit
        return self.value >= limit if self.criterion.bound.endswith("at_least") else self.value <= limit

    def as_dict(self) -> dict[str, Any]:
        one = self.criterion
        return {
            "name": one.name,
            "measure": one.measure,
            "kind": one.kind,
            one.bound: one.limit,
            "value": None if self.value is None else round(self.value, 4),
            "holds": self.holds,
        }


def read_criteria(path: Path) -> Criteria:
    """Raises ConfigError for a file that cannot be read, an unknown member, or a criterion without just one
    bound."""
    where = str(path)
    try:
        data = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise ConfigError(f"cannot be read: {error.strerror}", where=where) from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"is not valid TOML: {error}", where=where) from error
    if unknown := sorted(data.keys() - _TOP):
        raise ConfigError(
            f"unknown member {unknown[0]!r}", where=where, hint=f"Known: {', '.join(sorted(_TOP))}."
        )
    suite = next((item for item in SUITES if item.name == data.get("suite", "builtin")), None)
    if suite is None:
        raise ConfigError(f"no suite is called {data['suite']!r}", where=where)
    rows = data.get("criterion", [])
    if not isinstance(rows, list) or not rows or not all(isinstance(row, dict) for row in rows):
        raise ConfigError("has no [[criterion]]", where=where, hint="See docs/promote.md.")
    given = data.get("path")
    if given is not None and not isinstance(given, str):
        raise ConfigError("`path` must be a string", where=where)
    return Criteria(
        suite,
        path.parent / Path(given).expanduser() if given else None,
        _count(data, "sample", 0, where),
        _count(data, "check_seconds", 10, where),
        tuple(_criterion(row, f"{where}, criterion {number}") for number, row in enumerate(rows, 1)),
    )


def _count(data: Mapping[str, Any], name: str, default: int, where: str) -> int:
    value = data.get(name, default)
    if type(value) is not int or value < 0:
        raise ConfigError(f"`{name}` must be a whole number", where=where)
    return value


def _criterion(row: Mapping[str, Any], where: str) -> Criterion:
    measure = row.get("measure")
    if measure not in BOUNDS:
        raise ConfigError(
            f"cannot measure {measure!r}", where=where, hint=f"Choose one of: {', '.join(BOUNDS)}."
        )
    known = {"name", "measure", "kind", *BOUNDS[measure]}
    if unknown := sorted(row.keys() - known):
        raise ConfigError(
            f"{unknown[0]!r} is no member of a criterion on {measure}",
            where=where,
            hint=f"Known: {', '.join(sorted(known))}.",
        )
    bounds = [name for name in BOUNDS[measure] if name in row]
    if len(bounds) != 1 or isinstance(row[bounds[0]], bool) or not isinstance(row[bounds[0]], (int, float)):
        raise ConfigError(
            "needs one bound, a number", where=where, hint=f"One of: {', '.join(BOUNDS[measure])}."
        )
    name = row.get("name") or f"{measure} {bounds[0].replace('_', ' ')} {row[bounds[0]]}"
    return Criterion(str(name), measure, bounds[0], float(row[bounds[0]]), str(row.get("kind", ALL)))


def judge(criteria: Criteria, found: PairedRuns) -> list[Verdict]:
    """A is what is used now, B the candidate. A kind without cases cannot be measured."""
    return [Verdict(criterion, _value(criterion, found)) for criterion in criteria.criteria]


def _value(criterion: Criterion, found: PairedRuns) -> float | None:
    if not found.places(criterion.kind):
        return None
    if criterion.measure in MEASURES:
        row = found.row(criterion.measure, criterion.kind)
        if criterion.bound.startswith("difference"):
            interval: dict[str, float] = row["difference"]
            return interval["low"] if criterion.bound == "difference_at_least" else interval["high"]
        return float(row["B"])
    if criterion.measure == "seconds":
        if criterion.bound == "ratio_at_most":
            ratio = found.seconds_ratio(criterion.kind)
            return ratio["high"] if ratio else None
        seconds = sorted(found.second.seconds[at] for at in found.places(criterion.kind))
        return seconds[len(seconds) // 2]
    first, second = (
        (run.peak_bytes if criterion.measure == "memory_mb" else run.model_bytes)
        for run in (found.first, found.second)
    )
    if second is None or (criterion.bound == "ratio_at_most" and not first):
        return None
    return second / first if criterion.bound == "ratio_at_most" and first else second / 1e6
