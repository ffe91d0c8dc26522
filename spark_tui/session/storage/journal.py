"""The append-only record of a session: every event is written to it before it is shown.

A line is `crc32 SPACE {"at": seconds, "event": {...}} NEWLINE`. Each line is passed to the operating system
immediately, so it survives a killed process. When a decision is made or files change, the disk has it before
anything else happens. When a turn begins, a hunk closes or a turn ends, it is synced beside what follows: a
power failure loses the open hunk and the last milliseconds. A torn last line is cut off at the next start; of
a session with a bad line before it a copy is opened, of all before that line.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import json
import os
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar

from spark_tui import events
from spark_tui.errors import MalformedInput, NoPlace, Refused, remedy
from spark_tui.events import Event

T = TypeVar("T")
Sync = Literal["never", "beside", "now"]
_SYNCED_NOW = (events.Decided, events.Applied, events.Undone)
_SYNCED_BESIDE = (events.TurnStarted, events.HunkClosed, events.Finished, events.Failed)


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """An event and when it was journaled, in wall-clock seconds."""

    at: float
    event: Event


def cannot_keep(error: OSError, where: Path) -> NoPlace:
    """The error for a failed write: a full disk, a limit on files, or a folder that no longer exists."""
    what = f"cannot save this session: {error.strerror}"
    elsewhere = "" if error.errno == errno.EFBIG else ", or set XDG_STATE_HOME"
    hint = f"{remedy(error, 'Fix the permissions')}{elsewhere}."
    return NoPlace(what, where=str(where), hint=hint)


class ChecksummedFile:
    """A file of checksummed lines. One writer at a time (the kernel frees the lock of a dead one); anyone may
    read. Opening cuts off a torn last line."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._beside: ThreadPoolExecutor | None = None
        self._syncing: Future[None] | None = None
        self._failed: OSError | None = None
        """Why a sync beside other work failed, until that is raised."""
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

    def write(self, record: Any, *, sync: Sync) -> None:
        """Returns once the operating system has the line, with `now` once the disk has it. Raises NoPlace
        where it cannot be written, and then no part of it is; and where a sync beside it had failed."""
        body = json.dumps(record, ensure_ascii=True, separators=(",", ":")).encode("ascii")
        line = b"%08x %s\n" % (zlib.crc32(body), body)
        before = os.fstat(self._fd).st_size
        try:
            self._raise_failed_sync()
            written = os.write(self._fd, line)
            while written < len(line):
                written += os.write(self._fd, line[written:])
            if sync == "now":
                os.fsync(self._fd)
            elif sync == "beside":
                self._sync_beside()
        except OSError as error:
            # Part of a line would make every later line unreadable.
            with contextlib.suppress(OSError):
                os.ftruncate(self._fd, before)
            raise cannot_keep(error, self.path.parent) from error

    def _sync_beside(self) -> None:
        """Sync in a thread. A sync that is still to begin takes this line with it."""
        if self._syncing is not None and not self._syncing.running() and not self._syncing.done():
            return
        if self._beside is None:
            self._beside = ThreadPoolExecutor(1, "sync")
        self._syncing = self._beside.submit(self._sync)

    def _sync(self) -> None:
        try:
            os.fsync(self._fd)
        except OSError as error:
            self._failed = error

    def _raise_failed_sync(self) -> None:
        failed, self._failed = self._failed, None
        if failed is not None:
            raise failed

    def close(self) -> None:
        """Waits for a sync that runs."""
        if self._beside is not None:
            self._beside.shutdown()
            self._beside = None
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


class Journal(ChecksummedFile):
    """The events of a session."""

    def append(self, event: Event, at: float) -> None:
        """Returns once the operating system has the line."""
        record = {"at": round(at, 6), "event": events.to_dict(event)}
        now, beside = isinstance(event, _SYNCED_NOW), isinstance(event, _SYNCED_BESIDE)
        self.write(record, sync="now" if now else "beside" if beside else "never")


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
            made = make(json.loads(_body(line)))
        except (ValueError, KeyError, TypeError) as error:
            if number == len(lines) and not torn:
                return
            raise MalformedInput(
                f"the journal is damaged: {error}",
                where=f"{path}:{number}",
                hint="The lines before it are intact: `spark sessions fork` copies them to a new session.",
            ) from error
        yield made


def whole_lines(path: Path) -> tuple[int, int]:
    """How many lines stand before the first that cannot be read, and how many from that one on; a torn last
    line is none of these."""
    lines = path.read_bytes().split(b"\n") if path.exists() else [b""]
    whole = next((at for at, line in enumerate(lines[:-1]) if not _is_whole(line)), len(lines) - 1)
    left = len(lines) - whole - (not lines[-1])
    return whole, left if left > 1 else 0


def cut_at_damage(path: Path) -> None:
    """Keep the lines before the first that cannot be read. Nobody may have the file open."""
    if path.exists():
        lines = path.read_bytes().split(b"\n")
        os.truncate(path, sum(len(line) + 1 for line in lines[: whole_lines(path)[0]]))


def _body(line: bytes) -> bytes:
    checksum, _, body = line.partition(b" ")
    if int(checksum, 16) != zlib.crc32(body):
        raise ValueError("its checksum does not match")
    return body


def _is_whole(line: bytes) -> bool:
    with contextlib.suppress(ValueError):
        return bool(_body(line))
    return False


def _whole_bytes(path: Path) -> int:
    """The length of the file up to its last whole line."""
    data = path.read_bytes() if path.exists() else b""
    end = data.rfind(b"\n") + 1
    start = data.rfind(b"\n", 0, max(end - 1, 0)) + 1
    return end if not end or _is_whole(data[start : end - 1]) else start
