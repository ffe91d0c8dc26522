"""`spark doctor`: check this machine and say how to fix each problem."""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from spark_tui import __version__
from spark_tui.backends.factory import built_in_models
from spark_tui.cli import flags
from spark_tui.config import paths, settings
from spark_tui.engine.kernels import blas
from spark_tui.engine.runtime.machine import core_count
from spark_tui.errors import SparkError, install_command
from spark_tui.workspace.git import git, text
from spark_tui.workspace.repository import find_repository

Level = Literal["ok", "note", "problem"]
_MARKS = {"ok": "✓", "note": "·", "problem": "✗"}
_GIT_SECONDS = 5
_PASS_TRIES = 15


@dataclass(frozen=True, slots=True)
class Diagnosis:
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
        from spark_tui.engine.performance.roofline_store import process_roofline

        roofline = asdict(process_roofline(paths.cache_dir()).roofline)
        rows = [asdict(finding) for finding in findings]
        print(json.dumps({"version": __version__, "findings": rows, "roofline": roofline}))
    else:
        for finding in findings:
            print(f"{_MARKS[finding.level]} {finding.topic:<10} {finding.fact}")
            if finding.advice:
                print(f"  {'':<10} → {finding.advice}")
    return int(any(finding.level == "problem" for finding in findings))


def examine(directory: Path) -> Iterator[Diagnosis]:
    checks: tuple[Callable[[Path], Iterator[Diagnosis]], ...] = (
        _python,
        _terminal,
        _tmux,
        _git,
        _settings,
        _blas,
        _speed,
        _model,
        _keys,
        _state,
    )
    for check in checks:
        try:
            yield from check(directory)
        except SparkError as error:
            where = f"{error.where}: " if error.where else ""
            yield Diagnosis(check.__name__.strip("_"), "problem", where + error.what, error.hint)
        except OSError as error:
            yield Diagnosis(check.__name__.strip("_"), "problem", str(error), "Check its permissions.")


def _python(_: Path) -> Iterator[Diagnosis]:
    fact = f"{platform.python_version()} ({platform.python_implementation()}) on {platform.system()}"
    yield Diagnosis("python", "ok", fact)


def _terminal(_: Path) -> Iterator[Diagnosis]:
    term = os.environ.get("TERM", "")
    if not sys.stdout.isatty() or not sys.stdin.isatty():
        yield Diagnosis(
            "terminal", "note", "none attached", "The workbench needs one; `spark exec` does not."
        )
        return
    size = shutil.get_terminal_size()
    if term in ("", "dumb"):
        yield Diagnosis(
            "terminal", "problem", f"TERM={term or 'unset'}", "Set TERM to the type of your terminal."
        )
    small = size.columns < 40 or size.lines < 12
    colours = os.environ.get("COLORTERM", "") or "256 or fewer"
    yield Diagnosis(
        "terminal",
        "problem" if small else "ok",
        f"{size.columns}×{size.lines}, TERM={term}, colours: {colours}",
        "The workbench needs 40×12; make the window larger." if small else "",
    )
    encoding = (sys.stdout.encoding or "").lower().replace("-", "")
    if encoding != "utf8":
        yield Diagnosis(
            "terminal",
            "problem",
            f"encoding is {encoding or 'unknown'}",
            "Set LANG or LC_ALL to a UTF-8 locale.",
        )


def _tmux(_: Path) -> Iterator[Diagnosis]:
    if not os.environ.get("TMUX"):
        return
    value = _output(["tmux", "show-options", "-sv", "escape-time"])
    if value is None or not value.isdigit():
        yield Diagnosis("tmux", "note", "did not answer", "")
    elif int(value) > 50:
        yield Diagnosis(
            "tmux",
            "problem",
            f"escape-time is {value} ms, so Esc arrives that late",
            "Add `set -s escape-time 10` to ~/.tmux.conf, then `tmux source ~/.tmux.conf`.",
        )
    else:
        yield Diagnosis("tmux", "ok", f"escape-time is {value} ms")


