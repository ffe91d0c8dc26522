"""Bars, paired runs with their spread, machine facts and reports, shared by all benches.

All benches and evaluations speak this one form.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from spark_tui import __version__
from spark_tui.bars import Bar, columns, print_report
from spark_tui.config import paths
from spark_tui.engine.performance.roofline_store import process_roofline
from spark_tui.engine.runtime.machine import core_count, cpu_name
from spark_tui.errors import ExitCode
from spark_tui.mesh.svg_plot import BarLine, BarPanel, bars

DECIDED_RATE, FILE_RATE = "decided tok/s", "file tok/s"
"""Tokens that are chosen, and those of the files that come of them, copied ones included (docs/speed.md)."""
Clock = Callable[[], float]
QUICK_SECONDS = 50.0
"""A `--quick` run ends within this time, set-up included."""


@dataclass(slots=True)
class Report:
    """What a bench found: `rows` as a table, `bars` as promises, `notes` in words."""

    bench: str
    rows: list[dict[str, Any]] = field(default_factory=list)
    bars: list[Bar] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    roofline: dict[str, Any] = field(default_factory=dict)
    """Of this machine, filled in when the report is printed."""

    def as_dict(self) -> dict[str, Any]:
        return {
            "bench": self.bench,
            "machine": machine(),
            "roofline": self.roofline,
            "bars": [bar.as_dict() for bar in self.bars],
            "rows": self.rows,
            "notes": self.notes,
        }


def add_common_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--quick", action="store_true", help=f"a shorter run, within {QUICK_SECONDS:.0f} seconds"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object on stdout, the report on stderr")
    parser.add_argument("--check", action="store_true", help="exit with 1 if a bar is missed")
    parser.add_argument("--plot", metavar="FILE.svg", help="draw the rows")


def finish(report: Report, args: argparse.Namespace) -> int:
    """Print the report in the form that the flags ask for, with the roofline of this machine."""
    roofline, note = process_roofline(paths.cache_dir())
    report.roofline = asdict(roofline)
    report.notes += [f"roofline: {line}" for line in [*roofline.lines(), note] if line]
    print_report(table(report), as_json=args.json)
    if args.plot:
        Path(args.plot).write_text(plot_report(report), encoding="utf-8")
    if args.json:
        print(json.dumps(report.as_dict()))
    missed = any(not bar.ok for bar in report.bars)
    return int(ExitCode.NOTHING) if args.check and missed else int(ExitCode.DONE)


# Measuring


@dataclass(frozen=True, slots=True)
class Spread:
    """Median, quartiles and count of repeated measurements."""

    median: float
    low: float
    high: float
    runs: int

    @staticmethod
    def of(values: Sequence[float]) -> Spread:
        ordered = sorted(values)
        return Spread(
            statistics.median(ordered), percentile(ordered, 25), percentile(ordered, 75), len(ordered)
        )

    def as_dict(self, digits: int = 4) -> dict[str, Any]:
        return {
            "median": round(self.median, digits),
            "q1": round(self.low, digits),
            "q3": round(self.high, digits),
        }


def percentile(values: Sequence[float], percent: float) -> float:
    """Linear between the neighbours; of one value, that value."""
    if not values:
        raise ValueError("no values")
    return float(np.percentile(values, percent))


def rounded_percentile(values: Sequence[float], percent: float, digits: int = 1) -> float | None:
    """For rows and bars: None where nothing was measured."""
    return round(percentile(values, percent), digits) if values else None


def paired(
    contenders: Mapping[str, Callable[[], float]],
    *,
    rounds: int,
    deadline: float | None = None,
    clock: Clock = time.monotonic,
) -> dict[str, list[float]]:
    """Let the contenders run in turn, A B A B …, so that what slows the machine slows them all.

    Each call returns its own measurement. At least one round is run; a further one starts only while
    the longest round so far still fits before `deadline`.
    """
    found: dict[str, list[float]] = {name: [] for name in contenders}
    longest = 0.0
    for number in range(rounds):
        begin = clock()
        if number and deadline is not None and begin + longest > deadline:
            break
        # Every other round runs backwards, so that none always follows the same neighbour.
        for name in list(contenders)[:: -1 if number % 2 else 1]:
            found[name].append(contenders[name]())
        longest = max(longest, clock() - begin)
    return found


def ratios(numerator: Sequence[float], denominator: Sequence[float]) -> Spread:
    """The ratio within each round, then its spread: noise that hits a whole round cancels."""
    return Spread.of([a / b for a, b in zip(numerator, denominator, strict=True) if b > 0])


# Saying


def machine() -> dict[str, Any]:
    """Facts that a figure means nothing without. No name of the machine or its owner."""
    return {
        "cpu": cpu_name(),
        "cores": core_count(),
        "load": round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None,
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "spark": __version__,
        "openblas": {key: value for key, value in sorted(os.environ.items()) if key.startswith("OPENBLAS_")},
    }


def table(report: Report) -> str:
    """Rows, then bars, then notes, in columns."""
    facts = machine()
    lines = [f"spark bench {report.bench}   {facts['cpu']}, {facts['cores']} cores, load {facts['load']}", ""]
    if facts["openblas"]:
        # The engine never overrides a person's own choice of kernels, so the figures are of that choice.
        set_ones = ", ".join(f"{key}={value}" for key, value in facts["openblas"].items())
        lines[1:1] = [f"set in the environment and used: {set_ones}"]
    names = list(dict.fromkeys(key for row in report.rows for key in row))
    if names:
        lines += columns([names, *([_cell(row.get(key)) for key in names] for row in report.rows)])
        lines.append("")
    if report.bars:
        lines += columns(
            [
                ["", "bar", "value", "target"],
                *(
                    [
                        "✓" if bar.ok else "✗",
                        bar.name,
                        "not measured" if bar.value is None else _cell(bar.value),
                        f"{'≥' if bar.better == 'higher' else '≤'} {_cell(bar.target)}",
                    ]
                    for bar in report.bars
                ),
            ]
        )
        lines.append("")
    return "\n".join([*lines, *report.notes]).rstrip() + "\n"


def _cell(value: Any) -> str:
    if isinstance(value, dict) and "median" in value:
        return f"{_cell(value['median'])} ({_cell(value['q1'])}–{_cell(value['q3'])})"
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
    return "" if value is None else str(value)


def plot_report(report: Report) -> str:
    """A panel for each column, a bar for each row: the figure, or its median with its quartiles."""
    panels: dict[str, list[BarLine]] = {}
    for row in report.rows:
        group = str(row.get("contender", ""))
        label = " ".join(str(value) for value in row.values() if isinstance(value, (str, int)))
        for unit, value in row.items():
            if isinstance(value, dict) and "median" in value:
                spread = (value["median"], group, value["q1"], value["q3"])
                panels.setdefault(unit, []).append(BarLine(label, *spread))
            elif isinstance(value, float):
                panels.setdefault(unit, []).append(BarLine(label, value, group))
    facts = machine()
    place = f"{facts['cpu']}, {facts['cores']} cores, load {facts['load']}; medians, whiskers: quartiles"
    title = f"spark bench {report.bench}"
    return bars(title, [BarPanel(unit, lines) for unit, lines in panels.items()], place)
