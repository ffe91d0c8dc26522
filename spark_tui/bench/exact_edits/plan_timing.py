"""How long a plan takes in a large repository, and the memory it needs. Each measurement is a process of its
own."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from spark_tui.bench.exact_edits import plan_worker
from spark_tui.bench.measuring.processes import said_by
from spark_tui.bench.packages.copies import Package

LINES, QUICK_LINES = 100_000, 20_000
_RUNS = 3


@dataclass
class Timings:
    """Processor time of the slowest call: warm in a process that has made the plan before, cold without any
    cache."""

    warm: float | None = None
    cold: float | None = None
    megabytes: float | None = None
    rows: list[dict[str, Any]] = field(default_factory=list)


def measure(packages: Sequence[Package], *, quick: bool) -> Timings:
    """Plans of renames in the packages put together until they have enough lines."""
    out = Timings()
    with tempfile.TemporaryDirectory(prefix="spark-bench-") as scratch:
        root = Path(scratch) / "tree"
        lines = gather(packages, root, QUICK_LINES if quick else LINES)
        calls: list[str] = _worker(root, plan_worker.PICK)["calls"]
        for call in calls[: 1 if quick else None]:
            runs = [_worker(root, call) for _ in range(1 if quick else _RUNS)]
            best = min(runs, key=lambda item: item["cold"])
            out.rows.append({"plan": call, "lines": lines, **best})
            out.warm = max(out.warm or 0.0, best["warm"])
            out.cold = max(out.cold or 0.0, best["cold"])
            out.megabytes = max(out.megabytes or 0.0, best["megabytes"])
    return out


def gather(packages: Sequence[Package], root: Path, wanted: int) -> int:
    """Link the packages under one root, the largest first, again and again until there are enough lines.

    Stubs count. Packages that are too large by themselves are left out, unless there are no others."""
    sizes = {
        package: sum(path.read_bytes().count(b"\n") for path in _files(package.root)) for package in packages
    }
    fitting = [package for package in packages if 0 < sizes[package] <= wanted] or [
        min(packages, key=lambda item: sizes[item])
    ]
    lines, rounds = 0, 0
    root.mkdir()
    while lines < wanted:
        for one in sorted(fitting, key=lambda item: -sizes[item]):
            if lines < wanted:
                _link(one.root, root / f"part{rounds}" / one.name)
                lines += sizes[one]
        rounds += 1
    return lines


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*.py*") if path.suffix in (".py", ".pyi")]


def _link(source: Path, target: Path) -> None:
    for path in _files(source):
        there = target / path.relative_to(source)
        there.parent.mkdir(parents=True, exist_ok=True)
        os.link(path, there)


def _worker(root: Path, call: str) -> dict[str, Any]:
    result: dict[str, Any] = said_by(plan_worker.__name__, str(root), call)
    return result
