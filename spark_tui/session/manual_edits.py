"""What the person types into files, saved like everything else: compared, checkpointed, all or nothing,
undoable.

Comes in: paths, and lines as the person has them now. Goes out: the lines they begin with, `Applied`, and
what their lines are once the file has become another. Must not know: keys, cursors, what is still only on the
screen.

The bytes that the lines were read from are kept here until the file is let go of, so that a save changes no
byte beside what was typed, and never goes over what somebody else wrote meanwhile.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event as StopFlag

from spark_tui import events
from spark_tui.backends import ghost_text
from spark_tui.backends.base import Backend
from spark_tui.config.settings import Settings
from spark_tui.edits.hunk import Hunk
from spark_tui.edits.merge import merge_lines
from spark_tui.edits.rebase import changes
from spark_tui.errors import Misfit, NothingToDo, SparkError, UsageError
from spark_tui.session.context_builder import ContextBuilder
from spark_tui.session.decided_text import wanted_files
from spark_tui.session.review_store import ReviewStore
from spark_tui.workspace.files import FileText, Tree


@dataclass(frozen=True, slots=True)
class TypedFile:
    """A file as it is on the disk, and as the person has it."""

    base: tuple[str, ...]
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Base:
    """A file as it was read or saved last, and the person's lines of then."""

    file: FileText
    said: tuple[str, ...]


class ManualEdits(ReviewStore):
    """The person's own edits. `Session` is one."""

    backend: Backend
    """What the model behind `fill` is; whoever runs turns has one."""
    asking: ContextBuilder

    def __init__(
        self, root: Path, settings: Settings, state: Path, session_id: str, clock: Callable[[], float]
    ) -> None:
        super().__init__(root, settings, state, session_id, clock)
        self._bases: dict[str, _Base] = {}
        self._cannot_fill: Backend | None = None

    def begin_typing(self, path: str) -> Sequence[str]:
        """The lines of the file now; from here on they are what a save compares with."""
        with self._lock:
            file = self._now(path)
            self._bases[path] = _Base(file, file.lines)
            return file.lines

    def save(self, texts: Mapping[str, Sequence[str]]) -> events.Applied:
        """Write what was typed into these files, and nothing else; one undo takes it out again."""
        begun = time.monotonic()
        with self._lock:
            known: dict[str, FileText | None] = {path: self._base(path).file for path in texts}
            tree = Tree(self.root, most_bytes=self.settings.max_file_bytes, known=known)
            hunks = [
                hunk for path, lines in texts.items() for hunk in typed_hunks(self._base(path).file, lines)
            ]
            if not hunks:
                raise NothingToDo("everything you typed is saved")
            # A save is one thing to undo, so it has no hunks that could be taken out alone.
            turn = f"{self.id}-by-hand-{secrets.token_hex(4)}"
            with self.ledger.one_writer():
                ready = self.ledger.plan(hunks, tree)
                written = self.ledger.write(ready, (), tree, turn=turn, label="typed")
            for want in wanted_files(hunks, tree):
                if want.target is not None:
                    file = FileText(want.path, want.target, self._base(want.path).file.mode)
                    self._bases[want.path] = _Base(file, tuple(texts[want.path]))
            applied = events.Applied(
                written.paths, written.checkpoint, timing=events.Timing(apply=time.monotonic() - begun)
            )
            self._checkpoints.append(written.checkpoint)
            self._committable = True
            self._keep(applied)
            self._keep_checkpoints()
            return applied

    def keep_typing(self, path: str, lines: Sequence[str]) -> TypedFile | None:
        """The file is another than it was: the person's lines on what it is now. None where both changed the
        same lines; then nothing moves, and a save says so."""
        with self._lock:
            base, now = self._base(path), self._now(path)
            ours = base.file.lines if tuple(lines) == base.said else lines
            merged = merge_lines(base.file.lines, ours, now.lines)
            if merged is None:
                return None
            self._bases[path] = _Base(now, now.lines)
            return TypedFile(now.lines, merged)

    def fill(self, path: str, lines: Sequence[str], row: int, column: int, *, stop: StopFlag) -> str:
        """Ghost text: the rest of the line behind a cursor, where the model is sure enough of it; else
        nothing. It waits for turns, and never for long: a set `stop` ends it within one pass. A backend that
        failed at it once is not asked again, and none is shown a file that is shown only where it is
        named."""
        backend = self.backend
        least = ghost_text.fill_threshold(backend)
        if (
            least is None
            or not self.settings.ghost
            or self._cannot_fill is backend
            or self.asking.withheld(path)
        ):
            return ""
        try:
            filled = ghost_text.fill(backend, *ghost_text.text_around(lines, row, column), stop)
        except SparkError:
            self._cannot_fill = backend
            return ""
        return filled.text if ghost_text.is_shown(filled, least) and not stop.is_set() else ""

    def _base(self, path: str) -> _Base:
        try:
            return self._bases[path]
        except KeyError:
            raise UsageError("this file is not being edited", where=path) from None

    def _now(self, path: str) -> FileText:
        file = Tree(self.root, most_bytes=self.settings.max_file_bytes).now(path)
        if file is None:
            raise Misfit("no such file", where=path)
        return file


def typed_hunks(file: FileText, lines: Sequence[str]) -> list[Hunk]:
    """The lines that differ, as hunks. A file whose last line has no newline goes on having none, unless the
    person put an empty line behind it: that is what a newline at the end looks like there."""
    old, new = file.lines, tuple(lines)
    bare = bool(old) and not file.final_newline
    ends = bare and len(new) > 1 and not new[-1]
    if not file.final_newline and not new[-1]:
        new = new[:-1]  # of an empty file the same: an editor always has one line to stand on
    blocks = changes(old, new)
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
