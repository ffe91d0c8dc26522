"""The plot of a bench's report: bars of the figures that have a spread."""

from __future__ import annotations

from spark_tui.bench.measuring.reporting import Report, machine
from spark_tui.mesh.svg_plot import BarLine, BarPanel, bars


def spread_line(label: str, spread: dict[str, float], group: str = "", mark: float | None = None) -> BarLine:
    """A bar of a median with its quartiles."""
    return BarLine(label, float(spread["median"]), group, float(spread["q1"]), float(spread["q3"]), mark)


def plot_report(report: Report) -> str:
    """Any report: a panel for each unit of its rows, a bar for each figure that has a spread."""
    panels: dict[str, list[BarLine]] = {}
    for row in report.rows:
        group = str(row.get("contender", ""))
        label = " ".join(str(value) for value in row.values() if isinstance(value, (str, int)))
        for unit, value in row.items():
            if isinstance(value, dict) and "median" in value:
                panels.setdefault(unit, []).append(spread_line(label, value, group))
    return bars(
        f"spark bench {report.bench}", [BarPanel(unit, lines) for unit, lines in panels.items()], plot_place()
    )


def plot_place() -> str:
    """The machine in a line, as figures mean nothing without it."""
    facts = machine()
    return f"{facts['cpu']}, {facts['cores']} cores, load {facts['load']}; medians, whiskers: quartiles"
