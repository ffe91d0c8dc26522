"""Fit the four constants by least squares of relative errors over the packaged rows.

Cycles are linear in the first three constants, so that fit is one small linear system. The end-to-end row
is not fitted to. The fourth constant only enters the GPU rows; it is found by a scan.
"""

from __future__ import annotations

from dataclasses import fields, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from spark_tui.mesh.estimates import gpu, row_predictors
from spark_tui.mesh.facts import published_tables
from spark_tui.mesh.facts.fitted_constants import UNFITTED, Constants

WAFER_CONSTANTS = ("mapped_issue_cycles", "stage_software_cycles", "gemm_step_cycles")
FITTED_KINDS = ("decode", "prefill", "gpu")
FITTED_BY = "fitted"
SOLVED_BY = "solved"
PREDICTED = "predicted"


def use_of(kind: str, row: published_tables.Row) -> str:
    """What a packaged row was used for: `fitted` (least squares), `solved` (a GPU's floor is read off it, so
    its own error says nothing), or `predicted`."""
    if any(
        kind == table and row == published_tables.packaged(table).rows[at]
        for table, at in gpu.FLOOR_ROWS.values()
    ):
        return SOLVED_BY
    return FITTED_BY if kind in FITTED_KINDS and row in published_tables.packaged(kind).rows else PREDICTED


def _rows(kinds: tuple[str, ...]) -> list[tuple[str, published_tables.Row]]:
    return [(kind, row) for kind in kinds for row in published_tables.packaged(kind).rows]


def _cycles(kind: str, row: published_tables.Row, constants: Constants) -> float:
    """Time, up to a factor that is the row's own."""
    return 1.0 / row_predictors.predict(kind, row, constants)


def _published_time(kind: str, row: published_tables.Row) -> float:
    return 1.0 / float(row[published_tables.PUBLISHED[kind]])


def _wafer_fit(rows: list[tuple[str, published_tables.Row]]) -> Constants:
    zero = replace(UNFITTED, **dict.fromkeys(WAFER_CONSTANTS, 0.0))
    published = np.array([_published_time(kind, row) for kind, row in rows])
    base = np.array([_cycles(kind, row, zero) for kind, row in rows])
    columns = []
    for name in WAFER_CONSTANTS:
        one = replace(zero, **{name: 1.0})
        columns.append(np.array([_cycles(kind, row, one) for kind, row in rows]) - base)
    slopes: NDArray[np.float64] = np.stack(columns, axis=1) / published[:, None]
    found = np.linalg.lstsq(slopes, (published - base) / published, rcond=None)[0]
    return replace(UNFITTED, **dict(zip(WAFER_CONSTANTS, (float(value) for value in found), strict=True)))


def _bus_fit(rows: list[tuple[str, published_tables.Row]]) -> float:
    def loss(bus: float) -> float:
        constants = replace(UNFITTED, gpu_bus_bytes_per_second=bus)
        return float(
            sum((_cycles(kind, row, constants) / _published_time(kind, row) - 1.0) ** 2 for kind, row in rows)
        )

    candidates = [step * 0.1e9 for step in range(50, 1001)]
    return min(candidates, key=loss)


@lru_cache(maxsize=1)
def fit() -> Constants:
    """All rows of the packaged decode, prefill and A100 tables."""
    wafer = _wafer_fit(_rows(("decode", "prefill")))
    return replace(wafer, gpu_bus_bytes_per_second=_bus_fit(_rows(("gpu",))))


def rounded(constants: Constants) -> Constants:
    """Three figures are as many as six rows can say."""
    return Constants(
        **{field.name: float(f"{getattr(constants, field.name):.3g}") for field in fields(Constants)}
    )


@lru_cache(maxsize=1)
def leave_one_out() -> tuple[tuple[str, published_tables.Row, float], ...]:
    """Each fitted row, predicted from the others: (kind, row, error in per cent of the published rate). A row
    that a floor is solved from is left out: the others do not say what the floor is."""
    found = []
    wafer_rows, gpu_rows = _rows(("decode", "prefill")), _rows(("gpu",))
    for index, (kind, row) in enumerate(wafer_rows):
        constants = _wafer_fit(wafer_rows[:index] + wafer_rows[index + 1 :])
        found.append((kind, row, _error(kind, row, constants)))
    for index, (kind, row) in enumerate(gpu_rows):
        if use_of(kind, row) == SOLVED_BY:
            continue
        bus = _bus_fit(gpu_rows[:index] + gpu_rows[index + 1 :])
        found.append((kind, row, _error(kind, row, replace(UNFITTED, gpu_bus_bytes_per_second=bus))))
    return tuple(found)


def _error(kind: str, row: published_tables.Row, constants: Constants) -> float:
    return 100.0 * (row_predictors.predict(kind, row, constants) * _published_time(kind, row) - 1.0)
