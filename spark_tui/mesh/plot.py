"""Two plain plots as SVG text: lines over a measured axis, and bars with their values.

Comes in: labels and numbers. Goes out: SVG. Must not know: what they mean. No library, no clock: the same
numbers make the same bytes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT = 720, 420
LEFT, RIGHT, TOP, BOTTOM = 84, 24, 56, 56
COLOURS = ("#2563a8", "#b4561c", "#3c7a3c", "#7a3c78")
DASHES = ("", "7 4", "2 4", "9 3 2 3")


@dataclass(frozen=True, slots=True)
class Series:
    """One line: its name and its points."""

    name: str
    points: tuple[tuple[float, float], ...]


def _head(title: str, height: int = HEIGHT) -> list[str]:
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        f'font-family="sans-serif" font-size="13" role="img" aria-label="{escape(title)}">',
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


def lines(title: str, x_label: str, y_label: str, series: Sequence[Series]) -> str:
    """A line chart from zero upwards. Lines differ by dash and marker, not by colour alone."""
    xs = [x for line in series for x, _ in line.points] or [0.0, 1.0]
    ys = [y for line in series for _, y in line.points] or [0.0, 1.0]
    y_ticks = _ticks(0.0, max(ys) or 1.0)
    x_low, x_high, y_high = min(xs), max(xs), y_ticks[-1]
    wide, tall = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def at(x: float, y: float) -> tuple[float, float]:
        across = (x - x_low) / (x_high - x_low) if x_high > x_low else 0.5
        return round(LEFT + across * wide, 1), round(TOP + (1 - y / y_high) * tall, 1)

    out = _head(title)
    for tick in y_ticks:
        _, y = at(x_low, tick)
        out.append(f'<line x1="{LEFT}" y1="{y}" x2="{WIDTH - RIGHT}" y2="{y}" stroke="#dddddd"/>')
        out.append(f'<text x="{LEFT - 8}" y="{y + 4}" text-anchor="end" fill="#444444">{_number(tick)}</text>')
    for x_value in sorted(set(xs)):
        x, y = at(x_value, 0.0)
        out.append(f'<text x="{x}" y="{y + 18}" text-anchor="middle" fill="#444444">{_number(x_value)}</text>')
    middle = LEFT + wide / 2
    out.append(f'<text x="{middle}" y="{HEIGHT - 14}" text-anchor="middle" fill="#222222">{escape(x_label)}</text>')
    out.append(f'<text x="{LEFT}" y="{TOP - 12}" fill="#222222">{escape(y_label)}</text>')
    for index, line in enumerate(series):
        colour, dash = COLOURS[index % 4], DASHES[index % 4]
        path = " ".join(f"{x},{y}" for x, y in (at(*point) for point in line.points))
        out.append(
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}"/>'
        )
        out += [
            f'<circle cx="{x}" cy="{y}" r="3.5" fill="{colour}"><title>{escape(line.name)}: {_number(point[1])}</title>'
            "</circle>"
            for point in line.points
            for x, y in [at(*point)]
        ]
        if line.points:
            x, y = at(*line.points[-1])
            out.append(f'<text x="{x - 6}" y="{y - 9}" text-anchor="end" fill="{colour}">{escape(line.name)}</text>')
    return "\n".join([*out, "</svg>"]) + "\n"


def bars(title: str, unit: str, items: Sequence[tuple[str, float]]) -> str:
    """Horizontal bars from zero, each with its value."""
    row, name_width = 34, 190
    height = TOP + row * max(len(items), 1) + 24
    most = max((value for _, value in items), default=1.0) or 1.0
    wide = WIDTH - name_width - 130
    out = _head(f"{title} ({unit})", height)
    for index, (name, value) in enumerate(items):
        y = TOP + index * row
        length = round(max(value, 0.0) / most * wide, 1)
        out.append(f'<text x="{name_width - 8}" y="{y + 17}" text-anchor="end" fill="#222222">{escape(name)}</text>')
        out.append(f'<rect x="{name_width}" y="{y}" width="{length}" height="24" fill="{COLOURS[0]}"/>')
        out.append(f'<text x="{name_width + length + 6}" y="{y + 17}" fill="#222222">{_number(value)}</text>')
    return "\n".join([*out, "</svg>"]) + "\n"
