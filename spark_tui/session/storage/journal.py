"""The append-only record of a session: every event is written to it before it is shown.

A line is `crc32 SPACE {"at": seconds, "event": {...}} NEWLINE`. Each line is passed to the operating system
immediately, so it survives a killed process. It is synced to disk when a hunk closes, a decision is made,
files change or a turn ends, so a power failure loses at most the open hunk. A torn last line is cut off at
the next start; a bad line before it is an error that names the line.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from spark_tui import events
from spark_tui.errors import MalformedInput, NoPlace, Refused, is_full
from spark_tui.events import Event

T = TypeVar("T")
_SYNCED = (
    events.TurnStarted,
    events.HunkClosed,
    events.Decided,
    events.Applied,
    events.Undone,
    events.Finished,
    events.Failed,
)


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """An event and when it was journaled, in wall-clock seconds."""

    at: float
    event: Event


def cannot_keep(error: OSError, where: Path) -> NoPlace:
    """The error for a failed write: a full disk, or a folder that no longer exists."""
    first = "Make room on the disk" if is_full(error) else "Fix the permissions"
    what = f"cannot save this session: {error.strerror}"
    return NoPlace(what, where=str(where), hint=f"{first}, or set XDG_STATE_HOME.")


class ChecksummedFile:
    """A file of checksummed lines. One writer at a time (the kernel frees the lock of a dead one); anyone may
    read. Opening cuts off a torn last line."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        self._fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self.close()
            raise Refused(
                "this session is open in another spark",
                where=str(path.parent),
                hint=f"Quit it there, or copy the session: spark sessions fork {path.parent.name}",
            ) from error
        os.ftruncate(self._fd, _whole_bytes(path))

    def write(self, record: Any, *, sync: bool) -> None:
        """Returns once the operating system has the line, with `sync` once the disk has it. Raises NoPlace
        where it cannot be written; then no part of it is."""
        body = json.dumps(record, ensure_ascii=True, separators=(",", ":")).encode("ascii")
        line = b"%08x %s\n" % (zlib.crc32(body), body)
        before = os.fstat(self._fd).st_size
        try:
            written = os.write(self._fd, line)
            while written < len(line):
                written += os.write(self._fd, line[written:])
            if sync:
                os.fsync(self._fd)
        except OSError as error:
            # Part of a line would make every later line unreadable.
            with contextlib.suppress(OSError):
                os.ftruncate(self._fd, before)
            raise cannot_keep(error, self.path.parent) from error

    def close(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


class Journal(ChecksummedFile):
    """The events of a session."""

    def append(self, event: Event, at: float) -> None:
        """Returns once the operating system has the line."""
        record = {"at": round(at, 6), "event": events.to_dict(event)}
        self.write(record, sync=isinstance(event, _SYNCED))


def journals(state: Path) -> list[Path]:
    """The journals of a repository, newest first."""
    found = (state / "sessions").glob("[!.]*/journal.jsonl")
    return sorted(found, key=lambda path: path.parent.name, reverse=True)


def read(path: Path) -> Iterator[JournalEntry]:
    """Every whole entry. A torn last line is skipped; a bad one before it raises `MalformedInput`."""
    return records(path, lambda record: JournalEntry(float(record["at"]), events.from_dict(record["event"])))


def records(path: Path, make: Callable[[Any], T]) -> Iterator[T]:
    """The records of a checksummed file, each converted by `make`."""
    data = path.read_bytes() if path.exists() else b""
    lines = data.split(b"\n")
    torn = lines.pop()
    for number, line in enumerate(lines, start=1):
        try:
            made = make(_decode(line))
        except (ValueError, KeyError, TypeError) as error:
            if number == len(lines) and not torn:
                return
            raise MalformedInput(
                f"the journal is damaged: {error}",
                where=f"{path}:{number}",
                hint="The lines before it are intact: `spark sessions fork` copies them to a new session.",
            ) from error
        yield made


def cut_at_damage(path: Path) -> None:
    """Keep the lines before the first that cannot be read. Nobody may have the file open."""
    data = path.read_bytes() if path.exists() else b""
    whole = 0
    for line in data.split(b"\n")[:-1]:
        try:
            _decode(line)
        except ValueError:
            break
        whole += len(line) + 1
    if whole < len(data):
        os.truncate(path, whole)


def _decode(line: bytes) -> Any:
    checksum, _, body = line.partition(b" ")
    if int(checksum, 16) != zlib.crc32(body):
        raise ValueError("its checksum does not match")
    return json.loads(body)


def _whole_bytes(path: Path) -> int:
    """The length of the file up to its last whole line."""
    data = path.read_bytes() if path.exists() else b""
    end = data.rfind(b"\n") + 1
    if end:
        start = data.rfind(b"\n", 0, end - 1) + 1
        try:
            _decode(data[start : end - 1])
        except (ValueError, KeyError, TypeError):
            return start
    return end
