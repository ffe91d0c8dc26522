"""Two plain plots as SVG text: lines over a measured axis, and bars with their values.

Comes in: labels and numbers. Goes out: SVG. Must not know: what they mean. No library, no clock: the same
numbers make the same bytes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

WIDTH, PANEL = 720, 300
LEFT, RIGHT, TOP = 84, 24, 56
COLOURS = ("#2563a8", "#b4561c", "#3c7a3c", "#7a3c78")
DASHES = ("", "7 4", "2 4", "9 3 2 3")


@dataclass(frozen=True, slots=True)
class Series:
    """One line: its name and its points."""

    name: str
    points: tuple[tuple[float, float], ...]


def _head(title: str, height: int) -> list[str]:
    return [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}"'
            f' height="{height}" font-family="sans-serif" font-size="13" role="img"'
            f' aria-label="{escape(title)}">'
        ),
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
        f'<text x="{LEFT}" y="26" font-size="16" fill="#222222">{escape(title)}</text>',
    ]


def _ticks(low: float, high: float, wanted: int = 5) -> list[float]:
    """Round steps that cover the range."""
    span = max(high - low, 1e-12)
    power = 10.0 ** math.floor(math.log10(span / wanted))
    step = next(power * factor for factor in (1, 2, 2.5, 5, 10) if span / (power * factor) <= wanted)
    first = math.floor(low / step)
    return [round(step * index, 12) for index in range(first, math.ceil(high / step) + 1)]


def _number(value: float) -> str:
    if value == 0 or abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"


@dataclass(frozen=True, slots=True)
class AxesPanel:
    """One pair of axes: what is counted upwards, and the lines."""

    y_label: str
    series: tuple[Series, ...]


def lines(title: str, x_label: str, panels: Sequence[AxesPanel]) -> str:
    """Line charts from zero upwards, one below the other over the same x axis. Lines differ by dash, not by
    colour alone."""
    xs = sorted({x for panel in panels for line in panel.series for x, _ in line.points}) or [0.0, 1.0]
    out = _head(title, 44 + PANEL * max(len(panels), 1))
    for index, panel in enumerate(panels):
        out += _panel(panel, xs, x_label, 44 + PANEL * index)
    return "\n".join([*out, "</svg>"]) + "\n"


def _panel(panel: AxesPanel, xs: list[float], x_label: str, top: int) -> list[str]:
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
    for x_value in xs:
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
        out.append(
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"'
            f' stroke-dasharray="{dash}"/>'
        )
        for (x, y), value in places:
            note = f"<title>{escape(line.name)}: {_number(value)}</title>"
            out.append(f'<circle cx="{x}" cy="{y}" r="3.5" fill="{colour}">{note}</circle>')
        if places:
            (x, y), _ = places[-1]
            out.append(
                f'<text x="{x - 6}" y="{y - 9}" text-anchor="end" fill="{colour}">{escape(line.name)}</text>'
            )
    return out


def bars(title: str, unit: str, items: Sequence[tuple[str, float]]) -> str:
    """Horizontal bars from zero, each with its value."""
    row = 34
    longest = max((len(name) for name, _ in items), default=0)
    name_width = min(max(120, int(7.8 * longest) + 20), 400)
    height = TOP + row * max(len(items), 1) + 24
    most = max((value for _, value in items), default=1.0) or 1.0
    wide = WIDTH - name_width - 130
    out = _head(f"{title} ({unit})", height)
    for index, (name, value) in enumerate(items):
        y = TOP + index * row
        length = round(max(value, 0.0) / most * wide, 1)
        out.append(
            f'<text x="{name_width - 8}" y="{y + 17}" text-anchor="end" fill="#222222">{escape(name)}</text>'
        )
        out.append(f'<rect x="{name_width}" y="{y}" width="{length}" height="24" fill="{COLOURS[0]}"/>')
        out.append(f'<text x="{name_width + length + 6}" y="{y + 17}" fill="#222222">{_number(value)}</text>')
    return "\n".join([*out, "</svg>"]) + "\n"
