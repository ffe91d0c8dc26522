"""Writes what the user types into files like every other change: compared, checkpointed, all or nothing,
and undoable."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from textwrap import shorten
from typing import Protocol

from spark_tui import events
from spark_tui.edits.diff import diff
from spark_tui.edits.hunk import Hunk
from spark_tui.edits.merge import merge_lines
from spark_tui.errors import Misfit, NothingToDo, UsageError
from spark_tui.session.tree.decided_text import wanted_files
from spark_tui.session.tree.tree_reader import TreeReader
from spark_tui.session.tree.writer import WriteResult
from spark_tui.workspace.apply import ConflictedFile
from spark_tui.workspace.files import FileText, Tree

_KEPT_ALONE = "Your text stays here, unsaved: copy it, or bring the file back and save again."
_KEPT = "Your text stays here, unsaved: copy it, undo it, and paste it into the file as it is now."


TypedText = tuple[FileText, Sequence[str]]
"""A file as it was when typing began, and its lines now."""


class TypedWriter(Protocol):
    """What typed edits need of `changes.Changes`."""

    def write_typed(self, hunks: Sequence[Hunk], tree: Tree) -> WriteResult: ...
    def record_typed(self, written: WriteResult, timing: events.Timing, words: str) -> events.Applied: ...


@dataclass(frozen=True, slots=True)
class TypedFile:
    """A file as it is on the disk, and as the person has it."""

    base: tuple[str, ...]
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Base:
    """A file as it was read or saved last, and the lines that the person had then."""

    file: FileText
    lines: tuple[str, ...]


class ManualEdits:
    """Keeps the bytes that each file had when typing began, so that a save changes only what was typed
    and never overwrites someone else's changes."""

    def __init__(
        self,
        tree: TreeReader,
        writer: TypedWriter,
        keep: Callable[[Sequence[TypedText], events.Decided | None], None],
    ) -> None:
        """`keep` stores what is not saved yet where it survives this process."""
        self._tree = tree
        self._writer = writer
        self._keep = keep
        self._bases: dict[str, _Base] = {}
        self._lock = threading.RLock()

    def begin(self, path: str) -> Sequence[str]:
        """The lines of the file now, which the next save compares with."""
        with self._lock:
            file = self._now(path)
            self._bases[path] = _Base(file, file.lines)
            return file.lines

    def save(self, texts: Mapping[str, Sequence[str]]) -> events.Applied:
        """Write what was typed into these files, and nothing else; one undo takes it out again."""
        begun = time.monotonic()
        with self._lock:
            known: dict[str, FileText | None] = {path: self._base(path).file for path in texts}
            tree = self._tree.with_files(known)
            hunks = [
                hunk for path, lines in texts.items() for hunk in typed_hunks(self._base(path).file, lines)
            ]
            if not hunks:
                raise NothingToDo("everything you typed is saved")
            try:
                written = self._writer.write_typed(hunks, tree)
            except ConflictedFile as error:
                hint = _KEPT_ALONE if error.disagreements[0].gone else _KEPT
                raise ConflictedFile(error.disagreements, hint=hint) from error
            for want in wanted_files(hunks, tree):
                if want.target is not None:
                    file = FileText(want.path, want.target, self._base(want.path).file.mode)
                    self._bases[want.path] = _Base(file, tuple(texts[want.path]))
            first = next((line.strip() for hunk in hunks for line in hunk.new_lines if line.strip()), "")
            words = f"typed: {shorten(first, 60, placeholder=' …')}" if first else f"typed in {hunks[0].path}"
            return self._writer.record_typed(written, events.Timing(apply=time.monotonic() - begun), words)

    def create(self, path: str) -> events.Applied:
        """Make an empty file; one undo takes it away again."""
        begun = time.monotonic()
        with self._lock:
            if self._tree.now(path) is not None:
                raise UsageError("this file exists", where=path)
            added = Hunk(1, path, 1, (), (), "add")
            written = self._writer.write_typed([added], self._tree.with_files({path: None}))
            timing = events.Timing(apply=time.monotonic() - begun)
            return self._writer.record_typed(written, timing, f"new file: {path}")

    def typed(self, texts: Mapping[str, Sequence[str]]) -> list[TypedText]:
        """Each of these files as the next save compares it, and its text now."""
        with self._lock:
            return [(self._base(path).file, lines) for path, lines in texts.items()]

    def keep(self, texts: Mapping[str, Sequence[str]], hunk: events.Decided | None) -> None:
        """Store what is not saved, and the edit of a hunk, in case this process is killed."""
        self._keep(self.typed(texts), hunk)

    def rebase(self, path: str, lines: Sequence[str]) -> TypedFile | None:
        """Apply the user's lines to a file that changed on disk. None if both changed the same lines:
        then nothing moves, and a save reports it."""
        with self._lock:
            base, now = self._base(path), self._now(path)
            untouched = tuple(lines) == (base.lines or ("",))  # an editor always has one line to stand on
            ours = base.file.lines if untouched else lines
            merged = merge_lines(base.file.lines, ours, now.lines)
            if merged is None:
                return None
            self._bases[path] = _Base(now, now.lines)
            return TypedFile(now.lines, merged)

    def _base(self, path: str) -> _Base:
        try:
            return self._bases[path]
        except KeyError:
            raise UsageError("this file is not being edited", where=path) from None

    def _now(self, path: str) -> FileText:
        file = self._tree.now(path)
        if file is None:
            raise Misfit("no such file", where=path)
        return file


def typed_hunks(file: FileText, lines: Sequence[str]) -> list[Hunk]:
    """The lines that differ, as hunks. A file without a final newline stays without one, unless the user
    added an empty last line, which is what a final newline looks like there."""
    old, new = file.lines, tuple(lines)
    bare = bool(old) and not file.final_newline
    ends = bare and len(new) > 1 and not new[-1]
    if not file.final_newline and not new[-1]:
        new = new[:-1]  # of an empty file the same: an editor always has one line to stand on
    blocks = diff(old, new)
    reaches = bool(blocks) and blocks[-1][1] == len(old)
    if bare and new and reaches and blocks[-1][2] == len(new):
        a0, a1, b0, b1 = blocks[-1]
        blocks[-1] = (a0 - 1, a1, b0 - 1, b1)
    elif ends and not reaches:
        blocks.append((len(old) - 1, len(old), len(new) - 1, len(new)))
    out = [
        Hunk(at + 1, file.path, a0 + 1, old[a0:a1], new[b0:b1]) for at, (a0, a1, b0, b1) in enumerate(blocks)
    ]
    if bare and new and (reaches or ends):
        out[-1] = replace(out[-1], final_newline=ends)
    return out
