"""`spark bench harm`: random calls of all operations on real packages, and what they break.

Each plan is written into a copy of its package: the changed files compile, pyflakes finds no newly undefined
name in them, every module of the package that could be imported before still can, and the tests that it
carries pass as before where the operation promises that. Plans that name a doubt are counted apart from those
that do not: the bar is that no unmarked plan breaks anything.
"""

from __future__ import annotations

import argparse
import ast
import math
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from spark_tui.bars import Bar, at_most
from spark_tui.bench.exact_edits import reference_tools
from spark_tui.bench.measuring.reporting import QUICK_SECONDS, Report
from spark_tui.bench.packages.copies import Package, add_packages, copies, files_written
from spark_tui.bench.packages.imports_and_tests import Importer, PackageTests
from spark_tui.bench.packages.sandbox import sandbox
from spark_tui.bench.samplers import SAMPLERS
from spark_tui.codemods import registry
from spark_tui.codemods.checks.harm import checked
from spark_tui.codemods.plan import Plan
from spark_tui.pysource.files.tree import DiskTree
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.syntax.parsing import BOM
from spark_tui.pysource.words import word_set

PLANS, LEAST_PLANS, QUICK_PLANS = 600, 500, 30
_MOST_TRIES = 25
_PROGRESS_SECONDS = 15.0
_SEED = 11
_COLUMNS = (
    *("modules", "not imported", "plans", "unmarked", "tests", "tested"),
    *("harmed unmarked", "harmed marked", "refused"),
)
SAME_RESULTS = word_set(
    "rename rename_module add_parameter reorder_parameters make_keyword_only remove_default set_default"
    " remove_unused_imports sort_imports add_import move_definition extract_variable"
    " extract_constant extract_function inline_variable inline_constant inline_function to_f_string"
    " apply_pattern fix_mutable_default"
    " change_method_kind make_property document_parameters add_comment remove_comments set_comment"
    " rewrite_optional wrap_in_if wrap_in_with add_guard name_exception raise_from add_method remove_else"
    " leave_early loop_directly loop_items loop_zip loop_enumerate open_with set_quotes use_from_import"
    " from_f_string builtin_generics lambda_to_function remove_unused_variables"
    " if_to_match if_to_lookup list_public_names drop_python2 sort_definitions log_duration"
    " remove_parameter remove_unreachable document_parameter use_elif merge_branches merge_handlers"
    " loop_range to_raw_string to_typed_tuple to_instance_attribute"
)
"""Operations after which a program does the same: the tests of a package pass as before. `add_log` is none:
what it writes, and what keeps the record, can be tested."""


@dataclass
class _Tally:
    """The outcomes of the plans of one package."""

    counts: Counter[str] = field(default_factory=Counter)
    operations: Counter[str] = field(default_factory=Counter)
    harms: list[str] = field(default_factory=list)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_packages(parser)
    parser.add_argument("--plans", type=int, metavar="N", default=0, help=f"plans in all (default: {PLANS})")
    parser.add_argument("--seed", type=int, default=_SEED, help=f"of the random calls (default: {_SEED})")


