"""What the formats of one stream share: ids, the files as read, the lines already edited, and the events."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections import defaultdict
from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from typing import Unpack

from spark_tui.edits.code_words import left_out
from spark_tui.edits.diff import diff
from spark_tui.edits.emitter_options import EmitterOptions, ReadLines
from spark_tui.edits.hunk import Hunk
from spark_tui.edits.hunk_draft import HunkDraft
from spark_tui.edits.hunk_split import minimal, without_unreached
from spark_tui.edits.places.base_files import BaseFiles
from spark_tui.edits.places.locate import LineFinder, NoMatch, folded, overlaps
from spark_tui.edits.places.sequential_edits import Change
from spark_tui.errors import ExitCode, IsFolder, SparkError
from spark_tui.events import Decided, Doubt, Event, HunkClosed, HunkFailed, HunkKind, HunkOpened, HunkText

LINK_MODE = "120000"

_MOST_CHARS = 8_000_000
_MOST_FAILURES = 1000
"""So many are kept in `failures`; every one is an event."""


class HunkEmitter:
    """One stream's bookkeeping. Formats ask it for files and hand it what they found."""

    def __init__(self, read_lines: ReadLines, **options: Unpack[EmitterOptions]) -> None:
        self.overwrite = options.get("overwrite", False)
        self.max_chars = options.get("max_chars", _MOST_CHARS)
        self.asked = options.get("asked", "")
        self.shown = tuple(options.get("shown", ()))
        self.seen = options.get("seen")
        self.base = BaseFiles(options.get("read_base"), self.file)
        self.hunks: list[Hunk] = []
        self.failures: list[HunkFailed] = []
        self.verdict = ""
        self.edits = 0
        """Those that were understood, also where they change nothing."""
        self.last_path = ""
        self.shows_examples = True
        """Whether text may show edits in a fence: not once it turned out that one was cut off there."""
        self._read_lines = read_lines
        self._read_link = options.get("read_link")
        self._finders: dict[str, LineFinder | SparkError | None] = {}
        self._taken = defaultdict[str, list[tuple[int, int]]](list)
        self._inserted = defaultdict[str, list[int]](list)
        self._edits = defaultdict[str, list[Hunk]](list)
        self._written = defaultdict[str, set[str]](set)
        self._kinds = defaultdict[str, set[HunkKind]](set)
        self._last_id = options.get("last_id", 0)

    def new_id(self) -> int:
        self._last_id += 1
        return self._last_id

    def file(self, path: str) -> LineFinder | None:
        """The file as it was first read in this stream. Raises the SparkError of a forbidden one."""
        if path not in self._finders:
            try:
                lines = self._read_lines(path)
                self._finders[path] = None if lines is None else LineFinder(lines)
            except SparkError as error:
                self._finders[path] = error
        found = self._finders[path]
        if isinstance(found, SparkError):
            raise found
        return found

    def editable(self, path: str) -> LineFinder | HunkFailed | None:
        """The file that an edit names (None for a new one), or the event that reports why it cannot be
        edited."""
        if not path:
            return self.fail("", "an edit names no file: its path goes before it", code=ExitCode.MALFORMED)
        try:
            return self.file(path)
        except SparkError as error:
            return self.refuse(path, error)

    def link(self, path: str) -> str | None:
        """The target of the link of this name; None if the name is not a link, or must not be read."""
        try:
            return self._read_link(path) if self._read_link is not None else None
        except SparkError:
            return None

    def delete(self, path: str, lines: Sequence[str]) -> Iterator[Event]:
        """The whole file goes. A link goes itself: its one line is where it points, as in git."""
        link = self.link(path)
        draft = HunkDraft(self.new_id(), path, 0, tuple(lines) if link is None else (link,), "delete")
        yield self.open(draft)
        yield from self.close(draft, mode="" if link is None else LINK_MODE)

    def add(self, path: str, file: LineFinder | None) -> Generator[Event, None, HunkDraft | None]:
        """Open the draft of a new file, or of a whole existing one that may be overwritten. None if it is
        not allowed, which the events report."""
        if file is not None and not self.overwrite:
            yield self.fail(path, "the file to add already exists", code=ExitCode.REFUSED)
            return None
        old = () if file is None else tuple(file.lines)
        draft = HunkDraft(self.new_id(), path, 0, old, "add" if file is None else "edit")
        yield self.open(draft)
        return draft

    def extend(
        self, draft: HunkDraft, piece: str, too_large: str = "the edit is too large"
    ) -> Generator[Event, None, HunkDraft | None]:
        """Append text to the draft. None if it became too large, which the events report."""
        yield draft.text(piece)
        if draft.chars <= self.max_chars:
            return draft
        yield self.fail(draft.path, too_large, code=ExitCode.REFUSED, hunk_id=draft.id)
        return None

    def move(self, path: str, target: str) -> Generator[Event, None, bool]:
        """Rename the file, or a link itself. False if refused, which the events report."""
        if self.exists(target) and not self.overwrite:
            message = f"the move target already exists or is not allowed: {target}"
            yield self.fail(path, message, code=ExitCode.REFUSED)
            return False
        draft = HunkDraft(self.new_id(), path, 0, (), "move", target)
        yield self.open(draft)
        yield from self.close(draft, mode="" if self.link(path) is None else LINK_MODE)
        return True

    def lines_of(self, path: str) -> Sequence[str]:
        """The lines of `file`; none without one."""
        file = self.file(path)
        return file.lines if file is not None else ()

    def exists(self, path: str) -> bool:
        """Whether this is a file, also a forbidden one. No is not remembered: prose asks for many names."""
        if self.link(path) is not None:
            return True
        known = path in self._finders
        try:
            found = self.file(path) is not None
        except SparkError as error:
            found = not isinstance(error, IsFolder)
        if not found and not known:
            del self._finders[path]
        return found

    def taken(self, path: str) -> Sequence[tuple[int, int]]:
        return self._taken.get(path, ())

    def edits_of(self, path: str) -> Sequence[Hunk]:
        """The edits of the path that are closed, as they were closed."""
        return self._edits.get(path, ())

    def wrote_like(self, path: str, quoted: Sequence[str]) -> bool:
        """Whether an earlier edit wrote a line that reads like one of these."""
        written = self._written.get(path, set())
        return any(line in written for line in map(folded, quoted) if line)

    def inserted_inside(self, path: str, start: int, count: int) -> bool:
        """Whether an earlier edit put lines between two of these."""
        points = self._inserted.get(path, [])
        return bisect_right(points, start) < bisect_left(points, start + count)

    def inserts_where_it_did(self, draft: HunkDraft, new: Sequence[str]) -> bool:
        """Whether the draft puts lines exactly where an earlier edit does: their order is then unknown."""
        points = self._inserted.get(draft.path, ())
        if not points or draft.kind != "edit":
            return False
        places = (draft.place + a0 for a0, a1, _, _ in diff(draft.old, new) if a0 == a1)
        return any(bisect_left(points, place) < bisect_right(points, place) for place in places)

    def kinds(self, path: str) -> set[HunkKind]:
        """What this stream already does to the path as a whole: `add`, `delete`, `move`."""
        return self._kinds.get(path, set())

    def conflict(self, path: str, *, whole: bool = False) -> str:
        """Why an edit cannot follow the earlier ones of this stream, or nothing. `whole`: it adds, deletes or
        moves the file."""
        if self.kinds(path):
            return "an earlier edit of the same answer adds, deletes or moves this file"
        if whole and self.edits_of(path):
            return "an earlier edit of the same answer changes this file"
        return ""

    def open(self, draft: HunkDraft) -> HunkOpened:
        return HunkOpened(draft.id, draft.path, draft.place + 1, len(draft.old), draft.kind, draft.new_path)

    def announce(self, draft: HunkDraft, new: Sequence[str]) -> Iterator[Event]:
        """Open a draft of which these new lines are known."""
        yield self.open(draft)
        if text := "\n".join(new):
            yield HunkText(draft.id, text)

    def close(
        self,
        draft: HunkDraft,
        new: Sequence[str] | None = None,
        *,
        final_newline: bool | None = None,
        mode: str = "",
    ) -> Iterator[Event]:
        """Reduce, keep and announce a finished draft. What stays divides it: the first keeps the id."""
        hunk = self._hunk(draft, new, final_newline, mode)
        self.edits += 1
        pieces = minimal(hunk, self.new_id)
        if not pieces:
            yield HunkClosed(draft.id, draft.path, draft.place + 1, (), ())
            return
        if any(self._crosses(piece) for piece in pieces):
            message = "this edit replaces lines where an earlier edit of the same answer inserts new ones"
            yield self.fail(draft.path, message, line=draft.place + 1, hunk_id=draft.id)
            return
        gaps = [left_out(piece.path, piece.old_lines, piece.new_lines) for piece in pieces]
        if gap := next((gap for gap in gaps if gap.certain), None):
            yield self.fail(draft.path, gap.refusal, line=draft.place + 1, hunk_id=draft.id)
            return
        for at, piece in enumerate(pieces):
            if at:
                part = HunkDraft(piece.id, piece.path, piece.old_start - 1, piece.old_lines)
                yield from self.announce(part, piece.new_lines)
            self._keep(piece)
            if gaps[at].line:
                yield Doubt(piece.id, 0.0, gaps[at].doubt)
            yield piece.closed()

    def close_parts(self, draft: HunkDraft, parts: Sequence[Change]) -> Iterator[Event]:
        """Close a draft that turned out to be several changes; the first keeps its id."""
        if not parts:
            self.edits += 1
            yield HunkClosed(draft.id, draft.path, draft.place + 1, (), ())
        file = self.file(draft.path)
        assert file is not None
        for at, (start, end, new) in enumerate(parts):
            own_id = self.new_id() if at else draft.id
            part = HunkDraft(own_id, draft.path, start, tuple(file.lines[start:end]))
            if at:
                yield from self.announce(part, new)
            yield from self.close(part, new)

    def close_in_place(self, draft: HunkDraft, change: Change, taken: Sequence[Hunk]) -> Iterator[Event]:
        """Close a draft that does what these earlier hunks did, too: they are given up for it, unless it is
        refused."""
        file, before = self.file(draft.path), [*self.hunks]
        assert file is not None
        for hunk in taken:
            self.hunks.remove(hunk)
            self._edits[hunk.path].remove(hunk)
            if hunk.old_lines:
                self._taken[hunk.path].remove((hunk.old_start - 1, hunk.old_end - 1))
            else:
                self._inserted[hunk.path].remove(hunk.old_start - 1)
        known, (start, end, new) = len(self.hunks), change
        part = HunkDraft(draft.id, draft.path, start, tuple(file.lines[start:end]))
        for event in self.close(part, new):
            yield event
            if isinstance(event, HunkFailed):
                for hunk in taken:
                    self._keep(hunk)
                self.hunks[:] = before
                return
        by = " ".join(str(hunk.id) for hunk in self.hunks[known:])
        yield from (Decided(hunk.id, "rejected", by) for hunk in taken)

    def partial(
        self, draft: HunkDraft, new: Sequence[str] | None = None, *, certain: bool = False
    ) -> HunkClosed:
        """The current state of the draft, which may still grow. Old lines that the new side has not
        reached are not included, unless the text is `certain` to remove them."""
        hunk = replace(self._hunk(draft, new, None, ""), partial=True)
        return (hunk if certain or hunk.kind != "edit" else without_unreached(hunk)).closed()

    @staticmethod
    def _hunk(draft: HunkDraft, new: Sequence[str] | None, final_newline: bool | None, mode: str) -> Hunk:
        lines = tuple(draft.new if new is None else new)
        place, kind = draft.place + 1, draft.kind
        return Hunk(
            draft.id, draft.path, place, draft.old, lines, kind, draft.new_path, final_newline, mode=mode
        )

    def _keep(self, hunk: Hunk) -> None:
        self.hunks.append(hunk)
        if hunk.kind != "edit":
            self._kinds[hunk.path].add(hunk.kind)
            return
        self._edits[hunk.path].append(hunk)
        self._written[hunk.path].update(map(folded, hunk.new_lines))
        if hunk.old_lines:
            insort(self._taken[hunk.path], (hunk.old_start - 1, hunk.old_end - 1))
        else:
            insort(self._inserted[hunk.path], hunk.old_start - 1)

    def forget(self) -> Iterator[Event]:
        """Take back all hunks so far: the model only thought of them."""
        yield from (Decided(hunk.id, "rejected") for hunk in self.hunks)
        self.edits, self.verdict = 0, ""
        self.hunks.clear()
        self.failures.clear()
        for kept in (self._taken, self._inserted, self._edits, self._written, self._kinds):
            kept.clear()

    def _crosses(self, hunk: Hunk) -> bool:
        if hunk.kind != "edit":
            return False
        path, start, end = hunk.path, hunk.old_start - 1, hunk.old_end - 1
        return overlaps(start, end, self.taken(path)) or self.inserted_inside(path, start, end - start)

    def clashes(self, draft: HunkDraft) -> bool:
        """Whether an earlier hunk already changes one of the draft's lines."""
        return overlaps(draft.place, draft.place + len(draft.old), self.taken(draft.path))

    def fail(
        self,
        path: str,
        message: str,
        *,
        code: ExitCode = ExitCode.MISFIT,
        line: int = 0,
        expected: str = "",
        found: str = "",
        candidates: tuple[int, ...] = (),
        hunk_id: int = 0,
    ) -> HunkFailed:
        own_id = hunk_id or self.new_id()
        failure = HunkFailed(own_id, path, message, int(code), line, expected, found, candidates)
        if len(self.failures) < _MOST_FAILURES:
            self.failures.append(failure)
        return failure

    def cut_off(self, message: str, path: str = "") -> HunkFailed:
        """The text ends where it may not."""
        return self.fail(path, message, code=ExitCode.MALFORMED)

    def miss(self, path: str, miss: NoMatch, hunk_id: int = 0) -> HunkFailed:
        return self.fail(
            path,
            miss.message,
            line=miss.line,
            expected=miss.expected,
            found=miss.found,
            candidates=miss.candidates,
            hunk_id=hunk_id,
        )

    def refuse(self, path: str, error: SparkError) -> HunkFailed:
        """A file that may not be read cannot be edited: its own error, as an event."""
        return self.fail(path, error.what, code=error.exit_code)
