"""Make hunks of edits that came as data (`structured_edits`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spark_tui.edits.formats.block_openers import replay_patch
from spark_tui.edits.formats.search_replace import SearchReplaceBlock
from spark_tui.edits.hunk_draft import HunkDraft
from spark_tui.edits.paths import file_meant
from spark_tui.edits.places.locate import LineFinder, LineMatch
from spark_tui.edits.places.nearest_match import likelier_line
from spark_tui.edits.snippets.code_placer import UNPLACED, CodePlacer, Fence
from spark_tui.edits.structured.structured_edits import DataEdit
from spark_tui.errors import SparkError
from spark_tui.events import NO_SUCH_FILE, Doubt, Event, HunkClosed

_BY_NUMBER = "its place is known by line numbers alone, and line {} is more like what it writes"


class DataEditWriter:
    def __init__(self, placer: CodePlacer) -> None:
        self.placer = placer
        self.emitter = placer.emitter

    def write(self, edits: Sequence[DataEdit]) -> Iterator[Event]:
        for edit in edits:
            yield from self._one(edit, file_meant(edit.path.strip(), self.emitter.exists))

    def _one(self, edit: DataEdit, path: str) -> Iterator[Event]:
        if edit.patch is not None:
            yield from replay_patch(self.emitter, edit.patch, path)
        elif edit.old is not None and edit.new is not None:
            yield from self._exchange(path, edit.old, edit.new)
        elif edit.lines is not None and edit.new is not None:
            yield from self._numbered(path, edit.lines, edit.new)
        elif edit.snippet is not None:
            yield from self.placer.place(path, _lines(edit.snippet))
        elif edit.content is not None:
            yield from self._whole(path, edit.content)

    def _exchange(self, path: str, old: str, new: str) -> Iterator[Event]:
        path = path or self.placer.holding(_lines(old), self.placer.files_of(Fence("", ())))
        if not path:
            yield self.emitter.fail("", f"{UNPLACED}: its old lines are in no file, or in several")
            return
        quoted, lines = _lines(old), _lines(new)
        file = self._file(path)
        self.placer.note(path)
        if (
            file is not None
            and quoted
            and not isinstance(file.find(quoted, taken=self.emitter.taken(path)), LineMatch)
            and not self.emitter.base.made_since(path, quoted, lines)
        ):
            whole = self._around(path, old, new)
            if whole is not None:
                quoted, lines = whole
        yield from SearchReplaceBlock(self.emitter, path).replace(quoted, lines)

    def _around(self, path: str, old: str, new: str) -> tuple[list[str], list[str]] | None:
        """Whole lines for a text that begins or ends inside a line and occurs once."""
        text = "\n".join(self.placer.view(path).lines)
        if not old or text.count(old) != 1:
            return None
        begin = text.index(old)
        low = text.rfind("\n", 0, begin) + 1
        high = text.find("\n", begin + len(old))
        high = len(text) if high < 0 else high
        after = text[low:begin] + new + text[begin + len(old) : high]
        return text[low:high].split("\n"), after.split("\n")

    def _numbered(self, path: str, lines: tuple[int, int], new: str) -> Iterator[Event]:
        file = self._file(path)
        first, last = lines
        if file is None or self.emitter.conflict(path):
            yield self.emitter.fail(path, self.emitter.conflict(path) or NO_SUCH_FILE)
            return
        if last > len(file.lines) or first < 1:
            message = f"lines {first} to {last} are outside the file, which has {len(file.lines)} lines"
            yield self.emitter.fail(path, message, line=len(file.lines))
            return
        draft = HunkDraft(self.emitter.new_id(), path, first - 1, tuple(file.lines[first - 1 : last]))
        if self.emitter.clashes(draft):
            yield self.emitter.fail(path, "these lines are already changed by an earlier edit", line=first)
            return
        yield from self.emitter.announce(draft, _lines(new))
        likelier = likelier_line(_lines(new), file.lines, first, last)
        for event in self.emitter.close(draft, _lines(new)):
            if likelier and isinstance(event, HunkClosed) and event.changes:
                yield Doubt(event.hunk_id, 0.0, _BY_NUMBER.format(likelier))
            yield event

    def _whole(self, path: str, content: str) -> Iterator[Event]:
        if self._file(path) is None or self.emitter.conflict(path):
            yield from self.placer.place(path, _lines(content))
        else:
            self.placer.note(path)
            yield from self.placer.write(path, _lines(content))

    def _file(self, path: str) -> LineFinder | None:
        try:
            return self.emitter.file(path)
        except SparkError:
            return None


def _lines(text: str) -> list[str]:
    """Without the newline at the end, and without line endings of another system."""
    if not text:
        return []
    lines = text.replace("\r\n", "\n").split("\n")
    return lines[:-1] if lines and not lines[-1] else lines
