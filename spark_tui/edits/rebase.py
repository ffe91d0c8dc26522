"""Find a hunk's place in a text that has changed since the hunk was made, if it still has one.

The rule is that of `merge`, so a hunk that has a place here is one that merges.
"""

from __future__ import annotations

from collections.abc import Sequence

from spark_tui.edits.diff import diff
from spark_tui.edits.merge import clash


class Rebase:
    """From `before` to `after`, both lines of one file."""

    def __init__(self, before: Sequence[str], after: Sequence[str]) -> None:
        self.blocks = diff(before, after)

    def place(self, start: int, count: int) -> tuple[int, bool]:
        """The line (0-based) where `count` lines from `start` are now, and whether a change clashes with
        them. Where one does, the line is that of the nearest one above which stayed."""
        shift = 0
        for a0, a1, b0, b1 in self.blocks:
            if clash((a0, a1, b0, b1), start, start + count):
                return min(start, a0) + shift, True
            if a1 <= start:
                shift += (b1 - b0) - (a1 - a0)
        return start + shift, False

    def back(self, line: int) -> int:
        """The line of the earlier text that a line of the later one was, or the first after what it came in
        for."""
        shift = 0
        for a0, a1, b0, b1 in self.blocks:
            if line < b0:
                break
            if line < b1:
                return min(a0 + line - b0, a1)
            shift += (a1 - a0) - (b1 - b0)
        return line + shift
