"""Bars: targets that benches, evaluations and the validation of the wafer have to reach. Rows in columns."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

Better = Literal["higher", "lower"]


@dataclass(frozen=True, slots=True)
class Bar:
    """One target. A value that could not be measured is None and fails."""

    name: str
    value: float | None
    target: float
    better: Better = "higher"

    @property
    def ok(self) -> bool:
        if self.value is None:
            return False
        return self.value >= self.target if self.better == "higher" else self.value <= self.target

    def as_dict(self) -> dict[str, Any]:
        return {**asdict(self), "ok": self.ok}


def at_most(name: str, value: float | None, target: float) -> Bar:
    """A target for a value that should be low."""
    return Bar(name, value, target, "lower")


def columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """The rows as lines, their cells below each other."""
    widths = [max(len(line[place]) for line in rows) for place in range(len(rows[0]))]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in rows
    ]


def print_report(text: str, *, as_json: bool) -> None:
    """For people: on stdout, except where that is kept for JSON."""
    print(text, file=sys.stderr if as_json else sys.stdout)
