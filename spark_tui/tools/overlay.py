"""Files as a model sees them: as they were read, with its own hunks that nobody turned down.

Line numbers of the overlay and of the files themselves differ; `to_base` leads from one to the other. It is a
snapshot: the person decides while a model reads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from spark_tui.edits.hunk import Hunk, apply_to_lines, overlaps
from spark_tui.edits.hunk_builder import created, rewrite
from spark_tui.edits.paths import clean, file_meant
from spark_tui.errors import Refused
from spark_tui.workspace.files import FileText, Tree

LIVE = frozenset(("open", "accepted", "edited", "applied"))
"""States in which a hunk is part of the overlay."""
WHY_FIXED = {
    "edited": "the person rewrote these lines",
    "applied": "these lines were written to the file since",
}
"""States in which a model may not take a hunk of its turn into another one."""


@dataclass(frozen=True, slots=True)
class PendingHunk:
    """A hunk of the session and what was decided about it."""

    hunk: Hunk
    state: str
    earlier: bool = False
    """Whether it is of a turn before: what the person made of it may be what they ask about now."""


@dataclass(frozen=True, slots=True)
class BaseRange:
    """`lines[start:end]` of the file itself, which become `new`; `merged` are pending hunks that are in
    it."""

    start: int
    end: int
    new: tuple[str, ...]
    merged: tuple[PendingHunk, ...] = ()


@dataclass(frozen=True, slots=True)
class _Written:
    """`lines[start:end]` of the overlay are what this hunk made of its lines."""

    start: int
    end: int
    pending: PendingHunk

    @property
    def inserts_at(self) -> int:
        """The line of the file before which it inserts; 0 where it replaces lines."""
        return 0 if self.pending.hunk.old_lines else self.pending.hunk.old_start


class Overlay:
    """`tree` with the live ones of `pending`. `withheld` says why a file is not shown; `listed` are the paths
    that may be."""

    def __init__(
        self,
        tree: Tree,
        pending: Iterable[PendingHunk] = (),
        *,
        listed: Callable[[], Sequence[str]] = lambda: (),
        withheld: Callable[[str], str] = lambda _path: "",
    ) -> None:
        self.tree = tree
        self._listed = listed
        self._withheld = withheld
        self._of_path: dict[str, list[PendingHunk]] = {}
        self._moved: dict[str, str] = {}
        """New name = the name in the tree."""
        live = [item for item in pending if item.state in LIVE]
        self._earlier = [item for item in live if item.earlier]
        shown = set(_shown(live))
        self.unseen = [item.hunk for item in live if item.hunk.id not in shown]
        """Hunks of earlier turns that are left out, because others make something else of their lines."""
        for pending_hunk in live:
            if pending_hunk.hunk.id not in shown:
                continue
            self._of_path.setdefault(pending_hunk.hunk.path, []).append(pending_hunk)
            if pending_hunk.hunk.kind == "move":
                self._moved[pending_hunk.hunk.new_path] = pending_hunk.hunk.path
        self._lines: dict[str, tuple[str, ...] | None] = {}

    @property
    def changed(self) -> tuple[str, ...]:
        """Paths that differ from the tree, old names and new ones."""
        return tuple(dict.fromkeys((*self._of_path, *self._moved)))

    @cached_property
    def paths(self) -> tuple[str, ...]:
        """The files that may be shown, with those that are new."""
        found = dict.fromkeys(self._listed())
        for path in self.changed:
            if self.exists(path) and not self._withheld(path):
                found[path] = None
            else:
                found.pop(path, None)
        return tuple(sorted(found))

    def named(self, path: str) -> str:
        """A path that a model wrote as the tree has it: it may be a whole one, as in a traceback."""
        return clean(clean(path).removeprefix(f"{self.tree.root}/"))

    def meant(self, path: str) -> str:
        """The path of one file, without what a model may write around it."""
        return self.named(file_meant(self.named(path), self._is_there))

    def _is_there(self, path: str) -> bool:
        try:
            return self.tree.entry(path) is not None
        except Refused:
            return True

    def exists(self, path: str) -> bool:
        return self.lines(path) is not None

    def check(self, path: str) -> None:
        """Raises Refused for a path that leads out of the tree, and for a file that no model is shown."""
        self.tree.file(path)
        if why := self._withheld(path):
            raise Refused(f"{path} {why}".replace("; name it with @ to show it", ""), where=path)

    def lines(self, path: str) -> tuple[str, ...] | None:
        """The file's lines; None where there is none. Raises Refused as `check` does."""
        path = self.named(path)
        if path not in self._lines:
            self.check(path)
            self._lines[path] = self._made(path)
        return self._lines[path]

    def lines_before_turn(self, path: str) -> tuple[str, ...] | None:
        """The file's lines without the hunks of this turn."""
        before = Overlay(self.tree, self._earlier)
        return before.lines(path) or before.lines(self.base_path(path))

    def data(self, path: str) -> bytes | None:
        """The file's bytes."""
        source, hunks = self._hunks(path)
        if source is None:
            return None
        whole = {hunk.kind: hunk for hunk in hunks if hunk.kind != "edit"}
        if "add" in whole:
            return created(whole["add"], self.tree.newline_for(path))
        before = self.tree.file(source)
        return None if before is None else rewrite(before, [hunk for hunk in hunks if hunk.kind == "edit"])

    def read(self, path: str) -> str | None:
        """The file's text with its own line endings, as `pysource` reads it; None where there is none."""
        path = self.named(path)
        self.check(path)
        data = self.data(path)
        if data is None:
            return None
        found = FileText(path, data)
        try:
            return data.decode(found.encoding, "surrogateescape" if found.encoding == "utf-8" else "strict")
        except UnicodeDecodeError:
            return None

    def to_base(self, path: str, start: int, end: int, new: Sequence[str]) -> BaseRange:
        """What `new` in place of `lines[start:end]` of the overlay means for the file itself. Pending hunks
        that it touches are taken in, whole."""
        lines = self.lines(path) or ()
        every = self._written(path)
        touched = [item for item in every if item.start <= end and start <= item.end]
        touched = [item for item in touched if _touches(item, start, end)]
        # Of insertions in one place only their numbers tell which comes first.
        places = {item.inserts_at for item in touched} - {0}
        touched = [item for item in every if item in touched or item.inserts_at in places]
        low = min([start, *(item.start for item in touched)])
        high = max([end, *(item.end for item in touched)])
        text = (*lines[low:start], *new, *lines[end:high])
        return BaseRange(
            self._base_line(path, low, touched, first=True),
            self._base_line(path, high, touched, first=False),
            text,
            tuple(item.pending for item in touched),
        )

    def base_path(self, path: str) -> str:
        """The name that the file has in the tree."""
        return self._moved.get(path, path)

    def whole(self, path: str) -> PendingHunk | None:
        """The pending hunk that adds the file."""
        return next((item for item in self._of_path.get(path, ()) if item.hunk.kind == "add"), None)

    def pending(self, path: str) -> tuple[PendingHunk, ...]:
        return tuple(self._of_path.get(self.base_path(path), ()))

    def _hunks(self, path: str) -> tuple[str | None, list[Hunk]]:
        """The file's name in the tree (None where the overlay has no such file), and its hunks."""
        source = self._moved.get(path, path)
        hunks = [item.hunk for item in self._of_path.get(source, ())]
        kinds = {hunk.kind for hunk in hunks}
        gone = "delete" in kinds or ("move" in kinds and path == source)
        return (None if gone else source), hunks

    def _made(self, path: str) -> tuple[str, ...] | None:
        source, hunks = self._hunks(path)
        if source is None:
            return None
        added = next((hunk for hunk in hunks if hunk.kind == "add"), None)
        if added is not None:
            return added.new_lines
        lines = self.tree.read_lines(source)
        if lines is None:
            return None
        return tuple(apply_to_lines(lines, _in_order(hunks))) if hunks else lines

    def _written(self, path: str) -> list[_Written]:
        out: list[_Written] = []
        gained = 0
        pending = {hunk.hunk.id: hunk for hunk in self.pending(path)}
        for hunk in _in_order([item.hunk for item in pending.values()]):
            start = hunk.old_start - 1 + gained
            out.append(_Written(start, start + len(hunk.new_lines), pending[hunk.id]))
            gained += len(hunk.new_lines) - len(hunk.old_lines)
        return out

    def _base_line(self, path: str, line: int, touched: Sequence[_Written], *, first: bool) -> int:
        """The file's own line at a line of the overlay that lies in no hunk, or at an edge of one in
        `touched`."""
        taken = {written.pending.hunk.id for written in touched}
        if first and (starts := [one.pending.hunk.old_start for one in touched if one.start == line]):
            return min(starts) - 1
        if not first and (ends := [one.pending.hunk.old_end for one in touched if one.end == line]):
            return max(ends) - 1
        gained = 0
        for one in self._written(path):
            before = one.end < line or (one.end == line and (first or one.pending.hunk.id not in taken))
            if before:
                gained += len(one.pending.hunk.new_lines) - len(one.pending.hunk.old_lines)
        return line - gained


