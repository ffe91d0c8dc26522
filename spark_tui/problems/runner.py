"""Runs a command, passes on its output as it arrives, and finds the problems in it.

The command has no input and no terminal, and every process of its group ends with it. Reading problems never
makes it wait: of an output that comes faster than it can be read, the middle is passed on unread.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from spark_tui.problems.problem import Problem
from spark_tui.problems.reader import ProblemReader

MOST_UNREAD_BYTES = 4_000_000
"""So much of the beginning and of the end of a fast output is read for problems."""
MOST_KEPT_BYTES = 16_384
"""The end of the output that is kept."""
MOST_PROBLEMS = 1_000
NO_COMMAND = (126, 127)
"""Exit codes of a shell that cannot run a command, or does not find it."""
_PIECE = 262_144
"""What is read at once; the pipe holds as much where the system allows it."""
_LOOK_SECONDS = 0.1
_SMALL_PIECE, _GATHER_SECONDS = 16_384, 0.03
"""A command that writes less at once is left alone for so long: its lines are shown and read together."""
_GRACE_SECONDS = 0.3
"""How long a process that left the group can hold the output open after the command ended."""


@dataclass(frozen=True, slots=True)
class CommandResult:
    """The outcome of a command. `code` is None where spark ended it or could not start it; a signal that
    ended it is a negative code."""

    code: int | None
    seconds: float
    problems: tuple[Problem, ...]
    output: str
    """The end of the output."""
    output_bytes: int
    unread_bytes: int
    """How much of the output was not read for problems."""
    note: str = ""
    """Why it has no code: `stopped`, `timed out after 3 seconds`, `no such command: nope`."""
    timed_out: bool = False

    @property
    def passes(self) -> bool:
        return self.code == 0

    @property
    def words(self) -> str:
        """How it ended."""
        if self.code is None:
            return self.note
        if self.code < 0:
            with contextlib.suppress(ValueError):
                return f"killed by {signal.Signals(-self.code).name}"
            return f"killed by signal {-self.code}"
        return "passed" if self.code == 0 else f"failed with exit code {self.code}"


class Backlog:
    """Output that is still to be read for problems. Of too much the middle is left out."""

    def __init__(self, most: int = MOST_UNREAD_BYTES) -> None:
        self._most = most
        self._first: deque[bytes] = deque()
        self._last: deque[bytes] = deque()
        self._first_bytes = self._last_bytes = 0
        self._left_out = False
        self.unread_bytes = 0

    def __bool__(self) -> bool:
        return bool(self._first or self._last)

    def put(self, piece: bytes) -> None:
        if not self._last and self._first_bytes + len(piece) <= self._most:
            self._first.append(piece)
            self._first_bytes += len(piece)
            return
        self._last.append(piece)
        self._last_bytes += len(piece)
        while self._last_bytes > self._most and len(self._last) > 1:
            gone = len(self._last.popleft())
            self._last_bytes -= gone
            self.unread_bytes += gone
            self._left_out = True

    def take(self) -> bytes:
        """The next piece. Where something was left out it begins with an empty line, so that no line is
        joined from two."""
        if self._first:
            piece = self._first.popleft()
            self._first_bytes -= len(piece)
            return piece
        piece = self._last.popleft()
        self._last_bytes -= len(piece)
        if self._left_out:
            self._left_out = False
            piece = b"\n\n" + piece.partition(b"\n")[2]
        return piece


def run_command(
    command: str | Sequence[str],
    directory: Path,
    *,
    stop: threading.Event,
    seconds: float = 0.0,
    environment: Mapping[str, str] | None = None,
    show: Callable[[bytes], None] | None = None,
    found: Callable[[Problem], None] | None = None,
) -> CommandResult:
    """Run a command to its end, or until `stop` is set or `seconds` (0: no limit) passed. A string is run by
    `sh`. `show` gets each piece of the output, `found` each problem."""
    begun = time.monotonic()
    words = ["/bin/sh", "-c", command] if isinstance(command, str) else list(command)
    try:
        process = subprocess.Popen(
            words,
            cwd=directory,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except OSError as error:
        return CommandResult(None, 0.0, (), "", 0, 0, _cannot_start(error, words[0], directory))
    run = _Run(process, show, found)
    try:
        note = run.until_end(begun, seconds, stop)
    finally:
        kill_process_group(process.pid)
        code = process.wait()
        assert process.stdout is not None
        process.stdout.close()
    took = time.monotonic() - begun
    run.read_all(stop)
    return CommandResult(
        None if note else code,
        took,
        tuple(run.problems),
        bytes(run.kept).decode("utf-8", "replace"),
        run.output_bytes,
        run.backlog.unread_bytes,
        note,
        run.timed_out,
    )


def kill_process_group(pid: int) -> None:
    """Kill all processes of a group: a check has nothing to save."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