def _git(directory: Path) -> Iterator[Diagnosis]:
    try:
        version = text(git(directory, "--version", seconds=_GIT_SECONDS))
    except SparkError:
        yield Diagnosis("git", "problem", "not found", "Install git. Without it spark has only its own undo.")
        return
    yield Diagnosis("git", "ok", version.removeprefix("git version "))
    try:
        found = find_repository(directory)
    except SparkError as error:
        yield Diagnosis("git", "problem", f"{error.where}: {error.what}", error.hint)
        return
    if found is None:
        yield Diagnosis(
            "git", "note", f"{directory} is not in a git repository", "`git init`, or try `spark --demo`."
        )


def _settings(directory: Path) -> Iterator[Diagnosis]:
    loaded = settings.load(directory)
    if not loaded.files:
        yield Diagnosis("settings", "ok", f"all defaults; {paths.user_config_file()} does not exist")
    for file in loaded.files:
        yield Diagnosis("settings", "ok", f"{file}")
    unusable = _theme_problems(loaded.settings.theme) if "ui.theme" in loaded.origin else ""
    for key, where in sorted(loaded.origin.items()):
        wrong = unusable if key == "ui.theme" else ""
        fact = f"{key} is set by {where}" + (f", but {wrong}" if wrong else "")
        yield Diagnosis("settings", "problem" if wrong else "ok", fact)
    blas.prepare()
    from spark_tui.engine.kernels import int8_products

    if loaded.settings.fast and (trouble := int8_products.missing()):
        advice = "" if find_spec("numba") else install_command("fast")
        yield Diagnosis("settings", "problem", f"engine.fast is on, but {trouble}", advice)
    if not loaded.settings.fast and blas.facts().core.upper() in blas.AVX2_CORES:
        yield Diagnosis(
            "settings",
            "note",
            "engine.fast is off; it is faster on this CPU, which has no AVX-512",
            ("" if find_spec("numba") else install_command("fast") + ", then ")
            + "SPARK_ENGINE_FAST=true, or `fast = true` under [engine]; weights are rounded to int8.",
        )


def _theme_problems(name: str) -> str:
    from spark_tui.tui.settings.themes import ThemeCatalog

    catalog = ThemeCatalog((paths.themes_dir(), paths.config_dir() / "themes"))
    catalog.get(name)
    return "; ".join(catalog.problems)


def _blas(_: Path) -> Iterator[Diagnosis]:
    blas.prepare()
    import numpy

    facts = blas.facts()
    kernels = (
        f"{facts.core} kernels ({facts.reason})"
        if facts.core
        else "not OpenBLAS, so spark does not choose its kernels"
    )
    yield Diagnosis("blas", "ok", f"numpy {numpy.__version__}, {kernels}")
    yield Diagnosis("blas", "ok", f"{facts.threads or '?'} thread of {core_count()} cores")
    if preset := blas.preset():
        yield _preset(preset)
    from spark_tui.engine.kernels import int8_products, weight_strips

    layout = "packed in strips for AVX2" if weight_strips.usable() else "packed in panels for BLAS"
    measured = f": {weight_strips.choice().words()}" if blas.inner_loop() else ""
    yield Diagnosis("blas", "ok", f"weights {layout}{measured}")
    choice = int8_products.choice()
    if not choice.trouble:
        won = f"{choice.name} products win" if choice.name else "numpy wins"
        yield Diagnosis("blas", "ok", f"int8: {won}: {choice.words()}")
    if choice.unkept:
        yield Diagnosis("blas", "note", f"int8 kernels {choice.note}", "They are measured at each start.")


def _preset(preset: dict[str, str]) -> Diagnosis:
    """What variables of the environment that choose the kernels cost: the same measurement without them."""
    names = " and ".join(f"{name}={value}" for name, value in preset.items())
    rates = [
        _output([sys.executable, "-c", _MEASURE], leave_out=left_out, seconds=60)
        for left_out in ((), tuple(preset))
    ]
    fact = f"{names} set in the environment and used"
    if rates[0] is not None and rates[1] is not None:
        fact += f": {float(rates[0]):.0f} GFLOP/s, without {float(rates[1]):.0f}"
    return Diagnosis("blas", "note", fact, f"To let spark choose: env -u {' -u '.join(preset)} spark")


