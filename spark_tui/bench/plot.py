"""Bars as an SVG, without a plotting library.

Comes in: labelled values with their spread. Goes out: an SVG text that reads on light and dark. Must not know: benches.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from spark_tui.bench.common import Report

_ROW, _LEFT, _RIGHT, _WIDTH, _TOP = 26, 250, 150, 860, 54
_COLOURS = ("#4c8dff", "#e0873a", "#38a169", "#b565d9", "#c0504d", "#6b7a8f")


@dataclass(frozen=True, slots=True)
class Line:
    """One bar: `group` decides its colour, `low` and `high` its whiskers, `mark` a target drawn across it."""

    label: str
    value: float
    group: str = ""
    low: float | None = None
    high: float | None = None
    mark: float | None = None


def bars(title: str, unit: str, lines: Sequence[Line]) -> str:
    """A horizontal bar for each line, longest value across the whole width."""
    top = max(
        [line.value for line in lines] + [line.mark or 0 for line in lines] + [line.high or 0 for line in lines] + [0]
    )
    scale = (_WIDTH - _LEFT - _RIGHT) / top if top > 0 else 0.0
    groups = list(dict.fromkeys(line.group for line in lines))
    height = _TOP + _ROW * len(lines) + 20
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" font-family="sans-serif" '
        'font-size="13">',
        f'<rect width="{_WIDTH}" height="{height}" fill="#ffffff"/>',
        f'<text x="16" y="26" font-size="16" fill="#1d2733">{escape(title)}</text>',
        f'<text x="16" y="44" fill="#5a6675">{escape(unit)}</text>',
    ]
    for number, line in enumerate(lines):
        y = _TOP + number * _ROW
        middle = y + _ROW / 2
        colour = _COLOURS[groups.index(line.group) % len(_COLOURS)]
        out.append(
            f'<text x="{_LEFT - 10}" y="{middle + 4:.1f}" text-anchor="end" fill="#1d2733">{escape(line.label)}</text>'
        )
        out.append(
            f'<rect x="{_LEFT}" y="{y + 4}" width="{max(line.value, 0) * scale:.1f}" '
            f'height="{_ROW - 8}" fill="{colour}"/>'
        )
        if line.low is not None and line.high is not None:
            low, high = _LEFT + line.low * scale, _LEFT + line.high * scale
            out.append(f'<path d="M{low:.1f} {middle:.1f}H{high:.1f}" stroke="#1d2733"/>')
        if line.mark is not None:
            x = _LEFT + line.mark * scale
            out.append(f'<path d="M{x:.1f} {y + 1}V{y + _ROW - 1}" stroke="#1d2733" stroke-dasharray="3 2"/>')
        end = _LEFT + max(line.value, line.high or 0, line.mark or 0) * scale + 8
        shown = f"{line.value:,.0f}" if abs(line.value) >= 100 else f"{line.value:.3g}"
        out.append(f'<text x="{end:.1f}" y="{middle + 4:.1f}" fill="#1d2733">{shown}</text>')
    out.append("</svg>")
    return "\n".join(out) + "\n"


def of_report(report: Report) -> str:
    """The rows of a report: one bar for each, of its first figure that has a spread, grouped by contender."""
    lines: list[Line] = []
    unit = ""
    for row in report.rows:
        key = next((key for key, value in row.items() if isinstance(value, dict) and "median" in value), None)
        if key is None:
            continue
        unit = unit or key
        if key != unit:
            continue
        group = str(row.get("contender", row.get("what", "")))
        label = " ".join(str(value) for value in row.values() if isinstance(value, (str, int)))
        spread = row[key]
        lines.append(Line(label, float(spread["median"]), group, float(spread["q1"]), float(spread["q3"])))
    return bars(f"spark bench {report.bench}", unit, lines)
