"""`spark bench harm`: random calls of all operations on real packages, and what they break.

Each plan is written into a copy of its package: the changed files compile, pyflakes finds no newly undefined
name in them, and every module of the package that could be imported before still can. Plans that name a doubt
are counted apart from those that do not: the bar is that no unmarked plan breaks anything.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from spark_tui.bench import import_worker, reference_tools
from spark_tui.bench.packages import Package, copies
from spark_tui.bench.reporting import QUICK_SECONDS, Bar, Report
from spark_tui.bench.samplers import SAMPLERS
from spark_tui.codemods import registry
from spark_tui.codemods.checks import checked
from spark_tui.codemods.plan import Plan
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import BOM
from spark_tui.pysource.tree import DiskTree

PLANS, LEAST_PLANS, QUICK_PLANS = 600, 500, 30
_MOST_TRIES = 25
_IMPORT_SECONDS = 60
_SEED = 11


@dataclass
class _Tally:
    """The outcomes of the plans of one package."""

    counts: Counter[str] = field(default_factory=Counter)
    operations: Counter[str] = field(default_factory=Counter)
    harms: list[str] = field(default_factory=list)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--packages", metavar="DIR", help="wheels or unpacked packages (default: installed ones)"
    )
    parser.add_argument("--plans", type=int, metavar="N", default=0, help=f"plans in all (default: {PLANS})")
    parser.add_argument("--seed", type=int, default=_SEED, help=f"of the random calls (default: {_SEED})")
    parser.add_argument("--op", metavar="NAME", help="only this operation")


def measure(args: argparse.Namespace) -> Report:
    reference_tools.require("pyflakes")
    report = Report("harm")
    wanted = args.plans or (QUICK_PLANS if args.quick else PLANS)
    deadline = time.monotonic() + QUICK_SECONDS * 0.8 if args.quick else None
    names = sorted(SAMPLERS) if not args.op else [args.op]
    total: Counter[str] = Counter()
    operations: Counter[str] = Counter()
    with copies(args.packages) as packages:
        each = -(-wanted // len(packages))
        rng = random.Random(args.seed)
        rng.shuffle(packages)
        for package in packages:
            if deadline is not None and time.monotonic() > deadline:
                break
            draws = random.Random(f"{args.seed} {package.name}")
            tally = _of_package(package, each, names, draws, deadline)
            if tally is None:
                report.notes.append(f"{package.name}: its modules cannot be imported here, left out")
                continue
            report.rows.append({"package": package.name, "lines": package.lines, **_columns(tally.counts)})
            report.notes += [f"{package.name}: {one}" for one in tally.harms]
            total.update(tally.counts)
            operations.update(tally.operations)
    report.rows.append({"package": "all", **_columns(total)})
    report.notes.append(
        "plans: " + ", ".join(f"{name} {count}" for name, count in sorted(operations.items()))
    )
    report.notes.append("Tests of the packages are not run: wheels do not carry them.")
    report.bars += _bars(total, len(report.rows) - 1, quick=args.quick)
    return report


def _columns(counts: Mapping[str, int]) -> dict[str, int]:
    return {
        name: counts.get(name, 0)
        for name in ("plans", "unmarked", "harmed unmarked", "harmed marked", "refused")
    }


def _bars(total: Mapping[str, int], packages: int, *, quick: bool) -> list[Bar]:
    least = 1 if quick else LEAST_PLANS
    return [
        Bar("plans", total.get("plans", 0), least),
        Bar("packages", packages, 1 if quick else 10),
        Bar("unmarked_plans_that_break", total.get("harmed unmarked", 0), 0, "lower"),
    ]


def _of_package(
    package: Package, wanted: int, names: list[str], rng: random.Random, deadline: float | None
) -> _Tally | None:
    repo = Repository(DiskTree(package.root))
    modules = _modules(repo)
    failing = _failing(package.root, modules)
    working = [one for one in modules if one not in failing]
    if not working:
        return None
    tally = _Tally()
    for call, found in _plans(repo, names, wanted, rng, tally.counts):
        if deadline is not None and time.monotonic() > deadline:
            break
        plan = checked(found, repo)
        mark = "unmarked" if plan.unmarked else "marked"
        tally.counts["plans"] += 1
        tally.counts[mark] += 1
        tally.operations[registry.operation_name(type(call))] += 1
        harm = harm_of(package.root, repo, plan, working)
        if harm:
            tally.counts[f"harmed {mark}"] += 1
            tally.harms.append(f"{mark}: {registry.render(call)}: {harm}")
    return tally


def _plans(
    repo: Repository, names: list[str], wanted: int, rng: random.Random, counts: Counter[str]
) -> Iterator[tuple[Any, Plan]]:
    """Plans of random calls until there are enough. Next comes the operation with the fewest plans; one that
    fails too often in this package is left out."""
    paths = [path for path in repo.index.paths if repo.index.summary(path).parses]
    made = dict.fromkeys(rng.sample(names, len(names)), 0)
    tries = Counter(made)
    while made and sum(made.values()) < wanted:
        name = min(made, key=lambda one: made[one])
        tries[name] += 1
        call = SAMPLERS[name](repo, rng.choice(paths), rng)
        found = call.plan(repo) if call is not None else None
        if isinstance(found, Plan):
            made[name] += 1
            yield call, found
        elif found is not None:
            counts["refused"] += 1
        if tries[name] > _MOST_TRIES * (made[name] + 1):
            del made[name]


def harm_of(root: Path, repo: Repository, plan: Plan, modules: list[str]) -> str:
    """The first thing that a plan breaks; empty where it breaks nothing. The copy is restored."""
    texts = plan.texts(repo)
    for path, text in texts.items():
        trouble = _compiles(text or "", path) or _newly_undefined(
            repo.index.text(path) or "", text or "", path
        )
        if trouble:
            return trouble
    originals = {path: (root / path).read_bytes() if (root / path).exists() else None for path in texts}
    try:
        for path, text in texts.items():
            _write(root / path, None if text is None else text.encode("utf-8", "surrogateescape"))
        failing = _failing(root, modules)
    finally:
        for path, data in originals.items():
            _write(root / path, data)
    return "; ".join(f"import {name}: {reason}" for name, reason in list(failing.items())[:2])


def _write(path: Path, data: bytes | None) -> None:
    """Write a file, and forget its byte code: within a second it would pass for that of the new text."""
    for one in path.parent.glob(f"__pycache__/{path.stem}.*.pyc"):
        one.unlink()
    if data is None:
        path.unlink(missing_ok=True)
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def _compiles(text: str, path: str) -> str:
    try:
        compile(text.removeprefix(BOM), path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        return f"{path} does not compile: {error}"
    return ""


def _newly_undefined(before: str, after: str, path: str) -> str:
    old, new = _undefined(before, path), _undefined(after, path)
    if sum(new.values()) <= sum(old.values()):
        return ""
    return f"pyflakes: {', '.join(sorted((new - old).keys()))} in {path}"


def _undefined(text: str, path: str) -> Counter[str]:
    import ast

    from pyflakes import checker, messages

    wanted = (messages.UndefinedName, messages.UndefinedLocal, messages.UndefinedExport)
    found = checker.Checker(ast.parse(text.removeprefix(BOM)), filename=path).messages
    return Counter(f"{type(one).__name__} {one.message_args[0]}" for one in found if isinstance(one, wanted))


def _modules(repo: Repository) -> list[str]:
    names = [repo.index.modules.name(path) for path in repo.index.paths if path.endswith(".py")]
    return sorted({one for one in names if one and "__main__" not in one and "-" not in one})


def _failing(root: Path, modules: list[str]) -> dict[str, str]:
    """The modules that cannot be imported, with the reason."""
    command = [sys.executable, str(Path(import_worker.__file__)), str(root), *modules]
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            timeout=_IMPORT_SECONDS,
            cwd=root,
            env=environment,
            check=False,
        )
        found: dict[str, str] = json.loads(done.stdout)
    except (subprocess.TimeoutExpired, ValueError):
        return dict.fromkeys(modules, "the process did not end well")
    return found
