"""`spark bench checks`: problems in recorded outputs, offline fixes of seeded faults, the cost of `watch`.

A fault is written into a copy of a real package. The check that sees it runs, its first problem is read from
the real output, and the fixes are asked for as the workbench asks for them. Each fix that is offered is
written, and the tests of the package say whether all is well again and whether it broke what passed.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event as StopFlag

from spark_tui.bars import Bar, at_most
from spark_tui.bench.enter import Answered, answered, opened_session, row
from spark_tui.bench.exact_edits import plan_timing, reference_tools
from spark_tui.bench.faults import watch_cost
from spark_tui.bench.faults.trials import FaultTrials, Trial
from spark_tui.bench.measuring.reporting import QUICK_SECONDS, Report, percentile
from spark_tui.bench.packages.copies import Package, add_packages, copies, write_bytes
from spark_tui.bench.packages.sandbox import sandbox
from spark_tui.context.shown_context import ContextRequest
from spark_tui.errors import UsageError
from spark_tui.problems.describe import fix_request
from spark_tui.problems.problem import Problem, as_dict
from spark_tui.problems.reader import ProblemReader
from spark_tui.workspace.git import git

_LINE = b"\n===== problems =====\n"
FOLDER = Path("tests/cases/problems")
"""In the source tree: an installed package has none."""


@dataclass(frozen=True)
class Recorded:
    """What was found in all outputs of a folder."""

    outputs: int
    problems: int
    missed: tuple[str, ...]
    invented: tuple[str, ...]


def read_recorded(folder: Path = FOLDER) -> Recorded:
    """Read each output as one piece, and compare with what was written down for it."""
    missed, invented, problems = [], [], 0
    paths = sorted(folder.glob("*.txt"))
    if not paths:
        hint = "Run this in the source tree of spark, or name a folder: --outputs DIR"
        raise UsageError("there are no recorded outputs", where=str(folder), hint=hint)
    for path in paths:
        output, _, expected = path.read_bytes().partition(_LINE)
        reader = ProblemReader()
        found = Counter(
            json.dumps(as_dict(item), sort_keys=True) for item in (*reader.feed(output), *reader.close())
        )
        wanted = Counter(
            json.dumps(json.loads(line), sort_keys=True) for line in expected.decode().splitlines()
        )
        problems += wanted.total()
        missed += [f"{path.stem}: {element}" for element in (wanted - found).elements()]
        invented += [f"{path.stem}: {element}" for element in (found - wanted).elements()]
    return Recorded(len(paths), problems, tuple(missed), tuple(invented))


def fix_times(trials: Sequence[Trial], packages: Sequence[Package]) -> tuple[int, list[Answered]]:
    """The lines of the tree, and each answer with its time. Trials of packages that the tree has no room for
    are left out."""
    with tempfile.TemporaryDirectory(prefix="spark-bench-") as scratch:
        root = Path(scratch) / "tree"
        lines = plan_timing.gather(packages, root, plan_timing.LINES)
        git(root, "init", "-q")
        roots = {package.name: package.root for package in packages}
        with opened_session(root, Path(scratch) / "home") as session:
            session.reader.load(StopFlag())
            found = []
            for trial in trials:
                home = root / "part0" / trial.package
                path = home / trial.fault.path
                if not path.exists():
                    continue
                path.unlink()  # a link to the file of the package
                write_bytes(path, trial.fault.after)
                # The check ran in the folder of the package.
                request = fix_request("check", [_within(trial.problem, roots[trial.package])], root, home)
                found.append(answered(session, ContextRequest(request)))
                write_bytes(path, trial.fault.before)
    return lines, found


def _within(problem: Problem, root: Path) -> Problem:
    """The problem with paths below the folder of its package, where the tool named whole ones."""

    def below(path: str) -> str:
        return path.removeprefix(f"{root}/").removeprefix(f"{root.resolve()}/")

    frames = tuple(replace(frame, path=below(frame.path)) for frame in problem.frames)
    return replace(problem, path=below(problem.path), frames=frames)


LEAST_OUTPUTS, LEAST_FAULTS, LEAST_PACKAGES = 150, 120, 8
MENDED_SHARE, FIX_MS, WATCH_PERCENT = 0.6, 100.0, 2.0
_SEED = 5
_ROUNDS, _QUICK_ROUNDS = 9, 3
_SECONDS, _QUICK_SECONDS = 2.0, 0.5
_QUICK_TIMED = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_packages(parser)
    parser.add_argument(
        "--faults", type=int, metavar="N", default=14, help="faults of each package (default: 14)"
    )
    parser.add_argument("--seed", type=int, default=_SEED, help=f"of the faults (default: {_SEED})")
    parser.add_argument("--outputs", metavar="DIR", default=str(FOLDER), help="recorded outputs of tools")


def measure(args: argparse.Namespace) -> Report:
    reference_tools.require("ruff")
    report = Report("checks")
    _outputs(Path(args.outputs), report)
    _watch(report, quick=args.quick)
    deadline = time.monotonic() + QUICK_SECONDS * 0.5 if args.quick else float("inf")
    _fixes(_trials(args, deadline, report), report, quick=args.quick)
    return report


def _outputs(folder: Path, report: Report) -> None:
    found = read_recorded(folder)
    report.notes += [f"missed: {item}" for item in found.missed] + [
        f"invented: {item}" for item in found.invented
    ]
    report.notes.append(f"{found.outputs} recorded outputs with {found.problems} problems")
    report.bars += [
        Bar("recorded_outputs", found.outputs, LEAST_OUTPUTS),
        at_most("problems_missed", len(found.missed), 0),
        at_most("problems_invented", len(found.invented), 0),
    ]


def _watch(report: Report, *, quick: bool) -> None:
    rounds, seconds = (_QUICK_ROUNDS, _QUICK_SECONDS) if quick else (_ROUNDS, _SECONDS)
    with tempfile.TemporaryDirectory(prefix="spark-bench-") as folder:
        for kind in watch_cost.COMMANDS:
            spread = watch_cost.cost(kind, rounds, seconds, Path(folder))
            share = 100 * watch_cost.processor_share(kind, seconds, Path(folder))
            low, middle, high = (100 * item for item in (spread.low, spread.median, spread.high))
            report.notes.append(
                f"a {kind} command takes {middle:+.2f} % longer under watch ({low:+.2f} to {high:+.2f});"
                f" reading its output takes {share:.2f} % of its processor time"
            )
            report.bars.append(at_most(f"watch_adds_percent: {kind}", middle, WATCH_PERCENT))
        survived = watch_cost.survives(Path(folder))
    report.bars += [Bar(f"survives: {name}", float(ok), 1.0) for name, ok in survived.items()]


def _trials(args: argparse.Namespace, deadline: float, report: Report) -> list[Trial]:
    out: list[Trial] = []
    with copies(args.packages) as packages, sandbox() as within:
        report.notes.append(within.note)
        for package in packages:
            if out and time.monotonic() > deadline:
                break
            trials = FaultTrials(package, within, random.Random(f"{args.seed} {package.name}"))
            print(f"  {package.name}: its tests run", file=sys.stderr, flush=True)
            if not trials.prepare():
                report.notes.append(f"{package.name}: no tests of it pass here in time, left out")
                continue
            found = []
            for item in trials.run(args.faults, deadline):
                found.append(item)
                print(f"  {package.name}: {_line(item)}", file=sys.stderr, flush=True)
            report.rows.append({"faults of": package.name, **_counts(found)})
            out += found
        _fix_times(out, packages, report, most=_QUICK_TIMED if args.quick else len(out))
    for kind in sorted(Counter(trial.fault.kind for trial in out)):
        report.rows.append(
            {"faults of": kind, **_counts([trial for trial in out if trial.fault.kind == kind])}
        )
    report.notes += [f"not mended: {trial.package}: {_line(trial)}" for trial in out if not trial.mended]
    report.notes += [
        f"breaks: {trial.package}: {title}: {_line(trial)}"
        for trial in out
        for title, broken in zip(trial.offered, trial.breaks, strict=True)
        if broken
    ]
    return out


def _fix_times(trials: list[Trial], packages: list[Package], report: Report, most: int) -> None:
    """From the problem to the hunks, in a session on a large repository."""
    lines, found = fix_times([trial for trial in trials if trial.offered][:most], packages)
    edits = [item for item in found if item.ending in ("stop", "choices")]
    if edits:
        report.rows.append(row("from a problem to its fixes", lines, edits))
    times = [edit.ms for edit in edits]
    report.bars.append(at_most("fix_p95_ms", percentile(times, 95) if times else None, FIX_MS))


def _line(trial: Trial) -> str:
    place = f"{trial.fault.path}:{trial.fault.line}"
    first_line = trial.problem.message.partition("\n")[0]
    ending = ("mended" if trial.mended else "not mended") + (", a fix breaks" if any(trial.breaks) else "")
    return f"{ending}: {trial.fault.kind}: {place}: {trial.fault.shown[:120]}: {first_line[:120]}"


def _counts(trials: list[Trial]) -> dict[str, int]:
    return {
        "seeded": len(trials),
        "mended": sum(trial.mended for trial in trials),
        "by the first": sum(trial.mends[:1] == (True,) for trial in trials),
        "as it was": sum(trial.restores for trial in trials),
        "offered": sum(len(trial.offered) for trial in trials),
        "breaking": sum(map(sum, (trial.breaks for trial in trials))),
    }


def _fixes(trials: list[Trial], report: Report, *, quick: bool) -> None:
    total = _counts(trials)
    report.rows.append({"faults of": "all", **total})
    report.bars += [
        Bar("seeded_faults", len(trials), 1 if quick else LEAST_FAULTS),
        Bar("packages", len({trial.package for trial in trials}), 1 if quick else LEAST_PACKAGES),
        Bar("mended_share", total["mended"] / len(trials) if trials else None, MENDED_SHARE),
        at_most("fixes_that_break", total["breaking"], 0),
    ]
