"""Compare predictions with published rows: errors, bars, and which rows were fitted."""

from __future__ import annotations

import os
import platform
import statistics
from collections.abc import Iterable
from dataclasses import asdict, fields
from typing import Any

import numpy as np

from spark_tui.bars import Bar, at_most
from spark_tui.mesh import calibration, selfcheck
from spark_tui.mesh.estimates import gpu, row_predictors
from spark_tui.mesh.facts import published_tables
from spark_tui.mesh.facts.fitted_constants import FITTED, MEANINGS, UNFITTED, UNITS, Constants

MOST_CONSTANTS = 4
GROUPS = {
    "prefill": "prefill_e2e",
    "e2e": "prefill_e2e",
    "gpu served": "gpu",
    "gpu batch 1": "gpu",
    "gpu facts": "gpu",
    "kv capacity": "kv_capacity",
}
"""Of the kinds of rows that are not a group of their own."""
TARGETS = {
    "decode": {"mean": 5.0, "worst": 10.0},
    "prefill_e2e": {"mean": 10.0, "worst": 20.0},
    "gpu": {"mean": 15.0},
}
"""Per cent. Groups without a target are printed and judged by no bar: what they leave open is in
`docs/wafer.md`."""


def number_in(text: str) -> float | None:
    try:
        value = float(text.replace(",", ""))
    except ValueError:
        return None
    return value if value > 0 else None


def evaluate(kind: str, row: published_tables.Row, constants: Constants) -> dict[str, Any]:
    """The row's own columns with the prediction and its error."""
    predicted, note = row_predictors.try_predict(kind, row, constants)
    bare, _ = row_predictors.try_predict(kind, row, UNFITTED)
    published = number_in(row.get(published_tables.PUBLISHED.get(kind, ""), ""))
    return {
        **row,
        "table": kind,
        "group": _group(kind, row),
        "use": calibration.use_of(kind, row),
        "predicted": predicted,
        "published": published,
        "error_pct": _error(predicted, published),
        "unfitted_predicted": bare,
        "unfitted_error_pct": _error(bare, published),
        "why_not": note,
    }


def _group(kind: str, row: published_tables.Row) -> str:
    return "gpu" if kind == "e2e" and row.get("num_gpus") else GROUPS.get(kind, kind)


def _error(predicted: float | None, published: float | None) -> float | None:
    if predicted is None or published is None:
        return None
    return 100.0 * (predicted / published - 1.0)


def error_bars(rows: Iterable[dict[str, Any]]) -> list[Bar]:
    """Mean and worst absolute error of each group that has a target and a published row. A row that a floor
    was solved from is exact by construction and counts nowhere."""
    rows = [row for row in rows if row["use"] != calibration.SOLVED_BY]
    bars: list[Bar] = []
    for group, targets in TARGETS.items():
        errors = [
            abs(row["error_pct"]) for row in rows if row["group"] == group and row["error_pct"] is not None
        ]
        if not errors:
            continue
        figures = {"mean": statistics.fmean(errors), "worst": max(errors)}
        bars += [
            at_most(f"{group} {name} error, %", figures[name], target) for name, target in targets.items()
        ]
    return bars


def leave_one_out_bars() -> list[Bar]:
    """The same targets for rows that the constants were not fitted to, one at a time."""
    by_group: dict[str, list[float]] = {}
    for kind, row, error in calibration.leave_one_out():
        by_group.setdefault(_group(kind, row), []).append(abs(error))
    return [
        at_most(f"{group} leave-one-out mean error, %", statistics.fmean(errors), TARGETS[group]["mean"])
        for group, errors in by_group.items()
    ]


def held_aside_bar(rows: Iterable[dict[str, Any]]) -> Bar:
    """The GPU rows that nothing was fitted to or solved from."""
    aside = [row for row in rows if row["group"] == "gpu" and row["use"] == calibration.PREDICTED]
    errors = [abs(row["error_pct"]) for row in aside if row["error_pct"] is not None]
    return at_most(
        "gpu mean error of the rows held aside, %", statistics.fmean(errors), TARGETS["gpu"]["mean"]
    )


def machine() -> dict[str, Any]:
    return {
        "system": platform.system(),
        "processor": platform.machine(),
        "cpus": os.cpu_count(),
        "python": platform.python_version(),
        "numpy": np.__version__,
    }


def report(
    found: list[published_tables.PublishedTable] | None = None, *, quick: bool = False
) -> dict[str, Any]:
    """The whole validation: of the packaged tables and (unless `quick`) of the simulator against itself, or
    of a person's rows only."""
    chosen = list(map(published_tables.packaged, published_tables.FILES)) if found is None else found
    rows = [evaluate(table.kind, row, FITTED) for table in chosen for row in table.rows]
    bars = error_bars(rows)
    # There is nowhere else for a fitted number to be.
    bars.append(at_most("fitted constants", float(len(fields(Constants))), float(MOST_CONSTANTS)))
    if found is None:
        bars += [held_aside_bar(rows), *leave_one_out_bars()] + ([] if quick else selfcheck.bars())
    return {
        "bench": "wafer validate",
        "machine": machine(),
        "bars": [bar.as_dict() for bar in bars],
        "rows": rows,
        "constants": [
            {
                "name": name,
                "value": value,
                "unfitted": asdict(UNFITTED)[name],
                "unit": UNITS[name],
                "meaning": MEANINGS[name],
            }
            for name, value in asdict(FITTED).items()
        ],
        "fitted_to": [
            f"{published_tables.FILES[kind]}: {len(published_tables.packaged(kind).rows)} rows"
            for kind in calibration.FITTED_KINDS
        ],
        "layer_floors": [
            {
                "gpu": name,
                "seconds": gpu.GPUS[name].layer_floor_seconds,
                "solved_from": f"{published_tables.packaged(kind).source}, row {at + 1}",
            }
            for name, (kind, at) in gpu.FLOOR_ROWS.items()
        ],
        "leave_one_out": [
            {**row, "table": kind, "error_pct": error} for kind, row, error in calibration.leave_one_out()
        ],
    }
