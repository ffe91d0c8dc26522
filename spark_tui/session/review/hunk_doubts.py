"""The current doubts about hunks, from the events of a session."""

from __future__ import annotations

from spark_tui import events
from spark_tui.events import Event


class HunkDoubts:
    """A new check replaces the findings of the previous one about the same hunks; a model's own doubts
    stay."""

    def __init__(self) -> None:
        self._of: dict[int, tuple[events.Doubt, ...]] = {}

    def note(self, event: Event) -> None:
        """Take in an event; only `Doubt` and `Checked` mean anything."""
        if isinstance(event, events.Doubt):
            self._of[event.hunk_id] = (*self.of(event.hunk_id), event)
        elif isinstance(event, events.Checked):
            for hunk_id in event.hunks:
                self._of[hunk_id] = tuple(doubt for doubt in self.of(hunk_id) if not doubt.path)

    def of(self, hunk_id: int) -> tuple[events.Doubt, ...]:
        """The doubts about a hunk, in the order of their coming."""
        return self._of.get(hunk_id, ())

    def is_part(self, hunk_id: int) -> bool:
        """Whether a hunk belongs to an edit that does only a part of what was asked for."""
        return any(doubt.part for doubt in self.of(hunk_id))

    def reason(self, hunk_id: int) -> str:
        """Why a hunk is doubted, in one sentence; empty if it is not. A place that breaks has priority."""
        doubts = self.of(hunk_id)
        places = [doubt for doubt in doubts if doubt.path]
        first = next(iter([*places, *doubts]), None)
        if first is None:
            return ""
        more = len(places) - 1
        return first.reason + (f" (and {more} more)" if more > 0 else "")