def _touches(written: _Written, start: int, end: int) -> bool:
    """Whether an edit of `lines[start:end]` has to be one with this hunk: it changes what the hunk wrote, or
    only their order could tell what stands first."""
    if start == end or written.start == written.end:
        return True
    return start < written.end and written.start < end


def _in_order(hunks: Iterable[Hunk]) -> list[Hunk]:
    edits = (hunk for hunk in hunks if hunk.kind == "edit")
    return sorted(edits, key=lambda item: (item.old_start, item.old_end, item.id))


def _shown(live: Sequence[PendingHunk]) -> Iterator[int]:
    """Of hunks in the same lines one: of its own turn, else an accepted one, else the last."""
    by_path: dict[str, list[PendingHunk]] = {}
    for item in reversed(live):
        by_path.setdefault(item.hunk.path, []).append(item)
    for items in by_path.values():
        if len(items) == 1:
            yield items[0].hunk.id
            continue
        edits = _in_order(item.hunk for item in items)
        if len(edits) == len(items) and not any(map(overlaps, edits, edits[1:])):
            yield from (item.hunk.id for item in items)
            continue
        kept: list[Hunk] = []
        for item in sorted(items, key=lambda one: (one.earlier, one.state == "open")):
            if not any(overlaps(item.hunk, hunk) for hunk in kept):
                kept.append(item.hunk)
        yield from (hunk.id for hunk in kept)
