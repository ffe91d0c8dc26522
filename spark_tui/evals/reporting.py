"""Report an evaluation: a table, one JSON object, an SVG."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from typing import Any

from spark_tui import __version__
from spark_tui.bars import columns
from spark_tui.engine.runtime.machine import core_count
from spark_tui.evals import scoring
from spark_tui.evals.scoring import Score
from spark_tui.mesh.svg_plot import BarLine, BarPanel, bars


def summary(suite: str, model: str, scores: Sequence[Score]) -> dict[str, Any]:
    """The one object that benches and evaluations share."""
    return {
        "bench": f"eval {suite}",
        "model": model,
        "machine": {
            "cores": core_count(),
            "system": f"{platform.system()} {platform.machine()}",
            "python": platform.python_version(),
            "spark": __version__,
        },
        "bars": scoring.builtin_bars(scores) if suite == "builtin" else [],
        "rows": scoring.rows(scores),
        "seconds": scoring.seconds(scores),
        "calibration": scoring.calibration(scores),
    }


def _cell(value: Any) -> str:
    if value is None:
        return "-"
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def table(report: dict[str, Any]) -> str:
    """Rows, bars and seconds in columns."""
    lines = [f"spark {report['bench']}   {report['model']}", ""]
    names = list(report["rows"][0]) if report["rows"] else []
    cells = [names, *([_cell(line[key]) for key in names] for line in report["rows"])]
    if names:
        lines += [*columns(cells), ""]
    marks = []
    for bar in report["bars"]:
        sign = "≥" if bar["better"] == "higher" else "≤"
        marks.append(
            [" ok " if bar["ok"] else "miss", bar["name"], _cell(bar["value"]), f"{sign} {bar['target']}"]
        )
    lines += [*columns(marks), ""] if marks else []
    lines.append("  ".join(f"{name} {value:.3f} s" for name, value in report["seconds"].items()))
    return "\n".join(lines) + "\n"


def plot(report: dict[str, Any]) -> str:
    """A bar for each row: the share that is right."""
    lines = [
        BarLine(f"{line['group']} ({line['cases']})", 100 * (line["right"] or 0.0)) for line in report["rows"]
    ]
    return bars(f"{report['bench']}: {report['model']}", [BarPanel("% right", lines)])


def details(score: Score) -> dict[str, Any]:
    """Everything about a case, for reading failures."""
    answer = score.answer
    return {
        "id": score.case.id,
        "right": score.right,
        "exact": score.exact,
        "verdict": answer.verdict,
        "hunks": answer.hunks,
        "marked": answer.marked,
        "by": answer.by,
        "offered": score.offered,
        "calls": answer.calls,
        "misfits": answer.misfits,
        "confidence": round(answer.confidence, 4),
        "prefill_s": round(answer.prefill_s, 4),
        "generation_s": round(answer.generation_s, 4),
        "check_s": round(score.check_s, 3),
        "reason": score.reason or answer.error,
        "instruction": score.case.instruction,
        "before": score.case.before,
        "after": answer.after,
        "wanted": score.case.after,
    }
