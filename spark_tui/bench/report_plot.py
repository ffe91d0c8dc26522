"""Bars as an SVG, without a plotting library.

Comes in: panels of labelled values with their spread. Goes out: an SVG text on its own light ground. Must not
know: what is measured.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from spark_tui.bench.reporting import Report, machine

_WIDTH, _LEFT, _RIGHT, _TOP, _ROW, _HEAD, _GAP = 860, 250, 120, 74, 24, 50, 12
_COLOURS = (
    "#3b76d6",
    "#d9822b",
    "#2f9e63",
    "#9a5cc4",
    "#bf4a4a",
    "#687486",
    "#1f95a8",
    "#c77bab",
    "#8c7034",
    "#3d4653",
)
_LEGEND_ROW = 18
_INK, _SOFT, _GRID = "#1d2733", "#5a6675", "#e4e8ee"


@dataclass(frozen=True, slots=True)
class BarLine:
    """One bar: `group` decides its colour, `low` and `high` its whiskers, `mark` a target drawn across it."""

    label: str
    value: float
    group: str = ""
    low: float | None = None
    high: float | None = None
    mark: float | None = None


@dataclass(frozen=True, slots=True)
class BarPanel:
    """Bars of one unit, on one scale from zero."""

    title: str
    lines: Sequence[BarLine]


def spread_line(label: str, spread: dict[str, float], group: str = "", mark: float | None = None) -> BarLine:
    """A bar of a median with its quartiles."""
    return BarLine(label, float(spread["median"]), group, float(spread["q1"]), float(spread["q3"]), mark)


def draw(title: str, panels: Sequence[BarPanel], note: str = "") -> str:
    """The panels below each other, the groups of all in the same colours."""
    panels = [panel for panel in panels if panel.lines]
    groups = list(dict.fromkeys(line.group for panel in panels for line in panel.lines if line.group))
    colours = {group: _COLOURS[at % len(_COLOURS)] for at, group in enumerate(groups)}
    legend, rows = _legend(colours)
    body: list[str] = []
    y = _TOP + _LEGEND_ROW * (rows - 1)
    for panel in panels:
        body += _panel(panel, y, colours)
        y += _HEAD + _ROW * len(panel.lines) + _GAP
    height = y + 14
    out = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}"'
            f' height="{height}" font-family="Helvetica, Arial, sans-serif" font-size="13">'
        ),
        f'<rect width="{_WIDTH}" height="{height}" fill="#ffffff"/>',
        _text(16, 28, title, size=18),
        _text(16, 48, note, fill=_SOFT, size=11),
        *legend,
        *body,
        "</svg>",
    ]
    return "\n".join(out) + "\n"


def plot_report(report: Report) -> str:
    """Any report: a panel for each unit of its rows, a bar for each figure that has a spread."""
    panels: dict[str, list[BarLine]] = {}
    for row in report.rows:
        group = str(row.get("contender", ""))
        label = " ".join(str(value) for value in row.values() if isinstance(value, (str, int)))
        for unit, value in row.items():
            if isinstance(value, dict) and "median" in value:
                panels.setdefault(unit, []).append(spread_line(label, value, group))
    return draw(
        f"spark bench {report.bench}", [BarPanel(unit, lines) for unit, lines in panels.items()], plot_place()
    )


def plot_place() -> str:
    """The machine in a line, as figures mean nothing without it."""
    facts = machine()
    return f"{facts['cpu']}, {facts['cores']} cores, load {facts['load']}; medians, whiskers: quartiles"


def _panel(panel: BarPanel, y: int, colours: dict[str, str]) -> list[str]:
    top = max(
        value for line in panel.lines for value in (line.value, line.mark or 0.0, line.high or 0.0, 0.0)
    )
    scale = (_WIDTH - _LEFT - _RIGHT) / top if top > 0 else 0.0
    first, last = y + _HEAD - 4, y + _HEAD + _ROW * len(panel.lines)
    out = [_text(16, y + 22, panel.title, size=14)]
    step = _step(top)
    for number in range(int(top / step) + 1 if step else 0):
        x = _LEFT + number * step * scale
        out.append(f'<path d="M{x:.1f} {first}V{last}" stroke="{_GRID}"/>')
        out.append(_text(x, first - 4, _number(number * step), fill=_SOFT, size=10, anchor="middle"))
    for number, line in enumerate(panel.lines):
        out += _bar(line, y + _HEAD + number * _ROW, scale, colours.get(line.group, _COLOURS[0]))
    return out


def _bar(line: BarLine, y: int, scale: float, colour: str) -> list[str]:
    middle, width = y + _ROW / 2, max(line.value, 0.0) * scale
    out = [
        _text(_LEFT - 10, middle + 4, line.label, anchor="end"),
        (
            f'<rect x="{_LEFT}" y="{y + 4}" width="{max(width, 1.0):.1f}" height="{_ROW - 8}" rx="2"'
            f' fill="{colour}"/>'
        ),
    ]
    if line.low is not None and line.high is not None and line.high > line.low:
        low, high = _LEFT + line.low * scale, _LEFT + line.high * scale
        ends = "".join(f"M{x:.1f} {middle - 4:.1f}V{middle + 4:.1f}" for x in (low, high))
        out.append(f'<path d="M{low:.1f} {middle:.1f}H{high:.1f}{ends}" stroke="{_INK}" fill="none"/>')
    end = _LEFT + max(line.value, line.high or 0.0) * scale
    if line.mark is not None:
        x = _LEFT + line.mark * scale
        out.append(f'<path d="M{x:.1f} {y + 1}V{y + _ROW - 1}" stroke="#c02a2a" stroke-width="2"/>')
        if abs(x - end) < 60:
            end = max(end, x)
    out.append(_text(end + 8, middle + 4, _number(line.value)))
    return out


def _legend(colours: dict[str, str]) -> tuple[list[str], int]:
    """A square and a name for each group, in as many rows as they need."""
    out, x, row = list[str](), 16.0, 0
    for group, colour in colours.items():
        width = 36 + 7.5 * len(group)
        if x + width > _WIDTH and x > 16:
            x, row = 16.0, row + 1
        y = 58 + _LEGEND_ROW * row
        out += [
            f'<rect x="{x:.0f}" y="{y}" width="10" height="10" rx="2" fill="{colour}"/>',
            _text(x + 15, y + 9, group),
        ]
        x += width
    return out, row + 1


def _text(x: float, y: float, text: str, *, fill: str = _INK, size: int = 13, anchor: str = "start") -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" fill="{fill}" font-size="{size}"'
    return f'<text {place} text-anchor="{anchor}">{escape(text)}</text>'


def _step(top: float) -> float:
    """A round distance of grid lines, four to nine of them."""
    if top <= 0:
        return 0.0
    power = 10.0 ** len(str(int(top))) if top >= 1 else 1.0
    while power > top:
        power /= 10
    return next(power * part for part in (0.2, 0.25, 0.5, 1.0, 2.0) if top / (power * part) <= 8)


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