class _Run:
    """One running command."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        show: Callable[[bytes], None] | None,
        found: Callable[[Problem], None] | None,
    ) -> None:
        self._process, self._show, self._found = process, show, found
        self._reader = ProblemReader()
        self.backlog = Backlog()
        self.problems: list[Problem] = []
        self.kept = bytearray()
        self.output_bytes = 0
        self.timed_out = False

    def until_end(self, begun: float, seconds: float, stop: threading.Event) -> str:
        """Returns why it was ended, or nothing."""
        assert self._process.stdout is not None
        fd, ended = self._process.stdout.fileno(), 0.0
        _widen(fd)
        closed = select.poll()
        closed.register(fd, 0)
        while True:
            # Looked at before its output, of which it can still write some until then.
            over = self._process.poll() is not None
            # What comes is taken first: problems are read while nothing comes.
            ready = select.select([fd], [], [], 0.0 if self.backlog else _LOOK_SECONDS)[0]
            if ready:
                piece = os.read(fd, _PIECE)
                if not piece:
                    with contextlib.suppress(subprocess.TimeoutExpired):
                        self._process.wait(_LOOK_SECONDS)
                        return ""
                    ready = []  # it closed its output and goes on
                self._came(piece)
                if 0 < len(piece) < _SMALL_PIECE:
                    self._read(self.backlog.take())
                    closed.poll(1000 * _GATHER_SECONDS)  # until then, or to the end of the output
            elif self.backlog:
                self._read(self.backlog.take())
            if stop.is_set():
                return "stopped"
            now = time.monotonic()
            if seconds and now - begun > seconds:
                self.timed_out = True
                return f"timed out after {seconds:g} second{'s' * (seconds != 1)}"
            if over:
                ended = ended or now
                if not ready or now - ended > _GRACE_SECONDS:
                    return ""

    def _came(self, piece: bytes) -> None:
        if not piece:
            return
        self.output_bytes += len(piece)
        self.kept += piece
        del self.kept[:-MOST_KEPT_BYTES]
        self.backlog.put(piece)
        if self._show is not None:
            self._show(piece)

    def read_all(self, stop: threading.Event) -> None:
        """Read the rest for problems."""
        asked = stop.is_set()
        while self.backlog and (asked or not stop.is_set()):
            self._read(self.backlog.take())
        self._tell(self._reader.close())

    def _read(self, piece: bytes) -> None:
        self._tell(self._reader.feed(piece))

    def _tell(self, problems: Sequence[Problem]) -> None:
        for problem in problems[: MOST_PROBLEMS - len(self.problems)]:
            self.problems.append(problem)
            if self._found is not None:
                self._found(problem)


def _widen(fd: int) -> None:
    """Let a pipe hold more, so that the command seldom waits to be read."""
    if hasattr(fcntl, "F_SETPIPE_SZ"):
        with contextlib.suppress(OSError):
            fcntl.fcntl(fd, fcntl.F_SETPIPE_SZ, _PIECE)


def _cannot_start(error: OSError, name: str, directory: Path) -> str:
    if isinstance(error, FileNotFoundError):
        if not directory.is_dir():
            return f"no such folder: {directory}"
        return f"no such command: {name}"
    return f"{name} cannot be run: {error.strerror}"
