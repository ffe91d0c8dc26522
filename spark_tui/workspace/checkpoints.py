"""Checkpoints: the touched files before and after each change, numbered by session.

This file has what every store shares; `git_checkpoints` and `file_checkpoints` keep them.
"""

from __future__ import annotations

import json
import re
import stat
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, field
from typing import Any, Literal, Protocol

from spark_tui.errors import MalformedInput, UsageError

Kind = Literal["apply", "undo", "redo", "restore"]
Side = Literal["before", "after", "base"]


@dataclass(frozen=True, slots=True)
class FileContent:
    """A file's bytes (None where it does not exist) and permission bits."""

    data: bytes | None
    mode: int = 0o644


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """One file of a checkpoint, with the keys of its contents (empty where it does not exist)."""

    path: str
    before: str
    after: str
    before_mode: int = 0o644
    after_mode: int = 0o644
    base: str = ""
    """The version that the edit was made for, where it was merged into another one."""

    @property
    def keys(self) -> set[str]:
        """Of all contents that are kept for it."""
        return {key for key in (self.before, self.after, self.base) if key}

    @property
    def is_link(self) -> bool:
        """Whether the change is of a symbolic link itself, not of its target."""
        return stat.S_ISLNK(self.before_mode) or stat.S_ISLNK(self.after_mode)

    def key(self, side: Side) -> str:
        if side == "base":
            return self.base or self.before
        return self.before if side == "before" else self.after

    def mode(self, side: Side) -> int:
        return self.after_mode if side == "after" else self.before_mode


@dataclass(frozen=True, slots=True)
class UndoMove:
    """Which hunks of one checkpoint were undone before the move, and which are undone after it. 0 stands for
    a change of whole files."""

    number: int
    was: tuple[int, ...]
    now: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CheckpointNote:
    """What a change was about. `hunks` are plain JSON values that are stored as they are."""

    kind: Kind = "apply"
    turn: str = ""
    label: str = ""
    at: float = 0.0
    hunks: tuple[Mapping[str, Any], ...] = ()
    moves: tuple[UndoMove, ...] = ()
    """For an undo or redo: what it moved in which checkpoints."""
    folder: str = ""
    """The folder of the paths, from the repository's root: empty, or with a slash at its end."""
    worktree: str | None = None
    """Which working tree of the repository was changed, as its folder in git's; the first one has no name.
    None where an older spark did not say."""
    made: tuple[str, ...] | None = None
    """The folders that the change made, outermost first; None where an older spark did not say."""

    @property
    def hunk_ids(self) -> tuple[int, ...]:
        """Those that were written, or that went out or came back."""
        moved = (hunk for move in self.moves for hunk in sorted(set(move.was) ^ set(move.now)) if hunk)
        return (*(int(hunk["hunk_id"]) for hunk in self.hunks), *moved)


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

    @property
    def keys(self) -> set[str]:
        """Of all contents that are kept for it."""
        return {key for file in self.files for key in file.keys}


@dataclass(frozen=True, slots=True)
class ChangedContents:
    """The same paths before and after a change. `base`: the versions that edits were made for, where they
    were merged into other ones."""

    before: Mapping[str, FileContent]
    after: Mapping[str, FileContent]
    base: Mapping[str, bytes] = field(default_factory=dict)

    @property
    def contents(self) -> list[bytes]:
        """Everything to keep."""
        sides = (item.data for item in (*self.before.values(), *self.after.values()))
        return [data for data in (*sides, *self.base.values()) if data is not None]

    def files(self, key_of: Callable[[bytes], str]) -> tuple[ChangedFile, ...]:
        """The record of the change, whose contents are kept under `key_of`."""

        def key(data: bytes | None) -> str:
            return "" if data is None else key_of(data)

        found = []
        for path, old in self.before.items():
            new, base = self.after[path], self.base.get(path)
            keys = key(old.data), key(new.data)
            found.append(ChangedFile(path, *keys, old.mode, new.mode, key(base)))
        return tuple(found)


class CheckpointStore(Protocol):
    def save(self, session: str, note: CheckpointNote, sides: ChangedContents) -> Checkpoint:
        """Keep a change under the session's next number."""

    def list(self, session: str = "", *, everywhere: bool = False) -> list[Checkpoint]:
        """Oldest first; of one session, or of all. `everywhere`: those of the repository's other working
        trees too, such as the ones of jobs."""

    def blobs(self, keys: Collection[str]) -> dict[str, bytes]:
        """The bytes kept under keys of `ChangedFile`."""

    def sizes(self, keys: Sequence[str]) -> dict[str, int]:
        """How many bytes each key takes, as they are (not as they are packed)."""

    def remove(self, checkpoints: Sequence[Checkpoint]) -> None:
        """Forget them, and the contents that no other checkpoint needs (in git, at its next collection)."""


