"""The plot of a bench's report: a bar for each measured figure of its rows."""

from __future__ import annotations

from spark_tui.bench.measuring.reporting import Report, machine
from spark_tui.mesh.svg_plot import BarLine, BarPanel, bars


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
