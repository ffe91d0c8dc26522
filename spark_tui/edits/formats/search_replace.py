"""The `search_replace` format: the old lines, a divider, and the new lines.

The place is known at the divider.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spark_tui.edits.drop_noop_lines import drop_noop_lines
from spark_tui.edits.formats import search_replace_markers as markers
from spark_tui.edits.formats.base import MAY_REPEAT, DraftBlock, file_named, occurs, repeats
from spark_tui.edits.formats.repeated_chunk import SAME_LINES, SAME_PLACE
from spark_tui.edits.hunk import Hunk
from spark_tui.edits.hunk_draft import HunkDraft
from spark_tui.edits.hunk_emitter import HunkEmitter
from spark_tui.edits.hunk_split import were_made
from spark_tui.edits.paths import path_in
from spark_tui.edits.places.line_numbers import find_numbered, numbered, without_numbers
from spark_tui.edits.places.locate import LineFinder, LineMatch, NoMatch
from spark_tui.edits.places.sequential_edits import (
    Change,
    EditedFile,
    after_hunks,
    in_place_of,
    separate_hunks,
)
from spark_tui.errors import ExitCode
from spark_tui.events import NO_SUCH_FILE, Doubt, Event, HunkFailed


class SearchReplaceBlock(DraftBlock):
    """One block, after its opening marker up to `>>>>>>> REPLACE`."""

    cut_off = "the text ends inside a search/replace block"

    def __init__(self, emitter: HunkEmitter, path: str) -> None:
        super().__init__(emitter, path)
        self.search: list[str] = []
        self.search_chars = 0
        self.first_divider = -1
        """Index of a line of equals signs that may be the divider or quoted, whichever comes first: another
        divider or the end."""
        self.replacing = False
        self.place: LineMatch | None = None
        self.later: EditedFile | None = None
        """Set where the place is one of the text that earlier blocks left."""
        self.clash: NoMatch | None = None
        """Set where an earlier edit changes the lines: this one must be the same."""
        self.unmovable = False
        self.missed: NoMatch | None = None
        """Set where the quoted lines have no place."""
        self.new: list[str] = []
        """The new lines of such a block."""
        self.example: markers.Example | None = None
        self.at: int | None = None
        """Where the text says that the lines are (0-based)."""

    def replace(self, old: Sequence[str], new: Sequence[str]) -> Iterator[Event]:
        """Both sides together, already separated."""
        self.search = list(old)
        yield from self._locate()
        for line in new:
            yield from self._new_line(line)
        yield from self._end()

    def look(self, head: str) -> int | None:
        if not self.replacing or self.example is not None or (head and markers.could_mark(head)):
            return None
        if self.missed is not None or (self.place is not None and self.place.level >= 2):
            return None
        return 0 if head else None

    def line(self, line: str) -> Iterator[Event]:
        if not self.replacing:
            yield from self._quoted_line(line)
        elif self.example is not None:
            if self.example.ends(line):
                for shown in self.example.lines:
                    yield from self._new_line(shown)
                yield from self._end()
        elif markers.ENDING.fullmatch(line):
            yield from self._end()
        elif markers.INNER.fullmatch(line):
            if self.emitter.shows_examples and markers.in_fence(self._said):
                self.example = markers.Example(line)
                return
            self.returns_line = True
            yield from self.finish()
        else:
            yield from self._new_line(line)

    @property
    def _said(self) -> list[str]:
        return self.draft.new if self.draft else self.new

    def finish(self) -> Iterator[Event]:
        if self.returns_line or self.example is not None:
            # Cut off before another, whose file is named among its lines.
            for last in self._said[-3:]:
                self.emitter.last_path = path_in(last, self.emitter.exists) or self.emitter.last_path
        if self.example is not None:
            self.unread, self.emitter.shows_examples = self.example.lines, False
        if self.missed is not None:
            yield self.emitter.miss(self.path, self.missed)
        yield from super().finish()

    def _end(self) -> Iterator[Event]:
        self.done = True
        if self.draft is not None:
            markers.drop_fence(self.draft.new, self.search)
            yield from self._close(self.draft)
        elif self.missed is not None:
            file = self.emitter.file(self.path)
            assert file is not None
            yield from self._without_place(file, self.missed)

    def _without_place(self, file: LineFinder, missed: NoMatch) -> Iterator[Event]:
        """What the model says that it did before is no failure, and line numbers that it copied from a tool
        are no part of the lines."""
        standing = LineFinder(self._after().lines) if self.emitter.edits_of(self.path) else file
        if not missed.several and standing.has_made(self.search, self.new):
            yield from self.emitter.close_parts(HunkDraft(self.emitter.new_id(), self.path, 0, ()), ())
            return
        lines = numbered(self.search)
        known = find_numbered(file, lines) if lines is not None else missed
        new = without_numbers(self.new, known[0]) if not isinstance(known, NoMatch) else None
        if isinstance(known, NoMatch) or new is None:
            yield self.emitter.miss(self.path, missed)
            return
        bare = SearchReplaceBlock(self.emitter, self.path)
        bare.at = known[1].start
        yield from bare.replace(known[0].lines, new)

    def _new_line(self, line: str) -> Iterator[Event]:
        if self.missed is not None and self.search_chars <= self.emitter.max_chars:
            self.search_chars += len(line) + 1
            self.new.append(line)
        yield from self.begin_text()
        if line and self.draft is not None:
            self.unmovable = self.unmovable or self._moved(line) is None
            yield from self.text(self._rebased(line))

    def _collect(self, line: str) -> Iterator[Event]:
        self.search_chars += len(line) + 1
        if self.search_chars > self.emitter.max_chars:
            yield self.emitter.fail(self.path, "the edit is too large", code=ExitCode.REFUSED)
            self.replacing = True
            return
        self.search.append(line)

    def _quoted_line(self, line: str) -> Iterator[Event]:
        if not self.search and (hint := markers.LINE_HINT.fullmatch(line)):
            self.at = int(hint[2]) - 1 if hint[1] == "start" else self.at
            return
        if not self.search and self.at is not None and markers.HINTS_END.fullmatch(line):
            return
        if markers.DIVIDER.fullmatch(line):
            stands, goes_on = self._fits(self.search), self._fits([*self.search, line])
            if not goes_on:
                yield from self._locate()
                return
            if stands:
                self.first_divider = len(self.search)
        elif self.first_divider >= 0 and markers.ENDING.fullmatch(line) and not self._quotes_end(line):
            self.search, late = self.search[: self.first_divider], self.search[self.first_divider + 1 :]
            yield from self._locate()
            for item in (*late, line):
                yield from self.line(item)
            return
        yield from self._collect(line)

    def _quotes_end(self, line: str) -> bool:
        """Whether it ends a block that the file shows, and that is quoted from its beginning on."""
        begun = any(markers.INNER.fullmatch(item) for item in self.search)
        return begun and self._fits([*self.search, line])

    def _fits(self, quoted: Sequence[str]) -> bool:
        return occurs(self.emitter, self.path, quoted)

    def _locate(self) -> Iterator[Event]:
        self.replacing = True
        self.path = file_named(self.emitter, self.path, self.search)
        file = self.emitter.editable(self.path)
        if isinstance(file, HunkFailed):
            yield file
            return
        if conflict := self.emitter.conflict(self.path):
            yield self.emitter.fail(self.path, conflict)
            return
        quoted = self._quoted(file)
        if file is None:
            if quoted:
                yield self.emitter.fail(self.path, NO_SUCH_FILE, expected=quoted[0])
                return
            self.draft = HunkDraft(self.emitter.new_id(), self.path, 0, (), "add")
        elif not quoted:
            # Nothing is quoted: an addition, which goes to the end of the file.
            self.draft = HunkDraft(self.emitter.new_id(), self.path, len(file.lines), ())
        else:
            found = self._place(file, quoted)
            if not isinstance(found, LineMatch):
                # The new lines may show that the edit was made before.
                self.missed = found
                return
            self.place = found
            self.draft = self._draft(file, found)
        yield self.emitter.open(self.draft)

    def _place(self, file: LineFinder, quoted: list[str]) -> LineMatch | NoMatch:
        """In the file as it was read; else as it reads after the earlier blocks of the same answer."""
        found = file.find(quoted, at=self.at, taken=self.emitter.taken(self.path))
        if not self.emitter.edits_of(self.path):
            return found
        if isinstance(found, LineMatch):
            return self._unless_ambiguous(found, quoted)
        if found.several:
            return found
        later = self._after()
        matched = later.find(quoted)
        if isinstance(matched, LineMatch) and (not found.taken or later.builds_on(matched)):
            self.later = later
            return matched
        again = file.find(quoted, at=self.at)
        self.clash = found
        return again if isinstance(again, LineMatch) else found

    def _unless_ambiguous(self, found: LineMatch, quoted: Sequence[str]) -> LineMatch | NoMatch:
        """The place in the file as it was read, unless earlier blocks wrote the same lines, or put some in
        between: then it may be ambiguous."""
        parted = self.emitter.inserted_inside(self.path, found.start, found.count)
        blank = not any(line.strip() for line in quoted)
        if not parted and not blank and not self.emitter.wrote_like(self.path, quoted):
            return found
        later = self._after()
        matched = later.find(quoted)
        if isinstance(matched, NoMatch):
            return matched if matched.several else found
        own = later.origins[matched.start : matched.start + matched.count]
        if own == tuple(range(found.start, found.start + found.count)):
            return found
        second = next((at for at in own if at >= 0), later.behind[matched.start])
        return separate_hunks(found.start, second)

    def _after(self) -> EditedFile:
        return after_hunks(self.emitter.lines_of(self.path), self.emitter.edits_of(self.path))

    def _draft(self, file: LineFinder, found: LineMatch) -> HunkDraft:
        if self.later is None:
            old = tuple(file.lines[found.start : found.start + found.count])
            return HunkDraft(self.emitter.new_id(), self.path, found.start, old)
        own = self.later.own(found.start, found.count)
        start = own[0] if own else self.later.behind[found.start]
        return HunkDraft(self.emitter.new_id(), self.path, start, tuple(file.lines[at] for at in own))

    def _quoted(self, file: LineFinder | None) -> list[str]:
        """Blank lines quote nothing, unless they are the one place that is so: in the file, or in what
        earlier blocks of the same answer made of it."""
        if any(line.strip() for line in self.search):
            return self.search
        if file is None or not self.search:
            return []
        if isinstance(file.find(self.search, taken=self.emitter.taken(self.path)), LineMatch):
            return self.search
        built_on = self.emitter.edits_of(self.path)
        return self.search if built_on and isinstance(self._after().find(self.search), LineMatch) else []

    def _moved(self, line: str) -> str | None:
        """The line in the file's indentation; None where the rule cannot carry it over."""
        return self.place.rebase(line) if self.place is not None and self.place.rebase is not None else line

    def _rebased(self, line: str) -> str:
        return line if (moved := self._moved(line)) is None else moved

    def _close(self, draft: HunkDraft) -> Iterator[Event]:
        if self.unmovable:
            message = "the new lines cannot be re-indented to match the file"
            yield self.emitter.fail(self.path, message, hunk_id=draft.id)
        elif self.later is None:
            new = self._with_file_bytes(draft)
            made = self.emitter.edits_of(self.path)
            again = self.clash is not None or self.emitter.inserts_where_it_did(draft, new)
            at = self.at if draft.old else draft.place
            waits = self.emitter.base.made_since(self.path, draft.old and self.search, draft.new, at)
            if waits is True or (again and were_made(draft.place + 1, draft.old, new, made)):
                yield from self.emitter.close(draft, draft.old)
            elif waits:
                yield self.emitter.miss(self.path, waits, draft.id)
            elif self.clash is not None:
                yield self.emitter.miss(self.path, self.clash, draft.id)
            elif again:
                yield self.emitter.fail(self.path, SAME_PLACE, line=draft.place + 1, hunk_id=draft.id)
            else:
                if self.at is None and repeats(self.emitter, draft, new):
                    yield Doubt(draft.id, 0.0, MAY_REPEAT)
                yield from self.emitter.close(draft, new)
        else:
            changes = self._changes(draft)
            if changes is None and (instead := self._in_place_of_earlier(draft)) is not None:
                yield from self.emitter.close_in_place(draft, *instead)
            elif changes is None:
                yield self.emitter.fail(self.path, SAME_LINES, hunk_id=draft.id)
            else:
                yield from self.emitter.close_parts(draft, changes)

    def _changes(self, draft: HunkDraft) -> list[Change] | None:
        assert self.later is not None and self.place is not None
        return self.later.changes(self.place, self._with_file_bytes(draft))

    def _in_place_of_earlier(self, draft: HunkDraft) -> tuple[Change, list[Hunk]] | None:
        assert self.place is not None
        lines, made = self.emitter.lines_of(self.path), self.emitter.edits_of(self.path)
        return in_place_of(lines, made, self.place, self._with_file_bytes(draft))

    def _with_file_bytes(self, draft: HunkDraft) -> list[str]:
        """The new side with the file's own bytes where the text only quotes them."""
        if self.place is None:
            return draft.new
        quoted = [self._rebased(line) for line in self.search]
        actual = draft.old
        if self.later is not None:
            actual = self.later.lines[self.place.start : self.place.start + self.place.count]
        return drop_noop_lines(quoted, actual, draft.new)

    def interrupt(self) -> Iterator[Event]:
        draft = self.draft
        if draft is None or self.clash is not None:
            return
        if self.later is None:
            yield self.emitter.partial(draft, self._with_file_bytes(draft))
            return
        changes = self._changes(draft) or []
        start, end, new = changes[0] if changes else (draft.place, draft.place, ())
        old = draft.old[start - draft.place : end - draft.place]
        yield self.emitter.partial(HunkDraft(draft.id, draft.path, start, old), new)
