"""`spark bench ui`: is the screen calm while a model writes 2,000 tokens a second?

The real workbench runs in a pseudo-terminal of 120 × 40 over a real session; this side is the terminal: it counts the
bytes of each frame, sees when a line that was written appears, and types. Comes in: flags. Goes out: a report.
Must not know: how anything is drawn.
"""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import json
import os
import pty
import re
import select
import struct
import subprocess
import sys
import tempfile
import termios
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from spark_tui.bench.common import Bar, Report, percentile
from spark_tui.errors import NoPlace

COLUMNS, ROWS = 120, 40
QUICK, FULL = 12.0, 60.0
_SYNC_ASKED, _SYNC_ANSWER = b"\x1b[?2026$p", b"\x1b[?2026;2$y"
_BEGIN, _END = b"\x1b[?2026h", b"\x1b[?2026l"
_LINE = re.compile(rb"value_(\d{6})")
_KEY = b"Q"
_KEY_EVERY = 0.25
_MOST_KEYS = 60
"""As many as stand on one line of the prompt."""


@dataclass(slots=True)
class Seen:
    """What the terminal saw."""

    frames: list[int] = field(default_factory=list)
    lines: dict[int, float] = field(default_factory=dict)
    """When the newest line on screen was first seen."""
    keys: list[float] = field(default_factory=list)
    total_bytes: int = 0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--rate", type=float, default=2000.0, metavar="N", help="tokens a second (default: 2000)")
    parser.add_argument("--seconds", type=float, metavar="S", help=f"how long (default: {FULL:.0f}, quick {QUICK:.0f})")


def measure(args: argparse.Namespace) -> Report:
    seconds = args.seconds or (QUICK if args.quick else FULL)
    with tempfile.TemporaryDirectory(prefix="spark-ui-") as name:
        folder = Path(name)
        (folder / "tree").mkdir()
        (folder / "tree" / "big.py").write_text("".join(f"line = {n}\n" for n in range(400)), encoding="utf-8")
        seen = watch(folder, args.rate, seconds)
        try:
            found = json.loads((folder / "found.json").read_text(encoding="utf-8"))
        except OSError as error:
            raise NoPlace(
                "the workbench ended before it was measured", hint="Run `spark --demo` to see why."
            ) from error
    return report(found, seen, args.rate)


def report(found: dict[str, Any], seen: Seen, rate: float) -> Report:
    late = [1000 * value for value in found["late"]]
    written = found["written"]
    lag = [1000 * (at - written[number]) for number, at in seen.lines.items() if number < len(written)]
    keys = [1000 * value for value in seen.keys]
    out = Report("ui")
    out.rows = [
        _row("event loop late, ms", late),
        _row("written line to screen, ms", lag),
        _row("key press to screen, ms", keys),
        _row("bytes a frame", [float(size) for size in seen.frames]),
    ]
    out.bars = [
        Bar("loop_late_p95_ms", _percentile(late, 95), 16, "lower"),
        Bar("loop_late_p99_ms", _percentile(late, 99), 50, "lower"),
        Bar("display_lag_p95_ms", _percentile(lag, 95), 100, "lower"),
        Bar("key_to_screen_p95_ms", _percentile(keys, 95), 30, "lower"),
        Bar("frame_bytes_median", _percentile(list(map(float, seen.frames)), 50), 8_000, "lower"),
        Bar("frame_bytes_p95", _percentile(list(map(float, seen.frames)), 95), 24_000, "lower"),
        Bar("rate_kept", round(found["rate"] / rate, 3), 0.9),
    ]
    out.notes = [f"{found['cpu']:.2f} cores busy, {len(seen.frames)} frames, {seen.total_bytes // 1024} kB in all"]
    return out


def _percentile(values: list[float], percent: float) -> float | None:
    return round(percentile(values, percent), 1) if values else None


def _row(name: str, values: list[float]) -> dict[str, Any]:
    return {"what": name, "count": len(values), **{f"p{p}": _percentile(values, p) for p in (50, 95, 99)}}


def watch(folder: Path, rate: float, seconds: float) -> Seen:
    """Be the terminal until the workbench ends."""
    near, far = pty.openpty()
    fcntl.ioctl(far, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    environ = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES", "NO_COLOR")}
    environ |= {"TERM": "xterm-256color", "COLORTERM": "truecolor", "HOME": str(folder), "ESCDELAY": "20"}
    environ |= {f"XDG_{kind}_HOME": str(folder / kind.lower()) for kind in ("CONFIG", "STATE", "CACHE")}
    command = [sys.executable, "-m", "spark_tui.bench.ui_child", str(folder), str(rate), str(seconds)]
    child = subprocess.Popen(command, stdin=far, stdout=far, stderr=far, env=environ, start_new_session=True)
    os.close(far)
    try:
        return _look(near, time.monotonic() + seconds + 60)
    finally:
        child.kill()
        child.wait()
        os.close(near)


def _look(near: int, until: float) -> Seen:
    seen, rest, newest, typed, pressed, last_key = Seen(), b"", -1, 0, 0.0, 0.0
    while time.monotonic() < until:
        ready, _, _ = select.select([near], [], [], 0.05)
        now = time.monotonic()
        if newest >= 0 and not pressed and typed < _MOST_KEYS and now - last_key >= _KEY_EVERY:
            os.write(near, _KEY)
            typed, pressed, last_key = typed + 1, now, now
        if not ready:
            continue
        data = b""
        with contextlib.suppress(OSError):
            data = os.read(near, 1 << 20)
        if not data:
            return seen
        now = time.monotonic()
        seen.total_bytes += len(data)
        if _SYNC_ASKED in data:
            os.write(near, _SYNC_ANSWER)
        rest += data
        while (begin := rest.find(_BEGIN)) >= 0 and (end := rest.find(_END, begin)) >= 0:
            frame = rest[begin + len(_BEGIN) : end]
            rest = rest[end + len(_END) :]
            seen.frames.append(len(frame))
            top = max((int(number) for number in _LINE.findall(frame)), default=-1)
            if top > newest:
                newest = top
                seen.lines[top] = now
            if pressed and _KEY * typed in frame:
                seen.keys.append(now - pressed)
                pressed = 0.0
    return seen
