"""Checkpoints: what the touched files were before a change and after it, kept where no work of the user is
touched.

Comes in: file contents, and what the change was about. Goes out: numbered checkpoints to look at, restore
from and prune. Must not know: how they are stored (`git_store`, `file_store`), how to merge.
"""

from __future__ import annotations

import json
import re
import stat
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from spark_tui.errors import MalformedInput, UsageError

Kind = Literal["apply", "undo", "redo", "restore", "snapshot"]
Side = Literal["before", "after", "base"]


@dataclass(frozen=True, slots=True)
class FileContent:
    """A file's bytes (None: it is not there) and permission bits."""

    data: bytes | None
    mode: int = 0o644


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """One file of a checkpoint: where its contents are kept (empty: it is not there)."""

    path: str
    before: str
    after: str
    before_mode: int = 0o644
    after_mode: int = 0o644
    base: str = ""
    """What the edit was made for, where that was not `before` (it had to be merged)."""

    @property
    def is_link(self) -> bool:
        """Whether the name itself was changed where it is a link, and not the file that it points to."""
        return stat.S_ISLNK(self.before_mode) or stat.S_ISLNK(self.after_mode)

    def key(self, side: Side) -> str:
        if side == "base":
            return self.base or self.before
        return self.before if side == "before" else self.after

    def mode(self, side: Side) -> int:
        return self.after_mode if side == "after" else self.before_mode


@dataclass(frozen=True, slots=True)
class UndoMove:
    """Hunks of one checkpoint that were out before, and that are out from then on (0: all of a file-level
    change)."""

    number: int
    was: tuple[int, ...]
    now: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CheckpointNote:
    """What a change was about. `hunks` are plain JSON values that this room does not look into."""

    kind: Kind = "apply"
    turn: str = ""
    label: str = ""
    at: float = 0.0
    hunks: tuple[Mapping[str, Any], ...] = ()
    moves: tuple[UndoMove, ...] = ()
    """For an undo or redo: which checkpoints it is about."""
    folder: str = ""
    """Where the paths start, from the repository's root: empty, or a folder with a slash behind it."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    session: str
    number: int
    note: CheckpointNote
    files: tuple[ChangedFile, ...] = field(default=())

    @property
    def id(self) -> str:
        return f"{self.session}/{self.number}"

    @property
    def paths(self) -> tuple[str, ...]:
        return tuple(file.path for file in self.files)


class CheckpointStore(Protocol):
    """Where checkpoints are kept."""

    def save(
        self,
        session: str,
        note: CheckpointNote,
        before: Mapping[str, FileContent],
        after: Mapping[str, FileContent],
        base: Mapping[str, bytes] | None = None,
    ) -> Checkpoint:
        """Keep both sides of the same paths, under the session's next number."""
        ...

    def list(self, session: str = "") -> list[Checkpoint]:
        """Oldest first; of one session, or of all."""
        ...

    def blob(self, key: str) -> bytes:
        """The bytes kept under a key of `ChangedFile`."""
        ...

    def sizes(self, keys: Sequence[str]) -> dict[str, int]:
        """How many bytes each key takes, as they are (not as they are packed)."""
        ...

    def remove(self, checkpoints: Sequence[Checkpoint]) -> None:
        """Forget them; bytes that nothing else needs go too (with git: when git collects)."""
        ...


def content(store: CheckpointStore, file: ChangedFile, side: Side) -> FileContent:
    key = file.key(side)
    return FileContent(store.blob(key) if key else None, file.mode(side))


def get(store: CheckpointStore, checkpoint_id: str) -> Checkpoint:
    """By `session/number`, or by a number alone where only one session has it."""
    session, _, number = checkpoint_id.rpartition("/")
    if not number.isdigit():
        raise UsageError(f"not a checkpoint: {checkpoint_id!r}", hint="spark checkpoints list")
    found = [one for one in store.list(session) if one.number == int(number)]
    if not found:
        raise UsageError(f"no checkpoint {checkpoint_id}", hint="spark checkpoints list")
    if len(found) > 1:
        names = ", ".join(one.id for one in found)
        raise UsageError(f"several sessions have a checkpoint {number}", hint=f"Name one: {names}")
    return found[0]


@dataclass(frozen=True, slots=True)
class PruneBounds:
    """What may stay. None: no bound."""

    max_age_seconds: float | None = None
    max_count: int | None = None
    max_bytes: int | None = None


def prune(store: CheckpointStore, bounds: PruneBounds, now: float) -> list[Checkpoint]:
    """Forget the oldest until all bounds hold; the forgotten, oldest first."""
    newest_first = sorted(store.list(), key=lambda one: (one.note.at, one.session, one.number), reverse=True)
    sizes = (
        store.sizes([key for one in newest_first for key in _keys(one)])
        if bounds.max_bytes is not None
        else {}
    )
    kept: set[str] = set()
    gone: list[Checkpoint] = []
    taken = 0
    full = False
    for count, one in enumerate(newest_first, start=1):
        new = _keys(one) - kept
        taken += sum(sizes.get(key, 0) for key in new)
        kept |= new
        # Once one has to go, all older ones go: a history has no holes.
        full = (
            full
            or (bounds.max_count is not None and count > bounds.max_count)
            or (bounds.max_bytes is not None and taken > bounds.max_bytes)
            or (bounds.max_age_seconds is not None and now - one.note.at > bounds.max_age_seconds)
        )
        if full:
            gone.append(one)
    gone.reverse()
    store.remove(gone)
    return gone


def _keys(checkpoint: Checkpoint) -> set[str]:
    return {key for file in checkpoint.files for key in (file.before, file.after, file.base) if key}


def safe_session(name: str) -> str:
    """A session's name as one part of a ref or a folder."""
    plain = re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-")[:80]
    return plain or "session"


def to_json(note: CheckpointNote, files: Sequence[ChangedFile]) -> str:
    record = {
        "spark": 1,
        "kind": note.kind,
        "turn": note.turn,
        "label": note.label,
        "at": note.at,
        "folder": note.folder,
        "moves": [[move.number, list(move.was), list(move.now)] for move in note.moves],
        "files": [
            [file.path, file.before, file.after, file.before_mode, file.after_mode, file.base]
            for file in files
        ],
        "hunks": list(note.hunks),
    }
    return json.dumps(record, separators=(",", ":"))


def from_json(session: str, number: int, text: str) -> Checkpoint:
    """The inverse; MalformedInput for what is no record of ours."""
    try:
        record = json.loads(text)
        note = CheckpointNote(
            record["kind"],
            record["turn"],
            record["label"],
            float(record["at"]),
            tuple(record["hunks"]),
            tuple(UndoMove(number, tuple(was), tuple(now)) for number, was, now in record["moves"]),
            record["folder"],
        )
        files = tuple(ChangedFile(*fields) for fields in record["files"])
    except (ValueError, KeyError, TypeError) as error:
        raise MalformedInput("this checkpoint cannot be read", where=f"{session}/{number}") from error
    return Checkpoint(session, number, note, files)