def measure(args: argparse.Namespace) -> Report:
    reference_tools.require("pyflakes")
    report = Report("harm")
    wanted = args.plans or (QUICK_PLANS if args.quick else PLANS)
    deadline = time.monotonic() + QUICK_SECONDS * 0.8 if args.quick else math.inf
    total, operations = Counter[str](), Counter[str]()
    with copies(args.packages) as packages, sandbox() as within:
        report.notes.append(within.note)
        each = -(-wanted // len(packages))
        random.Random(args.seed).shuffle(packages)
        for package in packages:
            if time.monotonic() > deadline:
                break
            draws = random.Random(f"{args.seed} {package.name}")
            with closing(Importer(package.root, within)) as importer:
                tally = _of_package(package, each, draws, deadline, importer)
            if tally is None:
                report.notes.append(f"{package.name}: its modules cannot be imported here, left out")
                continue
            report.rows.append({"package": package.name, "lines": package.lines, **_columns(tally.counts)})
            report.notes += [f"{package.name}: {harm}" for harm in tally.harms]
            total.update(tally.counts)
            operations.update(tally.operations)
    report.rows.append({"package": "all", **_columns(total)})
    report.notes.append(
        "plans: " + ", ".join(f"{name} {count}" for name, count in sorted(operations.items()))
    )
    tested = sum(bool(row.get("tests")) for row in report.rows[:-1])
    report.notes += [
        f"The tests of {tested} packages ran before and after {total['tested']} plans: of operations after"
        " which a program does the same. The other packages carry no tests that run here.",
        f"Those operations: {', '.join(sorted(SAME_RESULTS))}.",
        f"{total['modules']} modules were imported after each plan of their package; {total['not imported']}"
        " that cannot be imported by themselves here were not.",
    ]
    report.bars += [
        Bar("plans", total["plans"], 1 if args.quick else LEAST_PLANS),
        Bar("packages", len(report.rows) - 1, 1 if args.quick else 10),
        at_most("unmarked_plans_that_break", total["harmed unmarked"], 0),
    ]
    return report


def _columns(counts: Counter[str]) -> dict[str, int]:
    return {name: counts[name] for name in _COLUMNS}


def _of_package(
    package: Package, wanted: int, rng: random.Random, deadline: float, importer: Importer
) -> _Tally | None:
    repo = Repository(DiskTree(package.root))
    modules = _modules(repo)
    working = importable(importer, modules)
    if not working:
        return None
    tally = _Tally()
    tally.counts["modules"], tally.counts["not imported"] = len(working), len(modules) - len(working)
    tests = PackageTests(package.root, importer.within) if deadline == math.inf else None
    tally.counts["tests"] = tests.passing if tests is not None and tests.can_run else 0
    reported_at = time.monotonic()
    for call, found in _plans(repo, wanted, rng, tally.counts):
        if time.monotonic() > deadline:
            break
        if time.monotonic() > reported_at + _PROGRESS_SECONDS:
            reported_at = time.monotonic()
            print(f"  {tally.counts['plans']} of {wanted} plans in {package.name}", file=sys.stderr)
        plan = checked(found, repo)
        mark = "unmarked" if plan.unmarked else "marked"
        name = registry.operation_name(type(call))
        tally.counts["plans"] += 1
        tally.counts[mark] += 1
        tally.operations[name] += 1
        tested = tests if tests is not None and tests.can_run and name in SAME_RESULTS else None
        tally.counts["tested"] += tested is not None
        harm = harm_of(package.root, repo, plan, working, importer, tested)
        if harm:
            tally.counts[f"harmed {mark}"] += 1
            tally.harms.append(f"{mark}: {registry.render(call)}: {harm}")
            print(f"  {package.name}: {tally.harms[-1]}", file=sys.stderr)
    return tally


def importable(importer: Importer, modules: list[str]) -> list[str]:
    """The modules that can be imported by themselves: what an import that failed has left behind may let
    another one pass."""
    while modules and (failing := importer.failing(modules)):
        modules = [module for module in modules if module not in failing]
    return modules


def _plans(
    repo: Repository, wanted: int, rng: random.Random, counts: Counter[str]
) -> Iterator[tuple[Any, Plan]]:
    """Plans of random calls until there are enough. Next comes the operation with the fewest plans; one that
    fails too often in this package is left out."""
    paths = [path for path in repo.index.paths if repo.index.summary(path).parses]
    made = dict.fromkeys(rng.sample(sorted(SAMPLERS), len(SAMPLERS)), 0)
    tries = Counter(made)
    while made and sum(made.values()) < wanted:
        name = min(made, key=lambda item: made[item])
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


def harm_of(
    root: Path,
    repo: Repository,
    plan: Plan,
    modules: list[str],
    importer: Importer,
    tests: PackageTests | None = None,
) -> str:
    """The first thing that a plan breaks; empty where it breaks nothing. The copy is restored."""
    texts = plan.texts(repo)
    came_from = {new: old for old, new in plan.moved.items()}
    for path, text in texts.items():
        was = repo.index.text(came_from.get(path, path)) or ""
        if not path.endswith((".py", ".pyi")):
            continue
        trouble = _compiles(text or "", path) or _newly_undefined(was, text or "", path)
        if trouble:
            return trouble
    with files_written(root, texts, importer.within):
        failing = importer.failing(_moved(repo, plan, modules))
        failed = tests.newly_failing() if tests is not None and not failing else []
    found = [f"import {name}: {reason}" for name, reason in failing.items()]
    found += [f"test {item}" for item in failed]
    return "; ".join(found[:2])


def _moved(repo: Repository, plan: Plan, modules: list[str]) -> list[str]:
    """The modules that are left after a plan, under the names that they have then."""
    names = repo.with_changes(plan.texts(repo)).index.modules if plan.moved else repo.index.modules
    new = {repo.index.modules.name(old): names.name(to) for old, to in plan.moved.items()}
    gone = set(map(repo.index.modules.name, plan.removed))
    return [new.get(module, module) for module in modules if module not in gone]


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
    from pyflakes import checker, messages

    wanted = (messages.UndefinedName, messages.UndefinedLocal, messages.UndefinedExport)
    return Counter(
        f"{type(message).__name__} {message.message_args[0]}"
        for message in checker.Checker(ast.parse(text.removeprefix(BOM)), filename=path).messages
        if isinstance(message, wanted)
    )


def _modules(repo: Repository) -> list[str]:
    names = [repo.index.modules.name(path) for path in repo.index.paths if path.endswith(".py")]
    return sorted({name for name in names if name and "__main__" not in name and "-" not in name})
