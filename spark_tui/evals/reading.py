"""Shows the report of the reader's evaluation."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from spark_tui.intent.reading.evaluation import FIRST, ReadingScore

CASES = Path(__file__).with_name("reader.jsonl.gz")


def table(report: Mapping[str, Any]) -> str:
    """The voices, languages, calibration and bars as text."""
    lines = [f"{'':24} cases  intent  first five  slots  intent and slots"]
    named = [("all", report["all"]), ("several instructions", report["several_orders"])]
    for name, row in [*named, *((row["name"], row) for row in (*report["voices"], *report["languages"]))]:
        if row:
            shares = [f"{100 * row[key]:.1f} %" for key in ("intent", "first_five", "slots", "right")]
            lines.append(
                f"{name:24} {row['cases']:5} {shares[0]:>7} {shares[1]:>11} {shares[2]:>6} {shares[3]:>17}"
            )
    lines.append("")
    for row in report["calibration"]:
        predicted, right = f"predicted {100 * row['probability']:.0f} %", f"right {100 * row['right']:.0f} %"
        lines.append(
            f"probability {row['from']:.1f} to {row['to']:.1f}: {row['cases']:5} cases, {predicted}, {right}"
        )
    lines.append("")
    for bar in report["bars"]:
        mark = " ok " if bar["ok"] else "miss"
        lines.append(f"{mark} {bar['name']}: {100 * bar['value']:.1f} % (bar {100 * bar['target']:.0f} %)")
    return "\n".join(lines) + "\n"


def details(score: ReadingScore) -> dict[str, Any]:
    """What was wanted, and the first readings."""
    read = [
        [
            {
                "intent": reading.intent,
                "probability": round(reading.probability, 4),
                "slots": {slot: [span.text for span in spans] for slot, spans in reading.slots.items()},
                "left_out": [span.text for span in reading.left_out],
                "everywhere": reading.everywhere,
            }
            for reading in order.readings[:FIRST]
        ]
        for order in score.orders
    ]
    wanted = [
        {"intent": order.intent, "slots": dict(order.slots), "left_out": order.left_out}
        for order in score.case.orders
    ]
    return {
        "voice": score.case.voice,
        "text": score.case.text,
        "intent": score.intent,
        "slots": score.slots,
        "wanted": wanted,
        "read": read,
    }
