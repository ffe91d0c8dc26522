"""Decide what a fence of code is: a whole file, a part of one, a pair of old and new lines, or no edit.

A fence that names its file is an edit or a failure. One that names none is an edit only where its code is
clearly of one file that the model was shown or has named; else it is text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from spark_tui.edits.code_words import fits_language, is_elision, is_language, leaves_out, says
from spark_tui.edits.formats.base import files_called, holding
from spark_tui.edits.formats.search_replace import SearchReplaceBlock
from spark_tui.edits.formats.search_replace_markers import lost_end
from spark_tui.edits.hunk_draft import HunkDraft
from spark_tui.edits.hunk_emitter import HunkEmitter
from spark_tui.edits.paths import label_path, paths_mentioned
from spark_tui.edits.places.locate import LineMatch, folded
from spark_tui.edits.places.sequential_edits import EditedFile, after_hunks
from spark_tui.edits.snippets.merge import merge
from spark_tui.edits.snippets.outline import Unit, units_of
from spark_tui.edits.snippets.run_ends import Misplaced
from spark_tui.edits.snippets.whole_or_part import covers_all, is_whole
from spark_tui.errors import SparkError
from spark_tui.events import Doubt, Event, HunkClosed

BLIND = "replaces lines of a file that the model has not read"
MAY_BE_NEW = "the answer calls this file {}, which may be a new one"
UNPLACED = "this code could not be placed"
_ALIKE, _CLEARLY, _HARDLY = 0.3, 0.8, 0.4
_MOST_FILES = 200
_MOST_NAMED = 50


@dataclass(frozen=True, slots=True)
class Fence:
    """A closed fence: its info string, its lines, the line of prose before it, and the file it names."""

    info: str
    lines: tuple[str, ...]
    cue: str = ""
    path: str = ""


class FileView:
    """A file as edits leave it, with what is looked up in it again and again."""

    def __init__(self, edited: EditedFile) -> None:
        self.edited = edited
        self.lines = edited.lines

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        return units_of(self.lines)

    @cached_property
    def folded(self) -> frozenset[str]:
        return frozenset(folded(line) for line in self.lines if line.strip())


class CodePlacer:
    """Places the fences of one stream. `named` are the files that the prose has named so far."""

    def __init__(self, emitter: HunkEmitter) -> None:
        self.emitter = emitter
        self.named: list[str] = []
        self._views: dict[str, tuple[int, FileView]] = {}
        self._blind: set[str] = set()
        """Files that are replaced as a whole, though the model does not know them."""
        self._before: Fence | None = None
        """A fence that shows old lines, until the one with the new lines comes."""

    def note(self, path: str) -> None:
        """The prose names a file."""
        if path and (not self.named or self.named[-1] != path):
            self.named = [*self.named[-_MOST_NAMED:], path]

    def mention(self, prose: str) -> None:
        """Prose may name files anywhere. The disk is asked when a fence needs one."""
        for line in prose.splitlines():
            for path in paths_mentioned(line):
                self.note(path)

    @property
    def waits(self) -> bool:
        """Whether the next fence may have the new lines of the last one."""
        return self._before is not None

    def take(self, fence: Fence) -> Iterator[Event]:
        """A fence ended that no format took for its own."""
        before, self._before = self._before, None
        if before is not None and says("after", fence.cue):
            yield from self._pair(before, fence)
            return
        if says("before", fence.cue) and not says("example", fence.cue) and not leaves_out(fence.lines):
            self._before = fence
            if self.holding(fence.lines, [fence.path] if fence.path else self.files_of(fence)):
                return
        for event in self._code(fence):
            self._before = None
            yield event

    def _code(self, fence: Fence) -> Iterator[Event]:
        if is_language("talk", fence.info) and not fence.path:
            return
        label = label_path(fence.lines[0], self.emitter.exists) if fence.lines else ""
        if fence.path or label:
            body = fence.lines[1:] if label else fence.lines
            yield from self.place(fence.path or label, body, fence.cue)
        else:
            yield from self._unnamed(fence)

    def place(self, path: str, body: Sequence[str], cue: str = "") -> Iterator[Event]:
        """Code that the answer names this file for."""
        called = () if says("new_file", cue) else files_called(self.emitter, path)
        meant = [other for other in called if self._is_of(other, body)]
        if len(meant) > 1:
            yield self.emitter.fail(path, f"{UNPLACED}: it fits several files ({', '.join(meant[:4])})")
            return
        for event in self._place(meant[0] if meant else path, body, cue):
            yield event
            if meant and isinstance(event, HunkClosed) and event.changes:
                yield Doubt(event.hunk_id, 0.0, MAY_BE_NEW.format(path))

    def _place(self, path: str, body: Sequence[str], cue: str) -> Iterator[Event]:
        emitter = self.emitter
        if says("example", cue) and not emitter.exists(path):
            return
        try:
            file = emitter.file(path)
        except SparkError as error:
            yield emitter.refuse(path, error)
            return
        self.note(path)
        if conflict := emitter.conflict(path):
            yield emitter.fail(path, conflict)
        elif file is None:
            yield from self._new_file(path, body)
        else:
            yield from self._into(path, body, cue)

    def decide(self, path: str, body: Sequence[str], cue: str) -> list[str]:
        """The file's lines with this code in it. Raises Misplaced."""
        view = self.view(path)
        if not any(line.strip() for line in body):
            raise Misplaced("the fence is empty")
        if (end := lost_end(body)) and end not in view.lines:
            raise Misplaced(f"there is no <<<<<<< SEARCH line before {end!r}")
        if is_whole(view.lines, body, self.emitter.asked, cue):
            if self.emitter.seen is not None and path not in self.emitter.seen and _hardly(view, body):
                self._blind.add(path)
            return list(body)
        try:
            return merge(view.lines, view.units, body, named=True)
        except Misplaced:
            if covers_all(view.lines, body):
                return list(body)
            raise

    def view(self, path: str) -> FileView:
        """The file as the earlier edits of the answer leave it."""
        known = self._views.get(path)
        made = len(self.emitter.edits_of(path))
        if known is None or known[0] != made:
            edited = after_hunks(self.emitter.lines_of(path), self.emitter.edits_of(path))
            known = self._views[path] = made, FileView(edited)
        return known[1]

    def write(self, path: str, new: Sequence[str], *, quiet: bool = False) -> Iterator[Event]:
        """Hunks that turn the file, as earlier edits leave it, into these lines. `quiet`: report nothing
        if nothing changes."""
        emitter = self.emitter
        later = self.view(path).edited
        changes = later.changes(LineMatch(0, len(later.lines), 0), new) if [*later.lines] != [*new] else []
        if changes is None:
            message = "this code changes lines that an earlier edit of the same answer wrote"
            yield emitter.fail(path, message)
            return
        if not changes:
            if not quiet:
                yield from emitter.close_parts(HunkDraft(emitter.new_id(), path, 0, ()), ())
            return
        start, end, text = changes[0]
        draft = HunkDraft(emitter.new_id(), path, start, tuple(emitter.lines_of(path)[start:end]))
        yield from emitter.announce(draft, text)
        for event in emitter.close_parts(draft, changes):
            if path in self._blind and isinstance(event, HunkClosed) and event.old_lines:
                yield Doubt(event.hunk_id, 0.0, BLIND)
            yield event

    # -- inside

    def _new_file(self, path: str, body: Sequence[str]) -> Iterator[Event]:
        if leaves_out(body):
            yield self.emitter.fail(path, f"{UNPLACED}: no such file, and part of it was left out")
            return
        draft = yield from self.emitter.add(path, None)
        if draft is not None:
            if body:
                yield draft.text("\n".join(body))
            yield from self.emitter.close(draft, body)

    def _into(self, path: str, body: Sequence[str], cue: str) -> Iterator[Event]:
        try:
            new = self.decide(path, body, cue)
        except Misplaced as why:
            yield self.miss(path, why)
            return
        yield from self.write(path, new)

    def miss(self, path: str, why: Misplaced) -> Event:
        return self.emitter.fail(
            path,
            f"{UNPLACED}: {why.message}",
            line=why.line,
            expected=why.expected,
            candidates=why.candidates,
        )

    def files_of(self, fence: Fence) -> list[str]:
        """Files that a fence without a name may be of."""
        mentioned = paths_mentioned(fence.cue, self.emitter.exists)
        others = (*reversed(self.named), self.emitter.last_path, *self.emitter.shown)
        paths = dict.fromkeys([*mentioned, *others])
        out = [path for path in paths if path and fits_language(path, fence.info)]
        return [path for path in out[:_MOST_FILES] if self._readable(path)]

    def _readable(self, path: str) -> bool:
        try:
            known = self.emitter.exists(path) and self.emitter.file(path) is not None
        except SparkError:
            return False
        return known and not self.emitter.kinds(path)

    def _is_of(self, path: str, body: Sequence[str]) -> bool:
        return self._readable(path) and _share(self.view(path), body) >= _ALIKE

    def _unnamed(self, fence: Fence) -> Iterator[Event]:
        if says("example", fence.cue) or not any(line.strip() for line in fence.lines):
            return
        mentioned = paths_mentioned(fence.cue, self.emitter.exists)
        if len(mentioned) == 1 and fits_language(mentioned[0], fence.info):
            yield from self._mentioned(mentioned[0], fence)
            return
        if not mentioned and says("new_file", fence.cue):
            named = paths_mentioned(fence.cue)
            if len(named) == 1 and fits_language(named[0], fence.info):
                yield from self.place(named[0], fence.lines, fence.cue)
                return
        fitting: list[tuple[float, str, list[str]]] = []
        several: list[tuple[str, Misplaced]] = []
        for path in self.files_of(fence):
            view = self.view(path)
            share = _share(view, fence.lines)
            if share < _ALIKE:
                continue
            try:
                if share >= _CLEARLY and is_whole(view.lines, fence.lines, "", fence.cue):
                    new = [*fence.lines]
                else:
                    new = merge(view.lines, view.units, fence.lines, named=False)
            except Misplaced as why:
                several += [(path, why)] if len(why.candidates) > 1 else []
                continue
            fitting.append((share, path, new))
        fitting.sort(key=lambda item: -item[0])
        if len(fitting) > 1 and not (fitting[0][0] >= _CLEARLY and fitting[1][0] <= _HARDLY):
            names = ", ".join(path for _, path, _ in fitting[:4])
            yield self.emitter.fail("", f"{UNPLACED}: it fits several files ({names})")
        elif fitting:
            self.note(fitting[0][1])
            yield from self.write(fitting[0][1], fitting[0][2], quiet=True)
        elif several:
            yield self.miss(*several[0])

    def _mentioned(self, path: str, fence: Fence) -> Iterator[Event]:
        """The sentence before the fence has one file's name in it: the code may be of it."""
        try:
            new = self.decide(path, fence.lines, fence.cue)
        except Misplaced as why:
            if _share(self.view(path), fence.lines) >= _ALIKE or len(why.candidates) > 1:
                yield self.miss(path, why)
            return
        self.note(path)
        yield from self.write(path, new, quiet=True)

    def _pair(self, before: Fence, after: Fence) -> Iterator[Event]:
        """Old lines in one fence, new lines in the next."""
        path = before.path or after.path or self.holding(before.lines, self.files_of(before))
        if not path:
            if any(line.strip() for line in after.lines) and self.files_of(before):
                yield self.emitter.fail("", f"{UNPLACED}: its old lines are in no file, or in several")
            return
        self.note(path)
        yield from SearchReplaceBlock(self.emitter, path).replace(before.lines, after.lines)

    def holding(self, quoted: Sequence[str], paths: Sequence[str]) -> str:
        return holding(self.emitter, quoted, paths)


def _hardly(view: FileView, body: Sequence[str]) -> bool:
    """Whether less than half of the file's lines are in the code."""
    have = {folded(line) for line in body}
    return 2 * len(view.folded & have) < len(view.folded)


def _share(view: FileView, body: Sequence[str]) -> float:
    """How much of the code is in the file; all of it counts if it has the head of a definition of the
    file."""
    there = view.folded
    lines = [folded(line) for line in body if sum(ch.isalnum() for ch in line) > 1 and not is_elision(line)]
    if not lines:
        return 0.0
    share = sum(line in there for line in lines) / len(lines)
    heads = [folded(body[unit.head]) for unit in units_of(body) if unit.kind != "value"]
    return max(share, _ALIKE) if any(head in there for head in heads) else share
