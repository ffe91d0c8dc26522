"""The near side of `spark bench ui`: a terminal of 120 × 40 that counts, looks and types, with or without
tmux between.
"""

from __future__ import annotations

import codecs
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

_TOKEN = re.compile(
    r"\x1b\[(?P<codes>[\d;]*)(?P<what>[A-HJKXdf])"
    r"|\x1b\[[<=>?!]?[\d;:]*["
    r" $\"']?[@-~]|\x1b[\]P_^X][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[()*+].|\x1b[^\[\]P_^X()*+]"
    r"|(?P<move>[\r\n\b])|(?P<text>[^\x00-\x1f\x7f]+)|[\x00-\x1a\x1c-\x1f\x7f]"
)


class Screen:
    """One character a cell: nothing wider is looked for."""

    def __init__(self, columns: int, rows: int) -> None:
        self._columns = columns
        self.rows = [" " * columns for _ in range(rows)]
        self._x = self._y = 0
        self._rest = ""
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode

    def feed(self, data: bytes) -> set[int]:
        """Take in what came; the rows that were written to."""
        text, at, written = self._rest + self._decode(data), 0, set[int]()
        while at < len(text) and (match := _TOKEN.match(text, at)):
            at = match.end()
            if match["text"]:
                self._put(match["text"])
                written.add(self._y)
            elif match["move"]:
                there = {"\r": (0, self._y), "\n": (self._x, self._y + 1), "\b": (self._x - 1, self._y)}
                self._go(*there[match["move"]])
            elif match["what"] and self._command(match["what"], match["codes"]):
                written.add(self._y)
        # A sequence may come in two parts.
        self._rest = text[at:]
        return written

    def _put(self, text: str) -> None:
        row = self.rows[self._y]
        self.rows[self._y] = (row[: self._x] + text + row[self._x + len(text) :])[: self._columns]
        self._x = min(self._x + len(text), self._columns - 1)

    def _go(self, x: int, y: int) -> None:
        self._x, self._y = min(max(x, 0), self._columns - 1), min(max(y, 0), len(self.rows) - 1)

    def _command(self, what: str, codes: str) -> bool:
        """Whether it writes."""
        numbers = [int(code or 0) for code in codes.split(";")]
        count, x, y = max(numbers[0], 1), self._x, self._y
        match what:
            case "H" | "f":
                self._go(max(numbers[1], 1) - 1 if len(numbers) > 1 else 0, count - 1)
            case "A" | "B":
                self._go(x, y + (count if what == "B" else -count))
            case "C" | "D":
                self._go(x + (count if what == "C" else -count), y)
            case "G" | "d":
                self._go(*((count - 1, y) if what == "G" else (x, count - 1)))
            case "E" | "F":
                self._go(0, y + (count if what == "E" else -count))
            case "J":
                first = 0 if numbers[0] else y + 1
                self.rows[first:] = [" " * self._columns for _ in self.rows[first:]]
            case "K" | "X":
                begin = x if what == "X" or numbers[0] == 0 else 0
                end = x + count if what == "X" else x + 1 if numbers[0] == 1 else self._columns
                row = self.rows[y]
                self.rows[y] = (row[:begin] + " " * (end - begin) + row[end:])[: self._columns]
        return what in "KX"


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
        "spark_tui.bench.screen.workbench",
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
