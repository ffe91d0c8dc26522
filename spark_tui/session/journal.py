"""The append-only record of a session: every event is in it before anyone is shown it.

A line is `crc32 SPACE {"at": seconds, "event": {...}} NEWLINE`. Each line is handed to the operating system at
once, so that it outlives a killed process; it is synced to the disk when a hunk closes, a decision falls, files
change or a turn ends, so that a power cut loses at most the open hunk. A torn last line is cut off at the next
start; a bad line before it is an error that names it, since what follows could not be trusted.

Comes in: events. Goes out: the same events. Must not know: what they mean.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from spark_tui import events
from spark_tui.errors import MalformedInput
from spark_tui.events import Event

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
class Entry:
    """An event and when it was journaled, in wall-clock seconds."""

    at: float
    event: Event


class Journal:
    """One writer appends; anyone may read. Opening mends a torn tail."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        whole = _whole_bytes(path)
        self._fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.ftruncate(self._fd, whole)

    def append(self, event: Event, at: float) -> None:
        """Returns once the operating system has the line."""
        line = _encode(Entry(at, event))
        written = os.write(self._fd, line)
        while written < len(line):
            written += os.write(self._fd, line[written:])
        if isinstance(event, _SYNCED):
            os.fsync(self._fd)

    def close(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


def read(path: Path) -> Iterator[Entry]:
    """Every whole entry. A torn last line is passed over; a bad one before it raises `MalformedInput`."""
    data = path.read_bytes() if path.exists() else b""
    lines = data.split(b"\n")
    torn = lines.pop()
    for number, line in enumerate(lines, start=1):
        try:
            yield _decode(line)
        except (ValueError, KeyError, TypeError) as error:
            if number == len(lines) and not torn:
                return
            raise MalformedInput(
                f"the journal is damaged: {error}",
                where=f"{path}:{number}",
                hint="The lines before it are whole; move the file away to start a new session.",
            ) from error


def _encode(entry: Entry) -> bytes:
    body = json.dumps(
        {"at": round(entry.at, 6), "event": events.to_dict(entry.event)}, ensure_ascii=True, separators=(",", ":")
    ).encode("ascii")
    return b"%08x %s\n" % (zlib.crc32(body), body)


def _decode(line: bytes) -> Entry:
    checksum, _, body = line.partition(b" ")
    if int(checksum, 16) != zlib.crc32(body):
        raise ValueError("its checksum does not match")
    record = json.loads(body)
    return Entry(float(record["at"]), events.from_dict(record["event"]))


def _whole_bytes(path: Path) -> int:
    """Length of the journal up to its last whole line."""
    data = path.read_bytes() if path.exists() else b""
    end = data.rfind(b"\n") + 1
    if end:
        start = data.rfind(b"\n", 0, end - 1) + 1
        try:
            _decode(data[start : end - 1])
        except (ValueError, KeyError, TypeError):
            return start
    return end
