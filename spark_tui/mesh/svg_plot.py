"""Two plain plots as SVG text: lines over a measured axis, and bars with their values. Every command that
draws uses them.

No library, no clock: the same numbers make the same bytes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

WIDTH, PANEL = 720, 300
LEFT, RIGHT = 84, 24
COLOURS = ("#2563a8", "#b4561c", "#3c7a3c", "#7a3c78")
DASHES = ("", "7 4", "2 4", "9 3 2 3")
_MOST_TICKS = 12
_MOST_DOTS = 60
_BAR_WIDTH, _BAR_RIGHT, _TOP, _ROW, _HEAD, _GAP = 860, 120, 74, 24, 50, 12
_BAR_COLOURS = (
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
class Series:
    """One line: its name and its points. Dots alone where they are not `joined`."""

    name: str
    points: tuple[tuple[float, float], ...]
    joined: bool = True


@dataclass(frozen=True, slots=True)
class AxesPanel:
    """One pair of axes: what is counted upwards, and the lines."""

    y_label: str
    series: tuple[Series, ...]


@dataclass(frozen=True, slots=True)
class BarLine:
    """One bar: `group` decides its colour, `low` and `high` its whiskers."""

    label: str
    value: float
    group: str = ""
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class BarPanel:
    """Bars of one unit, on one scale from zero."""

    title: str
    lines: Sequence[BarLine]


def lines(title: str, x_label: str, panels: Sequence[AxesPanel]) -> str:
    """Line charts from zero upwards, one below the other over the same x axis. Lines differ by dash, not by
    colour alone."""
    xs = sorted({x for panel in panels for line in panel.series for x, _ in line.points}) or [0.0, 1.0]
    height = 44 + PANEL * max(len(panels), 1)
    out = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}"'
            f' height="{height}" font-family="sans-serif" font-size="13" role="img"'
            f' aria-label="{escape(title)}">'
        ),
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
        f'<text x="{LEFT}" y="26" font-size="16" fill="#222222">{escape(title)}</text>',
    ]
    for index, panel in enumerate(panels):
        out += _axes(panel, xs, x_label, 44 + PANEL * index)
    return "\n".join([*out, "</svg>"]) + "\n"


def _axes(panel: AxesPanel, xs: list[float], x_label: str, top: int) -> list[str]:
    ys = [y for line in panel.series for _, y in line.points] or [0.0, 1.0]
    y_ticks = _ticks(0.0, max(ys) or 1.0)
    x_low, x_high, y_high = xs[0], xs[-1], y_ticks[-1]
    wide, tall, upper = WIDTH - LEFT - RIGHT, PANEL - 90, top + 28

    def at(x: float, y: float) -> tuple[float, float]:
        across = (x - x_low) / (x_high - x_low) if x_high > x_low else 0.5
        return round(LEFT + across * wide, 1), round(upper + (1 - y / y_high) * tall, 1)

    out = [f'<text x="{LEFT}" y="{top + 14}" fill="#222222">{escape(panel.y_label)}</text>']
    for tick in y_ticks:
        _, y = at(x_low, tick)
        out.append(f'<line x1="{LEFT}" y1="{y}" x2="{WIDTH - RIGHT}" y2="{y}" stroke="#dddddd"/>')
        out.append(
            f'<text x="{LEFT - 8}" y="{y + 4}" text-anchor="end" fill="#444444">{_number(tick)}</text>'
        )
    rounds = [tick for tick in _ticks(x_low, x_high) if x_low <= tick <= x_high]
    for x_value in xs if len(xs) <= _MOST_TICKS else rounds:
        x, y = at(x_value, 0.0)
        out.append(
            f'<text x="{x}" y="{y + 18}" text-anchor="middle" fill="#444444">{_number(x_value)}</text>'
        )
    middle, below = LEFT + wide / 2, upper + tall + 38
    out.append(f'<text x="{middle}" y="{below}" text-anchor="middle" fill="#222222">{escape(x_label)}</text>')
    for index, line in enumerate(panel.series):
        colour, dash = COLOURS[index % 4], DASHES[index % 4]
        places = [(at(*point), point[1]) for point in line.points]
        path = " ".join(f"{x},{y}" for (x, y), _ in places)
        if line.joined:
            out.append(
                f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"'
                f' stroke-dasharray="{dash}"/>'
            )
        for (x, y), value in places if len(places) <= _MOST_DOTS or not line.joined else ():
            note = f"<title>{escape(line.name)}: {_number(value)}</title>"
            out.append(f'<circle cx="{x}" cy="{y}" r="3.5" fill="{colour}">{note}</circle>')
        if places:
            (x, y), _ = places[-1]
            out.append(
                f'<text x="{x - 6}" y="{y - 9}" text-anchor="end" fill="{colour}">{escape(line.name)}</text>'
            )
    return out


def bars(title: str, panels: Sequence[BarPanel], note: str = "") -> str:
    """Horizontal bars from zero, the panels below each other, the groups of all in the same colours."""
    panels = [panel for panel in panels if panel.lines]
    groups = list(dict.fromkeys(line.group for panel in panels for line in panel.lines if line.group))
    colours = {group: _BAR_COLOURS[at % len(_BAR_COLOURS)] for at, group in enumerate(groups)}
    legend, rows = _legend(colours)
    longest = max((len(line.label) for panel in panels for line in panel.lines), default=0)
    left = min(max(120, int(7.8 * longest) + 20), 400)
    body: list[str] = []
    y = _TOP + _LEGEND_ROW * (rows - 1)
    for panel in panels:
        body += _bars(panel, y, left, colours)
        y += _HEAD + _ROW * len(panel.lines) + _GAP
    height = y + 14
    out = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_BAR_WIDTH} {height}"'
            f' width="{_BAR_WIDTH}" height="{height}" font-family="sans-serif" font-size="13">'
        ),
        f'<rect width="{_BAR_WIDTH}" height="{height}" fill="#ffffff"/>',
        _text(16, 28, title, size=18),
        _text(16, 48, note, fill=_SOFT, size=11),
        *legend,
        *body,
        "</svg>",
    ]
    return "\n".join(out) + "\n"


def _bars(panel: BarPanel, y: int, left: int, colours: dict[str, str]) -> list[str]:
    top = max(value for line in panel.lines for value in (line.value, line.high or 0.0, 0.0))
    scale = (_BAR_WIDTH - left - _BAR_RIGHT) / top if top > 0 else 0.0
    first, last = y + _HEAD - 4, y + _HEAD + _ROW * len(panel.lines)
    out = [_text(16, y + 22, panel.title, size=14)]
    for tick in _ticks(0.0, top, 8) if top > 0 else ():
        x = left + tick * scale
        if tick > top:
            break
        out.append(f'<path d="M{x:.1f} {first}V{last}" stroke="{_GRID}"/>')
        out.append(_text(x, first - 4, _number(tick), fill=_SOFT, size=10, anchor="middle"))
    for number, line in enumerate(panel.lines):
        out += _bar(line, y + _HEAD + number * _ROW, left, scale, colours.get(line.group, _BAR_COLOURS[0]))
    return out


def _bar(line: BarLine, y: int, left: int, scale: float, colour: str) -> list[str]:
    middle, width = y + _ROW / 2, max(line.value, 0.0) * scale
    out = [
        _text(left - 10, middle + 4, line.label, anchor="end"),
        (
            f'<rect x="{left}" y="{y + 4}" width="{max(width, 1.0):.1f}" height="{_ROW - 8}" rx="2"'
            f' fill="{colour}"/>'
        ),
    ]
    if line.low is not None and line.high is not None and line.high > line.low:
        low, high = left + line.low * scale, left + line.high * scale
        ends = "".join(f"M{x:.1f} {middle - 4:.1f}V{middle + 4:.1f}" for x in (low, high))
        out.append(f'<path d="M{low:.1f} {middle:.1f}H{high:.1f}{ends}" stroke="{_INK}" fill="none"/>')
    end = left + max(line.value, line.high or 0.0) * scale
    out.append(_text(end + 8, middle + 4, _number(line.value)))
    return out


def _legend(colours: dict[str, str]) -> tuple[list[str], int]:
    """A square and a name for each group, in as many rows as they need."""
    out, x, row = list[str](), 16.0, 0
    for group, colour in colours.items():
        width = 36 + 7.5 * len(group)
        if x + width > _BAR_WIDTH and x > 16:
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


def _ticks(low: float, high: float, wanted: int = 5) -> list[float]:
    """Round steps that cover the range."""
    span = max(high - low, 1e-12)
    power = 10.0 ** math.floor(math.log10(span / wanted))
    step = next(power * factor for factor in (1, 2, 2.5, 5, 10) if span / (power * factor) <= wanted)
    first = math.floor(low / step)
    return [round(step * index, 12) for index in range(first, math.ceil(high / step) + 1)]


def _number(value: float) -> str:
    return f"{value:,.0f}" if value == 0 or abs(value) >= 100 else f"{value:.3g}"
