"""`spark doctor`: looks at this machine and says, for each problem, what to do about it.

Comes in: the environment. Goes out: findings on stdout; exit code 0 when nothing stands in the way, else 1.
Must not know: how to mend anything itself; it changes nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Literal

from spark_tui import __version__, blas, config, flags, paths
from spark_tui.errors import SparkError

Level = Literal["ok", "note", "problem"]
_MARKS = {"ok": "✓", "note": "·", "problem": "✗"}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at: what was found, and what to do where it is not as it should be."""

    topic: str
    level: Level
    fact: str
    advice: str = ""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    flags.add_place(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object on stdout")


def run(args: argparse.Namespace) -> int:
    findings = list(examine(flags.directory(args)))
    if args.json:
        print(json.dumps({"version": __version__, "findings": [asdict(finding) for finding in findings]}))
    else:
        for finding in findings:
            print(f"{_MARKS[finding.level]} {finding.topic:<10} {finding.fact}")
            if finding.advice:
                print(f"  {'':<10} → {finding.advice}")
    return int(any(finding.level == "problem" for finding in findings))


def examine(directory: Path) -> Iterator[Finding]:
    checks: tuple[Callable[[Path], Iterator[Finding]], ...] = (
        _python,
        _terminal,
        _tmux,
        _git,
        _settings,
        _blas,
        _model,
        _state,
    )
    for check in checks:
        try:
            yield from check(directory)
        except SparkError as error:
            where = f"{error.where}: " if error.where else ""
            yield Finding(check.__name__.strip("_"), "problem", where + error.what, error.hint)


def _python(_: Path) -> Iterator[Finding]:
    fact = f"{platform.python_version()} ({platform.python_implementation()}) on {platform.system()}"
    yield Finding("python", "ok", fact)


def _terminal(_: Path) -> Iterator[Finding]:
    term = os.environ.get("TERM", "")
    if not sys.stdout.isatty() or not sys.stdin.isatty():
        yield Finding("terminal", "note", "none attached", "The workbench needs one; `spark exec` does not.")
        return
    size = shutil.get_terminal_size()
    if term in ("", "dumb"):
        yield Finding(
            "terminal", "problem", f"TERM={term or 'unset'}", "Set TERM to the type of your terminal."
        )
    small = size.columns < 60 or size.lines < 16
    colours = os.environ.get("COLORTERM", "") or "256 or fewer"
    yield Finding(
        "terminal",
        "problem" if small else "ok",
        f"{size.columns}×{size.lines}, TERM={term}, colours: {colours}",
        "The workbench needs 60×16; make the window larger." if small else "",
    )
    encoding = (sys.stdout.encoding or "").lower().replace("-", "")
    if encoding != "utf8":
        yield Finding(
            "terminal",
            "problem",
            f"encoding is {encoding or 'unknown'}",
            "Set LANG or LC_ALL to a UTF-8 locale.",
        )


def _tmux(_: Path) -> Iterator[Finding]:
    if not os.environ.get("TMUX"):
        return
    value = _output(["tmux", "show-options", "-sv", "escape-time"])
    if value is None or not value.isdigit():
        yield Finding("tmux", "note", "did not answer", "")
    elif int(value) > 50:
        yield Finding(
            "tmux",
            "problem",
            f"escape-time is {value} ms, so Esc arrives that late",
            "Add `set -s escape-time 10` to ~/.tmux.conf, then `tmux source ~/.tmux.conf`.",
        )
    else:
        yield Finding("tmux", "ok", f"escape-time is {value} ms")


def _git(directory: Path) -> Iterator[Finding]:
    version = _output(["git", "--version"])
    if version is None:
        yield Finding("git", "problem", "not found", "Install git. Without it spark has only its own undo.")
        return
    yield Finding("git", "ok", version.removeprefix("git version "))
    top = _output(["git", "-C", str(directory), "rev-parse", "--show-toplevel"])
    if top is None:
        yield Finding(
            "git", "note", f"{directory} is not in a git repository", "`git init`, or try `spark --demo`."
        )


def _settings(directory: Path) -> Iterator[Finding]:
    loaded = config.load(directory)
    if not loaded.files:
        yield Finding("settings", "ok", f"all defaults; {paths.user_config_file()} does not exist")
    for file in loaded.files:
        yield Finding("settings", "ok", f"{file}")
    for key, where in sorted(loaded.origin.items()):
        yield Finding("settings", "ok", f"{key} is set by {where}")
    if loaded.settings.fast and find_spec("numba") is None:
        yield Finding(
            "settings",
            "problem",
            "engine.fast is on, but numba is not installed",
            "pip install 'spark-tui[fast]'",
        )
    blas.prepare()
    if not loaded.settings.fast and blas.facts().core.upper() in blas.AVX2_CORES:
        yield Finding(
            "settings",
            "note",
            "engine.fast is off; it is faster on this CPU, which has no AVX-512",
            ("" if find_spec("numba") else "pip install 'spark-tui[fast]', then ")
            + "SPARK_ENGINE_FAST=true, or `fast = true` under [engine]; weights are rounded to int8.",
        )


def _blas(_: Path) -> Iterator[Finding]:
    blas.prepare()
    import numpy

    facts = blas.facts()
    rate = _gflops(numpy)
    kernels = (
        f"{facts.core} kernels ({facts.reason})"
        if facts.core
        else "not OpenBLAS, so spark does not choose its kernels"
    )
    yield Finding("blas", "ok", f"numpy {numpy.__version__}, {kernels}")
    yield Finding(
        "blas", "ok", f"{facts.threads or '?'} thread of {os.cpu_count()} cores, measured {rate:.0f} GFLOP/s"
    )
    if preset := blas.preset():
        yield _preset(preset, rate)
    from spark_tui.engine import figures, strips

    form = "as strips for AVX2" if strips.usable() else "in panels"
    yield Finding(
        "blas", "ok", f"weights {form}, measured {figures.gflops_of_few_rows():.0f} GFLOP/s at four rows"
    )


def _preset(preset: dict[str, str], rate: float) -> Finding:
    """What variables of the environment that choose the kernels cost: the same measurement without them."""
    names = " and ".join(f"{name}={value}" for name, value in preset.items())
    without = _output([sys.executable, "-c", _MEASURE], leave_out=preset, seconds=60)
    fact = f"{names} set in the environment and used"
    if without is not None:
        fact += f": {rate:.0f} GFLOP/s, without {float(without):.0f}"
    return Finding("blas", "note", fact, f"To let spark choose: env -u {' -u '.join(preset)} spark")


_MEASURE = "import spark_tui, numpy; from spark_tui.doctor import _gflops; print(_gflops(numpy))"


def _gflops(numpy: ModuleType) -> float:
    """The best of many products of 384 × 384, single precision: short ones find a gap between other
    programs."""
    size = 384
    a = numpy.ones((size, size), numpy.float32)
    best = float("inf")
    for _ in range(60):
        started = time.perf_counter()
        numpy.matmul(a, a)
        best = min(best, time.perf_counter() - started)
    return 2 * float(size) ** 3 / best / 1e9


def _model(_: Path) -> Iterator[Finding]:
    found = sorted(path.parent.name for path in paths.models_dir().glob("*/config.json"))
    if found:
        yield Finding("model", "ok", "built in: " + ", ".join(found))
    else:
        yield Finding(
            "model",
            "problem",
            "this installation has no built-in model",
            "Play recordings with --replay, or try `spark --demo`.",
        )
    recordings = len(list(paths.recordings_dir().glob("*.jsonl")))
    yield Finding("model", "ok" if recordings else "problem", f"{recordings} recordings for --replay")


def _state(_: Path) -> Iterator[Finding]:
    state = paths.state_dir()
    existing = next(path for path in (state, *state.parents) if path.exists())
    if not os.access(existing, os.W_OK):
        yield Finding(
            "state", "problem", f"{state} is not writable", "Fix its permissions or set XDG_STATE_HOME."
        )
    else:
        yield Finding("state", "ok", f"{state}")


def _output(command: list[str], *, leave_out: Iterable[str] = (), seconds: float = 5) -> str | None:
    """What a program says, run without some variables of the environment; None where it does not."""
    environment = {name: value for name, value in os.environ.items() if name not in leave_out}
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=seconds, check=False, env=environment
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None
