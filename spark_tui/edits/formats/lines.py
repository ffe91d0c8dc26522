"""The `lines` format: `*** path`, `@@ a,b`, and new lines each with a `+` before them.

`@@ a,b` are 1-based half-open lines of the file as read (a = b inserts before a). `@@ no-edit` and
`@@ cannot` are verdicts, kept on the emitter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from spark_tui.edits.formats.base import DraftBlock
from spark_tui.edits.hunk_draft import HunkDraft
from spark_tui.edits.hunk_emitter import HunkEmitter
from spark_tui.edits.paths import clean, file_meant
from spark_tui.errors import ExitCode
from spark_tui.events import Event, HunkFailed, Prose

HEADER = re.compile(
    r"\*\*\* (?! *(?:(?:Begin Patch|End Patch|End of File)\s*$|(?:Update|Add|Delete) File:|Move to:))( *\S.*)"
)
RANGE = re.compile(r"@@ *(\d{1,9}) *, *(\d{1,9}) *(?:@@)?\s*")
VERDICT = re.compile(r"@@ *(no-edit|cannot)\s*")


def path_of(header: re.Match[str], emitter: HunkEmitter) -> str:
    """The file that a header names. Blanks around the name count only where such a file is there."""
    text = header.group(1)
    names = (clean(text), clean(text.rstrip()))
    return next(filter(emitter.exists, names), file_meant(text.strip(), emitter.exists))


class LinesBlock(DraftBlock):
    """From `*** path` to the first line that is neither a header, a verdict nor a `+` line."""

    def __init__(self, emitter: HunkEmitter, path: str) -> None:
        super().__init__(emitter, path)
        self.bare = False
        """Whether a path was named and no range followed yet."""
        self.skipping = False
        """Whether the lines of a hunk that failed are skipped."""

    def look(self, head: str) -> int | None:
        return 1 if head.startswith("+") and (self.draft is not None or self.skipping) else None

    def certain(self, head: str) -> Iterator[Event]:
        if head and not head.startswith("+") and self.draft is not None:
            yield from self._close()

    def text(self, piece: str) -> Iterator[Event]:
        if self.draft is not None:
            yield from super().text(piece)
            self.skipping = self.draft is None

    def line(self, line: str) -> Iterator[Event]:
        yield from self._close()
        self.skipping = False
        if not line.strip():
            return
        self.bare = False
        if verdict := VERDICT.fullmatch(line):
            self.emitter.verdict = verdict.group(1)
            yield Prose(line + "\n")
        elif place := RANGE.fullmatch(line):
            yield from self._open(int(place.group(1)), int(place.group(2)))
        elif line.startswith(("@@", "+")):
            message = "a body line without a header" if line.startswith("+") else "not a line range"
            yield self.emitter.fail(self.path, f"{message}: {line[:80]!r}", code=ExitCode.MALFORMED)
            self.skipping = True
        elif header := HEADER.fullmatch(line):
            self.path, self.bare = path_of(header, self.emitter), True
        else:
            self.done = self.returns_line = True

    def _open(self, start: int, end: int) -> Iterator[Event]:
        self.skipping = True
        file = self.emitter.editable(self.path)
        if isinstance(file, HunkFailed):
            yield file
            return
        lines = file.lines if file is not None else ()
        if start < 1 or end < start:
            yield self.emitter.fail(
                self.path, f"lines {start},{end} are not a range", code=ExitCode.MALFORMED
            )
            return
        if end > len(lines) + 1:
            yield self.emitter.fail(
                self.path,
                f"lines {start},{end} are outside the file, which has {len(lines)} lines",
                line=len(lines),
            )
            return
        kind = self.emitter.kinds(self.path)
        draft = HunkDraft(
            self.emitter.new_id(),
            self.path,
            start - 1,
            tuple(lines[start - 1 : end - 1]),
            "edit" if file else "add",
        )
        if self.emitter.clashes(draft) or kind:
            yield self.emitter.fail(
                self.path,
                f"lines {start},{end} are already changed by an earlier edit",
                hunk_id=draft.id,
                line=start,
            )
            return
        self.draft, self.skipping = draft, False
        yield self.emitter.open(draft)

    def _close(self) -> Iterator[Event]:
        if self.draft is not None:
            draft, self.draft = self.draft, None
            yield from self.emitter.close(draft)

    def breaks_off(self, line: str) -> bool:
        header = HEADER.fullmatch(line) or RANGE.fullmatch(line)
        return header is not None or any(mark.startswith(line) for mark in ("*** ", "@@ "))

    def finish(self) -> Iterator[Event]:
        yield from self._close()
        if self.bare:
            yield self.emitter.cut_off("the text ends after the name of a file", self.path)
        self.done = True
