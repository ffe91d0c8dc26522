"""One chunk of a patch: context, old and new lines, and the place in the file that they match.

The place is certain once the quoted lines so far occur in only one place, even under the loosest comparison;
from then on new text is passed on as it arrives. Hunks close when the whole chunk was found.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from spark_tui.edits.diff import diff
from spark_tui.edits.drop_noop_lines import drop_noop_lines
from spark_tui.edits.hunk_draft import HunkDraft
from spark_tui.edits.hunk_emitter import HunkEmitter
from spark_tui.edits.places.locate import (
    AnchorScopes,
    LineFinder,
    LineMatch,
    NoMatch,
    Taken,
    folded,
    scopes_of,
)
from spark_tui.errors import ExitCode
from spark_tui.events import Event

_MARK = "\ufeff"


@dataclass(slots=True)
class LineGroup:
    """Neighbouring changed lines: `quoted[offset : offset + count]` become the draft's new lines."""

    draft: HunkDraft
    offset: int
    count: int = 0
    shown: bool = False


@dataclass(slots=True)
class Chunk:
    """`low`: 0-based line to search from; `at`: where the text claims that it is; `after`: among equals, the
    first one after this line."""

    emitter: HunkEmitter
    path: str
    file: LineFinder
    anchors: tuple[str, ...] = ()
    low: int = 0
    at: int | None = None
    after: int = 0
    at_end: bool = False
    inserts_at: int | None = None
    """The place of a chunk without old lines, if its header has one (0-based)."""
    final_newline: bool | None = None
    overlap: int | None = None
    """Where to search from if nothing is found from `low` on: the chunk before may quote what this one
    repeats."""
    end: int = 0
    """After `close`: the first line that the chunk did not quote."""
    changed_to: int = 0
    """Set by `close`: the first line after its last change."""
    drift: int = 0
    """After `close`: found minus claimed."""
    old_mac: bool = False
    """Some quoted lines are several lines of the file, which ends lines with CR."""
    quoted: list[str] = field(default_factory=list)
    groups: list[LineGroup] = field(default_factory=list)
    _open: LineGroup | None = None
    _blanks: int = 0
    _place: int | None = None
    _candidates: list[int] | None = None
    _scopes: AnchorScopes | None = None
    _chars: int = 0
    _seen: int = 0
    """The groups before this one are complete and, where the place is certain, announced."""
    began: int = field(init=False)
    """`low`, before an anchor raised it."""

    def __post_init__(self) -> None:
        self.began = self.low
        if self.anchors:
            self._scopes = scopes_of(self.file, self.anchors, self.low)
            if self._scopes.miss is not None and self.overlap is not None:
                self._scopes = scopes_of(self.file, self.anchors, self.overlap)
            self.low = max(self.low, self._scopes.first)
            self.overlap = None if self.overlap is None else max(self.overlap, self._scopes.first)

    def old(self, text: str, *, stays: bool) -> Iterator[Event]:
        """A line of the old side."""
        self._commit_blanks()
        yield from self._old(text, stays)

    def blank(self) -> None:
        """An empty line: one that stays, if more lines of the chunk follow it."""
        self._blanks += 1

    @property
    def pending_blanks(self) -> int:
        return self._blanks

    def keep_blanks(self, count: int) -> None:
        """Keep this many of the pending empty lines."""
        self._blanks = count
        self._commit_blanks()

    def _commit_blanks(self) -> None:
        blanks, self._blanks = self._blanks, 0
        for _ in range(blanks):
            for _ in self._old("", True):
                pass

    def _old(self, text: str, stays: bool) -> Iterator[Event]:
        if stays:
            self._open = None
        elif self._open is None or self._open.draft.new:
            self._begin_group()
        if self._open is not None:
            self._open.count += 1
        # A byte order mark at the top of a file is no part of its first line here.
        text = text.removeprefix(_MARK)
        parts = text.split("\r")
        if len(parts) > 1:
            # Git takes lines that end with CR alone for one line. Nothing may stand behind it.
            self.old_mac, parts = True, _mac_lines(text)
        if self._open is not None:
            self._open.count += len(parts) - 1
        for part in parts:
            self.quoted.append(part)
            self._chars += len(part) + 1
            if self._place is None:
                self._narrow(part)
        yield from self._show()

    def begin_new(self) -> Iterator[Event]:
        self._commit_blanks()
        if self._open is None:
            self._begin_group()
        group = self._open
        assert group is not None
        yield from self._show()
        for event in group.draft.next_line():
            if group.shown:
                yield event
        if self._place is not None and not group.shown:
            yield from self._show_group(group, self._place)

    def new_text(self, piece: str) -> Iterator[Event]:
        """Characters of the new line."""
        group = self._open
        assert group is not None
        event = group.draft.text(piece)
        self._chars += len(piece)
        if group.shown:
            yield event

    @property
    def ends_one_for_one(self) -> bool:
        """Whether its last lines stay, or are replaced by as many: then a missing newline goes without
        saying."""
        if not self.groups or self.old_mac:
            return True
        last = self.groups[-1]
        if last.offset + last.count < len(self.quoted):
            return True
        ends = diff(self.quoted[last.offset :], last.draft.new)[-1:]
        return all(a1 < last.count or a1 - a0 == b1 - b0 for a0, a1, b0, b1 in ends)

    @property
    def shown(self) -> bool:
        """Whether any of its hunks was announced."""
        return any(group.shown for group in self.groups)

    @property
    def too_large(self) -> bool:
        return self._chars > self.emitter.max_chars

    def _begin_group(self) -> None:
        self._open = LineGroup(HunkDraft(self.emitter.new_id(), self.path, 0, ()), len(self.quoted))
        self.groups.append(self._open)

    def _narrow(self, text: str) -> None:
        """Keep the places that the old lines so far allow; one left, and not a blank one, is certain."""
        loose, line, index = self.file.loose, folded(text), len(self.quoted) - 1
        if self._candidates is None:
            low = self.low
            self._candidates = [at for at in self.file.positions(text, 3) if at >= low]
        else:
            inside = [at for at in self._candidates if at + index < len(loose)]
            self._candidates = [at for at in inside if loose[at + index] == line]
        if len(self._candidates) == 1 and any(quote.strip() for quote in self.quoted):
            self._place = self._candidates[0]

    def _show(self) -> Iterator[Event]:
        """Announce the groups whose new text has begun and whose place has just become certain."""
        if self._place is not None and self.groups:
            first, self._seen = self._seen, len(self.groups) - 1
            for group in self.groups[first:]:
                if group.draft.new and not group.shown:
                    yield from self._show_group(group, self._place)

    def _show_group(self, group: LineGroup, place: int) -> Iterator[Event]:
        group.shown = True
        self._set_place(group, place)
        yield from self.emitter.announce(group.draft, group.draft.new)

    def _set_place(self, group: LineGroup, place: int) -> None:
        start = place + group.offset
        group.draft.place = start
        group.draft.old = tuple(self.file.lines[start : start + group.count])

    def close(self) -> Iterator[Event]:
        """Place the complete chunk and close its hunks, or report why it has no place."""
        self.end = self.low
        if not self.groups:
            return
        if self.too_large:
            yield from self._fail_all("the edit is too large", ExitCode.REFUSED)
            return
        made = self._was_made()
        if made is True:
            yield from self._close_unchanged()
            return
        found = made or self._find()
        if isinstance(found, NoMatch):
            if not found.several and self._stands():
                yield from self._close_unchanged()
            else:
                yield from self._miss_all(found)
            return
        if self._place is not None and found.start != self._place:
            yield from self._fail_all("the quoted lines are not next to each other in the file")
            return
        moved = [self._new_side(group, found) for group in self.groups]
        sides = [side for side in moved if side is not None]
        if len(sides) != len(moved):
            yield from self._fail_all("the new lines cannot be re-indented to match the file")
            return
        if clash := self._clash(found, sides):
            yield from self._fail_all(clash)
            return
        self.end = found.start + found.count
        last_group = self.groups[-1]
        self.changed_to = found.start + last_group.offset + last_group.count
        claimed = self.at if self.quoted else self.inserts_at
        self.drift = found.start - claimed if claimed is not None else 0
        yield from self._close_groups(found, sides)

    def _close_groups(self, found: LineMatch, sides: list[list[str]]) -> Iterator[Event]:
        for group, side in zip(self.groups, sides, strict=True):
            if group.shown:
                self._set_place(group, found.start)
            else:
                yield from self._show_group(group, found.start)
            last = group is self.groups[-1] and group.offset + group.count == len(self.quoted)
            yield from self._close_group(group, side, self.final_newline if last else None)

    def _was_made(self, before: Chunk | None = None) -> bool | NoMatch:
        place = self.at if self.quoted else (before or self)._find()
        at = place.start if isinstance(place, LineMatch) else self.at
        return self.emitter.base.made_since(self.path, self.quoted, self._after(), at, self.anchors)

    def _stands(self) -> bool:
        """Whether the file has the new lines already."""
        return self.file.has_made(self.quoted, self._after())

    def _after(self) -> list[str]:
        """The new side, with the lines that stay."""
        new = [*self.quoted]
        for group in reversed(self.groups):
            new[group.offset : group.offset + group.count] = group.draft.new
        return new

    def _close_unchanged(self) -> Iterator[Event]:
        for group in self._reported():
            yield from self.emitter.close_parts(group.draft, ())

    def _clash(self, found: LineMatch, sides: list[list[str]]) -> str:  # noqa: ARG002
        """Why the groups conflict with earlier edits of the answer; empty if they do not."""
        return ""

    def _close_group(self, group: LineGroup, side: list[str], final_newline: bool | None) -> Iterator[Event]:
        yield from self.emitter.close(group.draft, side, final_newline=final_newline)

    def _find(self) -> LineMatch | NoMatch:
        if self._scopes is not None and self._scopes.miss is not None:
            said = sum(bool(line.strip()) for line in self.quoted)
            if said < 2 or len(self.file.matches(self.quoted, 1)) != 1:
                return self._scopes.miss
            self._scopes = None  # one place has them
        if self.quoted:
            found = self._search(self.low)
            if isinstance(found, NoMatch) and self.overlap is not None and self.overlap < self.low:
                again = self._search(self.overlap)
                found = again if isinstance(again, LineMatch) else found
            if isinstance(found, NoMatch) or found.level >= 2:
                again = self._search(self.low, self._with_blanks())
                found = again if isinstance(again, LineMatch) and again.level < 2 else found
            return found
        if self._scopes is not None:
            return self._scopes.insertion()
        lines = len(self.file.lines)
        if self.inserts_at is not None and self.inserts_at > lines:
            return NoMatch(f"the file has only {lines} lines", line=lines)
        return LineMatch(lines if self.inserts_at is None else self.inserts_at, 0, 0)

    def _with_blanks(self) -> list[str]:
        """The quoted lines, where those that stay lost the blank in front."""
        gone = {group.offset + at for group in self.groups for at in range(group.count)}
        rows = enumerate(self.quoted)
        return [text if at in gone or not text.strip() else f" {text}" for at, text in rows]

    def _search(self, low: int, quoted: Sequence[str] = ()) -> LineMatch | NoMatch:
        return self.file.find(
            quoted or self.quoted,
            low=low,
            at=self.at,
            prefer=self._prefer,
            at_end=self.at_end,
            taken=self._taken(),
        )

    def _taken(self) -> Taken:
        return self.emitter.taken(self.path)

    def _prefer(self, starts: list[int]) -> list[int]:
        if self._scopes is not None:
            return self._scopes.prefer(starts)
        behind = [start for start in starts if start >= self.after]
        return behind if len(behind) == 1 else starts

    def _new_side(self, group: LineGroup, found: LineMatch) -> list[str] | None:
        """The group's new lines in the file's indentation, with the file's bytes where they only quote it."""
        quoted = self.quoted[group.offset : group.offset + group.count]
        if self.old_mac:
            group.draft.new[:] = [part for line in group.draft.new for part in _mac_lines(line)]
        if found.start + group.offset == 0 and group.draft.new:
            group.draft.new[0] = group.draft.new[0].removeprefix(_MARK)
        if found.rebase is None:
            new: list[str | None] = list(group.draft.new)
            old: list[str | None] = list(quoted)
        else:
            new = [found.rebase(line) for line in group.draft.new]
            old = [found.rebase(line) for line in quoted]
        lines = [line for line in new if line is not None]
        if len(lines) != len(new):
            return None
        start = found.start + group.offset
        actual = self.file.lines[start : start + group.count]
        return drop_noop_lines([line or "" for line in old], actual, lines)

    def _reported(self) -> list[LineGroup]:
        """The groups of which a failure is told: those that were announced, else the first."""
        return [group for group in self.groups if group.shown] or self.groups[:1]

    def _miss_all(self, miss: NoMatch) -> Iterator[Event]:
        for group in self._reported():
            yield self.emitter.miss(self.path, miss, group.draft.id)

    def _fail_all(self, message: str, code: ExitCode = ExitCode.MISFIT) -> Iterator[Event]:
        for group in self._reported():
            yield self.emitter.fail(self.path, message, code=code, hunk_id=group.draft.id)

    def abandon(self, message: str = "the text ends inside this edit") -> Iterator[Event]:
        """The chunk is not complete and never will be."""
        for group in self.groups:
            if group.shown:
                yield self.emitter.fail(self.path, message, code=ExitCode.MALFORMED, hunk_id=group.draft.id)

    def interrupt(self) -> Iterator[Event]:
        """Every announced group in its current state."""
        for group in self.groups:
            if group.shown:
                yield self.emitter.partial(group.draft, certain=True)


def _mac_lines(line: str) -> list[str]:
    parts = line.split("\r")
    return parts[:-1] if len(parts) > 1 and not parts[-1] else parts