def next_number(numbers: Iterable[int]) -> int:
    """The number after all that were given."""
    return max(numbers, default=0) + 1


def in_order(checkpoints: Iterable[Checkpoint]) -> list[Checkpoint]:
    """By session, oldest first."""
    return sorted(checkpoints, key=lambda item: (item.session, item.number))


def by_age(checkpoints: Iterable[Checkpoint]) -> list[Checkpoint]:
    """Oldest first. Within a session the number decides: the clock may have gone back."""
    latest: dict[str, float] = {}
    aged = []
    for item in in_order(checkpoints):
        latest[item.session] = max(item.note.at, latest.get(item.session, item.note.at))
        aged.append((latest[item.session], item))
    return [item for _, item in sorted(aged, key=lambda pair: pair[0])]


def contents(store: CheckpointStore, files: Sequence[ChangedFile], side: Side) -> dict[str, FileContent]:
    """The files as they are on one side, by their paths."""
    kept = store.blobs({key for file in files if (key := file.key(side))})
    return {file.path: FileContent(kept.get(file.key(side)), file.mode(side)) for file in files}


def get(store: CheckpointStore, checkpoint_id: str) -> Checkpoint:
    """By `session/number`, or by a number alone where only one session has it."""
    session, _, number = checkpoint_id.rpartition("/")
    if not number.isdigit():
        raise UsageError(f"no checkpoint {checkpoint_id!r}", hint="`spark checkpoints` lists them.")
    found = [item for item in store.list(session) if item.number == int(number)]
    if not found:
        raise UsageError(f"no checkpoint {checkpoint_id}", hint="`spark checkpoints list` lists them.")
    if len(found) > 1:
        names = ", ".join(item.id for item in found)
        raise UsageError(f"several sessions have a checkpoint {number}", hint=f"Name one: {names}")
    return found[0]


@dataclass(frozen=True, slots=True)
class PruneBounds:
    """How much may be kept; None is no bound."""

    max_age_seconds: float | None = None
    max_count: int | None = None
    max_bytes: int | None = None


def prune(store: CheckpointStore, bounds: PruneBounds, now: float) -> list[Checkpoint]:
    """Forget the oldest checkpoints until all bounds hold. Returns the forgotten, oldest first."""
    oldest_first = by_age(store.list(everywhere=True))
    sizes: dict[str, int] = {}
    if bounds.max_bytes is not None:
        sizes = store.sizes([key for checkpoint in oldest_first for key in checkpoint.keys])
    kept: set[str] = set()
    taken = 0
    gone: list[Checkpoint] = []
    for count, one in enumerate(reversed(oldest_first), start=1):
        taken += sum(sizes.get(key, 0) for key in one.keys - kept)
        kept |= one.keys
        pairs = (
            (count, bounds.max_count),
            (taken, bounds.max_bytes),
            (now - one.note.at, bounds.max_age_seconds),
        )
        if any(bound is not None and found > bound for found, bound in pairs):
            # All older ones go, too: a history has no holes.
            gone = oldest_first[: len(oldest_first) - count + 1]
            break
    store.remove(gone)
    return gone


def safe_session(name: str) -> str:
    """A session's name as one component of a ref or a path."""
    plain = re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-")[:80]
    return plain or "session"


def to_json(note: CheckpointNote, files: Sequence[ChangedFile]) -> str:
    names = ("kind", "turn", "label", "at", "folder", "worktree", "made")
    record = {
        "spark": 1,
        **{name: getattr(note, name) for name in names},
        "moves": [astuple(move) for move in note.moves],
        "files": [astuple(file) for file in files],
        "hunks": list(note.hunks),
    }
    return json.dumps(record, separators=(",", ":"))


def from_json(session: str, number: int, text: str) -> Checkpoint:
    """The inverse of `to_json`. Raises MalformedInput for any other text."""
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
            record.get("worktree"),
            None if record.get("made") is None else tuple(record["made"]),
        )
        files = tuple(ChangedFile(*fields) for fields in record["files"])
    except (ValueError, KeyError, TypeError) as error:
        raise MalformedInput("this checkpoint cannot be read", where=f"{session}/{number}") from error
    return Checkpoint(session, number, note, files)
