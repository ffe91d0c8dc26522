"""The report to a model about its edits: where they are, and the actual lines for one that has no place."""

from __future__ import annotations

from spark_tui import events
from spark_tui.edits.review import FIRST_OWN_ID
from spark_tui.errors import ExitCode, SparkError
from spark_tui.events import Event
from spark_tui.tools.bounded_text import count_of, joined, shown_line
from spark_tui.tools.overlay import Overlay
from spark_tui.tools.registry import ToolOutcome

_AROUND = 6
_MOST_TOLD = 12


class EditLog:
    """The events of one call."""

    def __init__(self, overlay: Overlay) -> None:
        self._overlay = overlay
        self._closed: dict[int, events.HunkClosed] = {}
        self._failed: list[events.HunkFailed] = []
        self._same = 0
        self._taken_back: list[int] = []
        """Earlier hunks of the model that went."""

    def note(self, event: Event) -> None:
        if isinstance(event, events.HunkClosed) and not event.partial:
            if event.old_lines or event.new_lines or event.mode or event.kind != "edit":
                self._closed[event.hunk_id] = event
            else:
                self._same += 1
        elif isinstance(event, events.Decided):
            self._taken_back.append(event.hunk_id)
        elif isinstance(event, events.HunkFailed) and event.code != ExitCode.DONE:
            self._failed.append(event)

    @property
    def hunks(self) -> tuple[int, ...]:
        """The ids of those that change something."""
        return tuple(self._closed)

    def outcome(self) -> ToolOutcome:
        """The end of the call."""
        lines = [self._told(item) for item in self._failed[:_MOST_TOLD]]
        hunks = list(self._closed.values())
        paths = list(dict.fromkeys(hunk.path for hunk in hunks))
        where = ", ".join(paths[:3]) + (" …" if len(paths) > 3 else "")
        if hunks:
            lines.insert(0, f"proposed {count_of(len(hunks), 'hunk')} in {where}; the person reviews them")
        elif self._taken_back and not self._failed:
            lines.append("done: your earlier edit is taken back, and the file is as it was there")
        elif self._same and not self._failed:
            lines.append("nothing changes: the text is there already")
        elif not self._failed:
            lines.append("there was nothing to change")
        added = sum(len(hunk.new_lines) for hunk in hunks)
        removed = sum(len(hunk.old_lines) for hunk in hunks)
        summary = (
            f"{where} +{added} −{removed}{self._replaced}"
            if hunks
            else "taken back"
            if self._taken_back
            else "nothing changes"
        )
        if self._failed:
            summary = f"does not fit: {self._failed[0].path or 'no path'}"
        return ToolOutcome("\n".join(lines), summary, bool(self._failed))

    @property
    def _replaced(self) -> str:
        """Which hunks are not to be written any more; parts of hunks have no number that people know."""
        known = [str(one) for one in self._taken_back if one < FIRST_OWN_ID]
        return f", replaces hunk{'s' if len(known) > 1 else ''} {', '.join(known)}" if known else ""

    def _told(self, hunk_failed: events.HunkFailed) -> str:
        words = [f"{shown_line(hunk_failed.path) or 'the edit'}: {shown_line(hunk_failed.message)}"]
        if hunk_failed.expected or hunk_failed.found:
            words += [
                f"you quoted:   {shown_line(hunk_failed.expected)}",
                f"the file has: {shown_line(hunk_failed.found)}",
            ]
        if hunk_failed.candidates:
            words.append("similar lines: " + ", ".join(map(str, hunk_failed.candidates[:8])))
        near = hunk_failed.line or (hunk_failed.candidates[0] if hunk_failed.candidates else 0)
        return "\n".join([*words, *self._lines(hunk_failed.path, near)])

    def _lines(self, path: str, near: int) -> list[str]:
        """The lines of the file around one of them."""
        try:
            lines = self._overlay.lines(path) if path and near else None
        except SparkError:
            return []
        if not lines:
            return []
        first = max(near - _AROUND, 1)
        numbered = enumerate(lines[first - 1 : near + 2 * _AROUND], first)
        return ["the lines there are:", joined(f"{n}\t{shown_line(line)}" for n, line in numbered)[0]]
