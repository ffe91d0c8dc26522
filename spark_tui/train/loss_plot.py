"""Draws the loss curve of a run as SVG: `history.jsonl` becomes `loss.svg`."""

from __future__ import annotations

import json
from pathlib import Path

WIDTH, HEIGHT, MARGIN = 720, 360, 48


def read_history(folder: Path) -> list[dict[str, float]]:
    path = folder / "history.jsonl"
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def _line(points: list[tuple[float, float]], colour: str) -> str:
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polyline fill="none" stroke="{colour}" stroke-width="1.6" points="{path}"/>'


def curve(history: list[dict[str, float]]) -> str:
    """An SVG document: loss (left scale) and share of target tokens right (right scale) over millions of
    tokens."""
    span = max([row["tokens"] for row in history] or [1])
    top = max([row["loss"] for row in history] or [1.0])
    inner_w, inner_h = WIDTH - 2 * MARGIN, HEIGHT - 2 * MARGIN
    at = [MARGIN + inner_w * row["tokens"] / span for row in history]
    loss = [(x, HEIGHT - MARGIN - inner_h * row["loss"] / top) for x, row in zip(at, history, strict=True)]
    right = [(x, HEIGHT - MARGIN - inner_h * row["right"]) for x, row in zip(at, history, strict=True)]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" '
        f'height="{HEIGHT}" font-family="sans-serif" font-size="11">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        f'<path d="M{MARGIN} {MARGIN}V{HEIGHT - MARGIN}H'
        f'{WIDTH - MARGIN}V{MARGIN}" fill="none" stroke="#888"/>',
        _line(loss, "#b03030"),
        _line(right, "#2060b0"),
        f'<text x="{MARGIN}" y="{MARGIN - 10}" fill="#b03030">loss (0 to {top:.2f})</text>',
        f'<text x="{WIDTH - MARGIN}" y="{MARGIN - 10}" text-anchor="end" '
        'fill="#2060b0">target tokens right (0 to 100 %)</text>',
        f'<text x="{WIDTH // 2}" y="{HEIGHT - 12}" text-anchor="middle">tokens '
        f"read (0 to {span / 1e6:.1f} million)</text>",
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def save_curve(folder: Path) -> None:
    history = read_history(folder)
    if history:
        (folder / "loss.svg").write_text(curve(history), "utf-8")
