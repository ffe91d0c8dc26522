"""Accepting single lines of a hunk: computes the new side when some of its lines are left out."""

from __future__ import annotations

from dataclasses import dataclass, field

from spark_tui.edits import hunk as hunks
from spark_tui.edits.hunk import Hunk

Line = tuple[str, int]
"""`("-", line of the file)` or `("+", line of the new side)`, both 1-based."""


@dataclass(slots=True)
class LineSelection:
    """Which lines of one hunk are left out."""

    hunk_id: int
    out: set[Line] = field(default_factory=set)

    def toggle(self, line: Line) -> None:
        self.out ^= {line}


def new_side(hunk: Hunk, choice: LineSelection) -> list[str]:
    """An old line that is left out stays, a new one that is left out does not come."""
    rows = hunks.rows(hunk)
    picked = [at for at, row in enumerate(rows) if row.sign != " " and (row.sign, row.line) not in choice.out]
    chosen = hunks.select(hunk, picked)
    head = hunk.old_lines[: chosen.old_start - hunk.old_start]
    tail = hunk.old_lines[chosen.old_end - hunk.old_start :]
    return [*head, *chosen.new_lines, *tail]
