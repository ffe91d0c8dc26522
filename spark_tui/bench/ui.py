"""`spark bench ui`: is the screen calm while a model writes 2,000 tokens a second?

The real workbench runs over a real session, on a pseudo-terminal and inside tmux; this side is the
terminal. What cannot be measured is not guessed: its bar has no value and is missed, and a note says why;
a workbench that ends before it was measured is an error (exit code 7).
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from spark_tui.bars import Bar, at_most
from spark_tui.bench.measuring.model_argument import BUILT_IN
from spark_tui.bench.measuring.reporting import Report, ratios, rounded_percentile
from spark_tui.bench.screen.terminal import TerminalOutput, child, running, running_in_tmux, watch
from spark_tui.bench.sessions.conversation import long_file
from spark_tui.config import paths
from spark_tui.errors import NoPlace

STARTS = 7
HEAVY = ("numpy", "rich", "textual", "tokenizers", "torch", "yaml", "jinja2", "sqlite3", "asyncio")
"""What a person who asks for the version need not wait for."""
_WHOLE = ("spark", "─ ", "transcript", "you", "commands", "quit")
"""What stands on the first frame: header, rules, status and keys."""


@dataclass(frozen=True, slots=True)
class VersionImports:
    """Of `spark --version`: seconds from spawn to exit, how many modules, and which of them are heavy."""

    seconds: list[float]
    modules: int
    heavy: tuple[str, ...]


def first_frames(folder: Path) -> list[float]:
    """From spawn to the last piece of the first screen; the first start warms the files and does not
    count."""
    command = [sys.executable, "-m", "spark_tui", "--replay", str(paths.recordings_dir())]
    found = []
    for number in range(STARTS + 1):
        with running(command, folder, cwd=folder / "tree") as terminal:
            shown = terminal.until(lambda text: all(word in text for word in _WHOLE), 30)
            if shown is not None and number:
                found.append(shown - terminal.begun)
    return found


def version_imports(runs: int = 5) -> VersionImports:
    seconds = []
    for _ in range(runs):
        begun = time.monotonic()
        subprocess.run([sys.executable, "-m", "spark_tui", "--version"], capture_output=True, check=True)
        seconds.append(time.monotonic() - begun)
    told = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "spark_tui", "--version"],
        capture_output=True,
        text=True,
        check=True,
    )
    modules = {
        line.rpartition("|")[2].strip()
        for line in told.stderr.splitlines()
        if line.startswith("import time:")
    }
    loaded = {name.partition(".")[0] for name in modules}
    return VersionImports(seconds, len(modules), tuple(name for name in HEAVY if name in loaded))


QUICK, FULL = 6.0, 60.0
SAID = (1_000, 100_000)
SAID_SECONDS = {True: 2.0, False: 8.0}
DIFF_LINES = 50_000
DIFF_OPENS = 7
FILE_LINES = 400
ENGINE_LINES = 360
SCREENS = ("terminal", "tmux")


@dataclass(slots=True)
class UiResults:
    """Everything that was measured; what was not is missing."""

    streams: dict[str, tuple[dict[str, Any], TerminalOutput]] = field(default_factory=dict)
    said: dict[int, list[float]] = field(default_factory=dict)
    """Processor seconds per token after this many lines of prose, one value per run."""
    diff: list[float] = field(default_factory=list)
    engine: dict[str, Any] = field(default_factory=dict)
    first_frames: list[float] = field(default_factory=list)
    version: VersionImports | None = None
    notes: list[str] = field(default_factory=list)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--rate", type=float, default=2000.0, metavar="N", help="tokens per second (default: 2000)"
    )
    parser.add_argument(
        "--seconds", type=float, metavar="S", help=f"how long (default: {FULL:.0f}, quick {QUICK:.0f})"
    )
    parser.add_argument(
        "--model",
        default=BUILT_IN,
        metavar="NAME|SIZE|DIR",
        help="model of the engine that runs beside the screen (default: the built-in model)",
    )


def measure(args: argparse.Namespace) -> Report:
    seconds = args.seconds or (QUICK if args.quick else FULL)
    found = UiResults()
    _streams(found, args.rate, seconds)
    _measure_cpu_by_length(found, args.rate, SAID_SECONDS[args.quick], rounds=1 if args.quick else 3)
    _diff(found)
    _engine(found, args.model)
    with _folder() as folder:
        found.first_frames = first_frames(folder)
    found.version = version_imports()
    return report(found, args.rate)


# Measuring


@contextmanager
def _folder(lines: int = FILE_LINES, text: str = "") -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="spark-ui-") as name:
        folder = Path(name)
        (folder / "tree").mkdir()
        text = text or "".join(f"line = {n}\n" for n in range(lines))
        (folder / "tree" / "big.py").write_text(text, encoding="utf-8")
        yield folder


def _worker_report(folder: Path) -> dict[str, Any]:
    """What the far side found."""
    try:
        found = json.loads((folder / "found.json").read_text(encoding="utf-8"))
    except OSError as error:
        raise NoPlace(
            "the workbench ended before it was measured", hint="Run `spark --demo` to see why."
        ) from error
    if "error" in found:
        raise NoPlace(f"the workbench could not be measured: {found['error']}")
    return dict(found)


def _streams(found: UiResults, rate: float, seconds: float) -> None:
    for screen in SCREENS:
        if screen == "tmux" and shutil.which("tmux") is None:
            found.notes.append("not measured inside tmux: it is not installed")
            continue
        with _folder() as folder:
            run = running if screen == "terminal" else running_in_tmux
            with run(child("stream", folder, rate, seconds), folder) as terminal:
                seen = watch(terminal, seconds, frames_are_marked=screen == "terminal")
            found.streams[screen] = (_worker_report(folder), seen)


def _measure_cpu_by_length(found: UiResults, rate: float, seconds: float, rounds: int) -> None:
    """The two lengths in turn, so that what slows the machine slows both."""
    found.said = {lines: [] for lines in SAID}
    for number in range(rounds):
        for lines in SAID[:: -1 if number % 2 else 1]:
            with _folder() as folder:
                with running(child(f"said-{lines}", folder, rate, seconds), folder) as terminal:
                    watch(terminal, seconds, frames_are_marked=True)
                found.said[lines].append(_worker_report(folder)["cpu"])


def _diff(found: UiResults) -> None:
    """From the key to the plain diff on screen, several times; half of its lines go, half come."""
    with (
        _folder(DIFF_LINES // 2) as folder,
        running(child("diff", folder, DIFF_LINES // 2, 0), folder) as terminal,
    ):
        while not (folder / "ready").exists():
            if terminal.read(0.05) is None or time.monotonic() > terminal.begun + 60:
                found.notes.append("the diff was not measured: its hunk did not close")
                return
        terminal.write(b"\t")
        if terminal.until(lambda text: "Enter diff" in text, 20) is None:
            found.notes.append("the diff was not measured: its hunk could not be selected")
            return
        for _ in range(DIFF_OPENS):
            while terminal.read(0.2):
                pass
            pressed = time.monotonic()
            terminal.write(b"\r")
            shown = terminal.until(lambda text: "not accepted" in text and "line = 30" in text, 20)
            if shown is None:
                found.notes.append("the diff was not measured: it did not open")
                return
            found.diff.append(shown - pressed)
            terminal.write(b"q")
            terminal.until(lambda text: "not accepted" not in text, 20)


def _engine(found: UiResults, model: str) -> None:
    with _folder(text=long_file(ENGINE_LINES)) as folder:
        with running(child("engine", folder, 0, 0, model), folder) as terminal:
            watch(terminal, 120, frames_are_marked=True)
        found.engine = _worker_report(folder)


# Judging


def report(found: UiResults, rate: float) -> Report:
    out = Report("ui", notes=list(found.notes))
    for screen in SCREENS:
        told, seen = found.streams.get(screen, ({"late": [], "written": [], "rate": 0.0}, TerminalOutput()))
        _report_stream(out, screen, told, seen, rate)
    words = {lines: [1e6 * value for value in values] for lines, values in found.said.items()}
    for lines, values in words.items():
        out.rows.append(_row(f"processor time a token behind {lines:,} lines said, µs", values))
    out.rows.append(_row(f"a diff of {DIFF_LINES:,} lines opens, ms", [1000 * value for value in found.diff]))
    for name in ("headless", "attached"):
        out.rows.append(
            _row(f"tok/s of {found.engine.get('model', 'a model')}, {name}", found.engine.get(name, []))
        )
    out.rows.append(
        _row("spawn to the first whole frame, ms", [1000 * value for value in found.first_frames])
    )
    version = found.version
    if version is not None:
        out.rows.append(
            _row(f"spark --version, ms ({version.modules} modules)", [1000 * v for v in version.seconds])
        )
    out.bars += [
        at_most("cpu_100k_lines_over_1k", _ratio(words.get(SAID[1], []), words.get(SAID[0], [])), 1.2),
        at_most("diff_50k_opens_ms", rounded_percentile([1000 * value for value in found.diff], 50), 200),
        Bar(
            "engine_attached_over_headless",
            _ratio(found.engine.get("attached", []), found.engine.get("headless", [])),
            0.9,
        ),
        at_most(
            "first_frame_ms", rounded_percentile([1000 * value for value in found.first_frames], 50), 400
        ),
        at_most("version_loads_heavy_packages", None if version is None else float(len(version.heavy)), 0),
    ]
    return out


def _report_stream(out: Report, screen: str, told: dict[str, Any], seen: TerminalOutput, rate: float) -> None:
    late = [1000 * value for value in told["late"]]
    written = told["written"]
    lag = [1000 * (at - written[number]) for number, at in seen.lines.items() if number < len(written)]
    keys = [1000 * value for value in seen.keys] + [1000.0] * seen.missed_keys
    frames = [float(size) for size in seen.frames]
    where = "" if screen == "terminal" else f"{screen}_"
    out.rows += [
        _row(f"{screen}: event loop late, ms", late),
        _row(f"{screen}: written line to screen, ms", lag),
        _row(f"{screen}: key press to screen, ms", keys),
        _row(f"{screen}: bytes a frame", frames),
    ]
    out.bars += [
        at_most(f"{where}loop_late_p95_ms", rounded_percentile(late, 95), 16),
        at_most(f"{where}loop_late_p99_ms", rounded_percentile(late, 99), 50),
        at_most(f"{where}display_lag_p95_ms", rounded_percentile(lag, 95), 100),
        at_most(f"{where}key_to_screen_p95_ms", rounded_percentile(keys, 95), 30),
        at_most(f"{where}frame_bytes_median", rounded_percentile(frames, 50), 8_000),
        at_most(f"{where}frame_bytes_p95", rounded_percentile(frames, 95), 24_000),
        Bar(f"{where}rate_kept", round(told["rate"] / rate, 3) if late else None, 0.9),
    ]
    if "cpu" in told:
        out.notes.append(
            f"{screen}: {told['cpu']:.2f} cores busy, {len(frames)} frames, {seen.total_bytes // 1024:,} kB"
            " in all"
        )


def _ratio(above: list[float], below: list[float]) -> float | None:
    """The median of ratios within a round."""
    if not above or len(above) != len(below):
        return None
    return round(ratios(above, below).median, 3)


def _row(name: str, values: list[float]) -> dict[str, Any]:
    rounded = {f"p{p}": rounded_percentile(values, p) for p in (50, 95, 99)}
    return {"what": name, "count": len(values), **rounded, "worst": round(max(values), 1) if values else None}
