"""The near side of `spark bench ui`: a terminal of 120 × 40 that counts, looks and types, with or without
tmux between.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import select
import shlex
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from spark_tui.bench.ui_screen import Screen

COLUMNS, ROWS = 120, 40
_SYNC_ASKED, _SYNC_ANSWER = b"\x1b[?2026$p", b"\x1b[?2026;2$y"
_BEGIN, _END = b"\x1b[?2026h", b"\x1b[?2026l"
_LINE = re.compile(r"value_(\d{6})")
KEY = "Q"
MOST_KEYS = 60
"""As many as stand on one line of the prompt."""
_LEAST_KEY_SECONDS = 0.12
_QUIET_SECONDS = 0.004
"""tmux does not mark its frames: what comes without such a pause is one."""


@dataclass(slots=True)
class TerminalOutput:
    """What the terminal saw."""

    frames: list[int] = field(default_factory=list)
    lines: dict[int, float] = field(default_factory=dict)
    """When the newest line on screen was first seen."""
    keys: list[float] = field(default_factory=list)
    missed_keys: int = 0
    """Pressed, and not seen within a second."""
    total_bytes: int = 0


class Terminal:
    """One command on a pseudo-terminal. Answers what Textual asks; everything that comes is handed to the
    caller."""

    def __init__(self, command: Sequence[str], folder: Path, cwd: Path) -> None:
        self.near, far = pty.openpty()
        fcntl.ioctl(far, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        environ = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES", "NO_COLOR", "TMUX")}
        environ |= {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LC_ALL": "C.UTF-8", "ESCDELAY": "20"}
        environ |= {f"XDG_{kind}_HOME": str(folder / kind.lower()) for kind in ("CONFIG", "STATE")}
        self.screen = Screen(COLUMNS, ROWS)
        self.written: list[str] = []
        """The rows that what came last has written to, as they stand."""
        self.begun = time.monotonic()
        self._child = subprocess.Popen(
            command, stdin=far, stdout=far, stderr=far, env=environ, cwd=cwd, start_new_session=True
        )
        os.close(far)

    def write(self, data: bytes) -> None:
        os.write(self.near, data)

    def read(self, seconds: float) -> bytes | None:
        """What comes within this time; empty if nothing does, None at the end."""
        ready, _, _ = select.select([self.near], [], [], max(seconds, 0.0))
        if not ready:
            return b""
        data = b""
        with contextlib.suppress(OSError):
            data = os.read(self.near, 1 << 20)
        if _SYNC_ASKED in data:
            self.write(_SYNC_ANSWER)
        self.written = [self.screen.rows[y] for y in self.screen.feed(data)]
        return data or None

    def until(self, seen: Callable[[str], bool], seconds: float) -> float | None:
        """When what came from now on makes the screen first satisfy this; None if it never does."""
        end = time.monotonic() + seconds
        while (now := time.monotonic()) < end:
            data = self.read(end - now)
            if data is None:
                return None
            if data and seen("\n".join(self.screen.rows)):
                return time.monotonic()
        return None

    def close(self) -> None:
        self._child.kill()
        self._child.wait()
        os.close(self.near)


@contextlib.contextmanager
def running(command: Sequence[str], folder: Path, *, cwd: Path | None = None) -> Iterator[Terminal]:
    """A command on the terminal itself."""
    terminal = Terminal(command, folder, cwd or folder)
    try:
        yield terminal
    finally:
        terminal.close()


@contextlib.contextmanager
def running_in_tmux(command: Sequence[str], folder: Path) -> Iterator[Terminal]:
    """The same inside tmux, on its own server, with the terminal as its client."""
    socket, config = folder / "tmux", folder / "tmux.conf"
    config.write_text(
        "set -g status off\nset -s escape-time 0\nset -g default-terminal tmux-256color\n"
        'set -ga terminal-features ",xterm-256color:RGB"\n',
        encoding="utf-8",
    )
    server = ["tmux", "-S", str(socket), "-f", str(config)]
    terminal = Terminal([*server, "new-session", shlex.join(command)], folder, folder)
    try:
        yield terminal
    finally:
        subprocess.run([*server, "kill-server"], capture_output=True, check=False)
        terminal.close()


def child(kind: str, folder: Path, rate: float, seconds: float, *more: str) -> list[str]:
    """The command of the far side."""
    return [
        sys.executable,
        "-m",
        "spark_tui.bench.ui_workbench",
        kind,
        str(folder),
        str(rate),
        str(seconds),
        *more,
    ]


def watch(terminal: Terminal, seconds: float, *, frames_are_marked: bool) -> TerminalOutput:
    """Look and type until the workbench ends."""
    seen, until = TerminalOutput(), time.monotonic() + seconds + 60
    frames = _Marked() if frames_are_marked else _Bursts()
    every = max(_LEAST_KEY_SECONDS, 0.9 * seconds / MOST_KEYS)
    newest, typed, pressed, last_key = -1, 0, 0.0, 0.0
    while (now := time.monotonic()) < until:
        if pressed and now - pressed > 1.0:
            seen.missed_keys, pressed = seen.missed_keys + 1, 0.0
        if newest >= 0 and not pressed and typed < MOST_KEYS and now - last_key >= every:
            terminal.write(KEY.encode())
            typed, pressed, last_key = typed + 1, now, now
        data = terminal.read(_QUIET_SECONDS)
        if data is None:
            break
        now = time.monotonic()
        seen.total_bytes += len(data)
        for frame in frames.take(data):
            seen.frames.append(frame)
        if not data:
            continue
        top = max((int(number) for row in terminal.written for number in _LINE.findall(row)), default=-1)
        if top > newest:
            newest = top
            seen.lines[top] = now
        if pressed and any(KEY * typed in row for row in terminal.written):
            seen.keys.append(now - pressed)
            pressed = 0.0
    return seen


class _Marked:
    """Sizes of frames between the marks of synchronized output."""

    def __init__(self) -> None:
        self._rest = b""

    def take(self, data: bytes) -> Iterator[int]:
        self._rest += data
        while (begin := self._rest.find(_BEGIN)) >= 0 and (end := self._rest.find(_END, begin)) >= 0:
            yield end - begin - len(_BEGIN)
            self._rest = self._rest[end + len(_END) :]


class _Bursts:
    """Sizes of what comes without a pause."""

    def __init__(self) -> None:
        self._size = 0

    def take(self, data: bytes) -> Iterator[int]:
        if data:
            self._size += len(data)
        elif self._size:
            yield self._size
            self._size = 0
