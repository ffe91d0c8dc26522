"""The report of `spark wafer validate` as text: rows, fit and bars."""

from __future__ import annotations

from typing import Any


def validate_text(report: dict[str, Any]) -> str:
    """The table for people: unfitted next to fitted values, the constants, the omitted rows, the bars."""
    return "\n".join([*rows_text(report), "", *fit_text(report), "", *bars_text(report)])


def rows_text(report: dict[str, Any]) -> list[str]:
    head = f"{'table':<12} {'row':<44} {'published':>12} {'predicted':>12} {'error':>8} {'unfitted':>9}  use"
    lines = [head, "-" * len(head)]
    for row in report["rows"]:
        lines.append(
            f"{row['table']:<12} {row_name(row):<44} {_figure(row['published']):>12}"
            f" {_figure(row['predicted']):>12} {_percent(row['error_pct']):>8}"
            f" {_percent(row['unfitted_error_pct']):>9}  {row['use']}"
        )
        if row["predicted"] is None:
            lines.append(f"{'':<12} {row['why_not']}")
    return lines


def fit_text(report: dict[str, Any]) -> list[str]:
    lines = ["fitted constants, fitted to:", *(f"  {source}" for source in report["fitted_to"]), "they are:"]
    for constant in report["constants"]:
        lines.append(f"  {constant['name']}: {constant['meaning']}")
        lines.append(f"    {constant['value']:g} {constant['unit']} (unfitted: {constant['unfitted']:g})")
    lines += ["", "floor of a layer on a GPU, solved from one row each:"]
    lines += [
        f"  {item['gpu']}: {1e6 * item['seconds']:.0f} µs ({item['solved_from']})"
        for item in report["layer_floors"]
    ]
    lines += ["", "each fitted row, predicted from the others:"]
    lines += [
        f"  {row['table']:<8} {row_name(row):<44} {_percent(row['error_pct']):>8}"
        for row in report["leave_one_out"]
    ]
    return lines


def bars_text(report: dict[str, Any]) -> list[str]:
    lines = ["bars"]
    for bar in report["bars"]:
        sign = "≤" if bar["better"] == "lower" else "≥"
        lines.append(
            f"  {'ok    ' if bar['ok'] else 'MISSED'} {bar['name']}: {bar['value']:.3g} {sign}"
            f" {bar['target']:g}"
        )
    return lines


def row_name(row: dict[str, Any]) -> str:
    parts = [
        str(row.get(key) or "") for key in ("model", "gpu", "config", "workload", "system", "phase", "method")
    ]
    for key, form in (
        ("mesh_P", "{}²"),
        ("prefill_mesh_P", "{}²"),
        ("decode_mesh_P", "{}²"),
        ("prompt_tokens", "prompt {}"),
        ("input_tokens", "in {}"),
        ("output_tokens", "out {}"),
        ("num_gpus", "× {}"),
        ("gpus", "× {}"),
        ("tp", "× {}"),
        ("gemv_N", "N {}"),
    ):
        if row.get(key):
            parts.append(form.format(row[key]))
    return " ".join(part for part in parts if part)[:44]


def _figure(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:,.1f}" if abs(value) >= 10 else f"{value:.5f}"


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{value:+.1f} %"
