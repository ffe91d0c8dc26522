"""Places of the text before an edit in the text after it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from spark_tui.codemods.plan import Edit
from spark_tui.next_edit.changes import Change


class Shift:
    """Moves offsets of a file over the changes that were made in it."""

    def __init__(self, changes: Sequence[Change]) -> None:
        self._spans = sorted((one.span_before, one.span_after) for one in changes)
        self._starts = [before[0] for before, _ in self._spans]

    def moved(self, edit: Edit) -> Edit | None:
        """The edit in the text after; None where it meets a change."""
        at = bisect_right(self._starts, edit.end)
        shift = 0
        for before, after in self._spans[:at]:
            if before[1] <= edit.start and before != (edit.start, edit.end):
                shift = after[1] - before[1]
            elif before[0] < edit.end or before == (edit.start, edit.end):
                return None
        return Edit(edit.path, edit.start + shift, edit.end + shift, edit.new)
