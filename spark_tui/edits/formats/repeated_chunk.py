"""A chunk of a patch in a file that earlier edits of the same answer have changed.

Its lines are looked for in the text that the earlier edits left, which is what a patch means, and in the file
as it was, which is what some models mean. Where both have them, they must be the same lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from spark_tui.edits.formats.chunk import Chunk, LineGroup
from spark_tui.edits.hunk import Hunk
from spark_tui.edits.hunk_draft import HunkDraft
from spark_tui.edits.hunk_emitter import HunkEmitter
from spark_tui.edits.hunk_split import were_made
from spark_tui.edits.places.locate import LineFinder, LineMatch, NoMatch, Taken
from spark_tui.edits.places.sequential_edits import (
    Change,
    EditedFile,
    after_hunks,
    in_place_of,
    separate_hunks,
)
from spark_tui.events import Event

SAME_LINES = "this edit changes lines that an earlier edit of the same answer wrote"
SAME_PLACE = "this edit and an earlier one of the same answer insert lines in the same place"
_LAST_NEWLINE = (
    "this edit changes the newline at the end of a file that an earlier edit of the same answer changes"
)


@dataclass(frozen=True, slots=True)
class FileVersion:
    """A file as an operation of a patch finds it."""

    file: LineFinder
    later: EditedFile | None = None
    """Set where earlier edits of the same answer changed the file; `file` is then what they left."""
    made: tuple[Hunk, ...] = ()
    """Those earlier edits."""

    @staticmethod
    def of(emitter: HunkEmitter, path: str, file: LineFinder) -> FileVersion:
        edits = emitter.edits_of(path)
        if not any(hunk.old_lines or hunk.new_lines for hunk in edits):
            return FileVersion(file)
        later = after_hunks(file.lines, edits)
        return FileVersion(LineFinder(later.lines), later, tuple(edits))

    def chunk(self, emitter: HunkEmitter, path: str, **claims: Any) -> Chunk:
        if self.later is None:
            return Chunk(emitter, path, self.file, **claims)
        return RepeatedChunk(emitter, path, self.file, later=self.later, made=self.made, **claims)


@dataclass(slots=True)
class RepeatedChunk(Chunk):
    """`file` is the later text, and so are all line numbers that come in and go out."""

    later: EditedFile = field(kw_only=True)
    made: tuple[Hunk, ...] = field(kw_only=True)
    _as_it_was: Chunk | None = None
    """Set if the lines occur only in the original file."""
    _parts: list[list[Change]] = field(default_factory=list)
    _instead: tuple[Change, list[Hunk]] | None = None
    """Set if the chunk takes the place of earlier edits whose lines it changes."""

    def _narrow(self, text: str) -> None:
        """Nothing is certain before all lines are known: they may occur in the other text."""

    def _taken(self) -> Taken:
        return self.later.taken(self.emitter.taken(self.path))

    def _find(self) -> LineMatch | NoMatch:
        found, before = Chunk._find(self), self._before()
        place = before._find()
        if isinstance(place, NoMatch):
            goes_on = isinstance(found, LineMatch) and (not place.taken or self.later.builds_on(found))
            return found if goes_on else place
        if isinstance(found, NoMatch):
            if found.several:
                second = max(self.later.here(candidate - 1) for candidate in found.candidates)
                return separate_hunks(place.start, second)
            self._as_it_was, self.file = before, before.file
            return place
        own = self.later.own(found.start, found.count)
        same = own == list(range(place.start, place.start + place.count)) and len(own) == found.count
        start = own[0] if own else self.later.here(found.start)
        return found if same and start == place.start else separate_hunks(place.start, start)

    def _was_made(self, before: Chunk | None = None) -> bool | NoMatch:
        """Whether earlier edits of the answer are the same, or a hunk that waits."""
        before = before or self._before()
        if waits := Chunk._was_made(self, before):
            return waits
        at, prefer = before.at, before._prefer
        place = before.file.find(self.quoted, at=at, prefer=prefer) if self.quoted else before._find()
        if not isinstance(place, LineMatch) or self.final_newline is not None or self.shown:
            return False
        stands = Chunk._find(self)
        if isinstance(stands, LineMatch) and stands.count and self.later.builds_on(stands):
            return False
        for group in self.groups:
            Chunk._set_place(before, group, place.start)
            side, made = before._new_side(group, place), self.emitter.edits_of(self.path)
            if side is None or not were_made(group.draft.place + 1, group.draft.old, side, made):
                return False
        return True

    def _before(self) -> Chunk:
        """The same chunk, looked for in the file as it was."""
        file = self.emitter.file(self.path)
        assert file is not None
        return Chunk(
            self.emitter,
            self.path,
            file,
            self.anchors,
            self.later.here(self.began),
            self.at,
            self.later.here(self.after),
            self.at_end,
            self.inserts_at,
            quoted=self.quoted,
        )

    def _clash(self, found: LineMatch, sides: list[list[str]]) -> str:
        if self.final_newline is not None:
            return _LAST_NEWLINE
        for group, side in zip(self.groups, sides, strict=True):
            self._set_place(group, found.start)
            if self._as_it_was is not None:
                if self.emitter.inserts_where_it_did(group.draft, side):
                    return SAME_PLACE
                continue
            changes = self.later.changes(
                LineMatch(found.start + group.offset, group.count, found.level), side
            )
            if changes is None:
                self._instead = self._in_place_of_earlier(found, sides)
                return "" if self._instead is not None else SAME_LINES
            self._parts.append(changes)
        return ""

    def _in_place_of_earlier(
        self, found: LineMatch, sides: list[list[str]]
    ) -> tuple[Change, list[Hunk]] | None:
        """One change that does what the chunk does and what those edits did on which it builds. None if
        other edits that are not in its text, those of this operation, touch the same lines."""
        new = list(self.file.lines[found.start : found.start + found.count])
        for group, side in reversed(list(zip(self.groups, sides, strict=True))):
            new[group.offset : group.offset + group.count] = side
        instead = in_place_of(self.emitter.lines_of(self.path), self.made, found, new)
        if instead is None:
            return None
        (start, end, _), taken = instead
        standing = self.emitter.edits_of(self.path)
        others = [hunk for hunk in standing if hunk not in self.made]
        apart = all(hunk.old_end - 1 < start or hunk.old_start - 1 > end for hunk in others)
        return instead if apart and all(hunk in standing for hunk in taken) else None

    def _set_place(self, group: LineGroup, place: int) -> None:
        if self._as_it_was is not None:
            Chunk._set_place(self, group, place)
            return
        start = place + group.offset
        own, lines = self.later.own(start, group.count), self.emitter.lines_of(self.path)
        group.draft.place = own[0] if own else self.later.here(start)
        group.draft.old = tuple(lines[at] for at in own)

    def _close_groups(self, found: LineMatch, sides: list[list[str]]) -> Iterator[Event]:
        if self._instead is None:
            yield from Chunk._close_groups(self, found, sides)
            return
        (start, end, new), taken = self._instead
        old = tuple(self.emitter.lines_of(self.path)[start:end])
        draft = HunkDraft(self.groups[0].draft.id, self.path, start, old)
        yield from self.emitter.announce(draft, new)
        yield from self.emitter.close_in_place(draft, (start, end, new), taken)

    def _close_group(
        self, group: LineGroup, side: Sequence[str], final_newline: bool | None
    ) -> Iterator[Event]:
        if self._as_it_was is not None:
            yield from self.emitter.close(group.draft, side, final_newline=final_newline)
        else:
            yield from self.emitter.close_parts(group.draft, self._parts.pop(0))

    def close(self) -> Iterator[Event]:
        yield from Chunk.close(self)
        if self._as_it_was is not None:
            self.end, self.changed_to = self.later.there(self.end), self.later.there(self.changed_to)
