"""Draws the loss curve of a run as SVG: `history.jsonl` becomes `loss.svg`."""

from __future__ import annotations

import json
from pathlib import Path

from spark_tui.mesh.svg_plot import AxesPanel, Series, lines


def read_history(folder: Path) -> list[dict[str, float]]:
    path = folder / "history.jsonl"
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def save_curve(folder: Path) -> None:
    """Loss, and the share of target tokens that are right, over millions of tokens read."""
    history = read_history(folder)
    if not history:
        return

    def panel(label: str, name: str, scale: float = 1.0) -> AxesPanel:
        points = tuple((row["tokens"] / 1e6, scale * row[name]) for row in history)
        return AxesPanel(label, (Series(name, points),))

    panels = [panel("loss", "loss"), panel("target tokens right, %", "right", 100.0)]
    (folder / "loss.svg").write_text(lines("Training", "tokens read, million", panels), "utf-8")