_MEASURE = (
    "import spark_tui; from spark_tui.engine.performance.roofline import probe;print(probe().rates[-1].value)"
)


def _speed(_: Path) -> Iterator[Diagnosis]:
    """The roofline, and what share of it a pass of the built-in model reaches."""
    from spark_tui.engine import load
    from spark_tui.engine.performance.kernel_timing import pass_shares
    from spark_tui.engine.performance.roofline_store import process_roofline

    roofline, note = process_roofline(paths.cache_dir())
    for line in roofline.lines():
        yield Diagnosis("speed", "ok", line)
    if roofline.trouble:
        advice = "" if find_spec("numba") else install_command("fast")
        yield Diagnosis("speed", "note", f"no int8 products: {roofline.trouble}", advice)
    if note:
        yield Diagnosis("speed", "note", note)
    for name in built_in_models():
        engine = load(name, threads=1)
        words = [
            f"{share.rows} row{'s' * (share.rows > 1)} {1000 * share.seconds:.3g} ms "
            f"({share.share or 0:.0%} of the roofline)"
            for share in pass_shares(engine.model, roofline, tries=_PASS_TRIES)
        ]
        yield Diagnosis("speed", "ok", f"passes of {name}: {', '.join(words)}")


def _model(directory: Path) -> Iterator[Diagnosis]:
    from spark_tui.backends.model_catalog import model_summary

    for name in (found := built_in_models()):
        what, usable = model_summary(paths.models_dir() / name)
        advice = "" if usable else "Install spark again."
        yield Diagnosis("model", "ok" if usable else "problem", f"built in: {name}, {what}", advice)
    if not found:
        yield Diagnosis(
            "model",
            "problem",
            "this installation has no built-in model",
            "Play recordings with --replay, or try `spark --demo`.",
        )
    recordings = len(list(paths.recordings_dir().glob("*.jsonl")))
    yield Diagnosis("model", "ok" if recordings else "problem", f"{recordings} recordings for --replay")
    chosen = settings.load(directory).settings
    if chosen.model and not chosen.connect and not chosen.replay:  # a server has its own names
        from spark_tui.cli.commands.models import find

        what, usable = model_summary(find(chosen.model))
        advice = "" if usable else "Correct the setting model.name, or choose another model."
        yield Diagnosis("model", "ok" if usable else "problem", f"{chosen.model}: {what}", advice)


def _keys(directory: Path) -> Iterator[Diagnosis]:
    """Which keys are there, never what they are."""
    from spark_tui.backends.remote import api_keys, presets

    variables = dict.fromkeys(
        [api_keys.OWN_VARIABLE, *(item.key for item in presets.all_presets() if item.key)]
    )
    present = [name for name in variables if os.environ.get(name, "").strip()]
    absent = [name for name in variables if name not in present]
    keyring = "installed" if find_spec("keyring") else "not installed"
    yield Diagnosis("keys", "ok", f"present: {', '.join(present) or 'none'}; keyring {keyring}")
    yield Diagnosis("keys", "ok", f"absent: {', '.join(absent) or 'none'}")
    chosen = settings.load(directory).settings.connect
    preset = presets.find(chosen) if chosen else None
    if preset and preset.key and not api_keys.find_key(preset.host):
        yield Diagnosis(
            "keys",
            "problem",
            f"no key for {preset.name}",
            f"{api_keys.key_hint(preset.host)}, or choose another.",
        )


def _state(_: Path) -> Iterator[Diagnosis]:
    state = paths.state_dir()
    existing = next(path for path in (state, *state.parents) if os.access(path, os.F_OK))
    if not (existing.is_dir() and os.access(existing, os.W_OK | os.X_OK)):
        yield Diagnosis(
            "state", "problem", f"{state} is not writable", "Fix its permissions or set XDG_STATE_HOME."
        )
    else:
        yield Diagnosis("state", "ok", f"{state}")


def _output(command: list[str], *, leave_out: Iterable[str] = (), seconds: float = 5) -> str | None:
    """The output of a program, run without some environment variables; None if it fails."""
    environment = {name: value for name, value in os.environ.items() if name not in leave_out}
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=seconds, check=False, env=environment
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None
