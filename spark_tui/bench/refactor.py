"""`spark bench refactor`: renames and changes of signatures compared with rope and jedi, and their speed.

Random symbols of real packages are renamed, and random functions get a parameter that every call passes.
The places that the plans edit are compared with the references that the tools find. Imports are left out:
rope and jedi rename what is imported, a rename here gives it an alias.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from spark_tui.bench import differences, plan_timing, reference_tools
from spark_tui.bench.differences import INFERRED, Difference
from spark_tui.bench.packages import Package, copies
from spark_tui.bench.reference_tools import Place
from spark_tui.bench.reporting import QUICK_SECONDS, Bar, Report
from spark_tui.codemods.families.rename import Rename
from spark_tui.codemods.families.signature import AddParameter
from spark_tui.codemods.plan import Plan
from spark_tui.codemods.slots import CALLABLE, Expression, NewName, Symbol, SymbolKind
from spark_tui.codemods.symbols import Target, targets
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.tree import DiskTree

SYMBOLS, LEAST_SYMBOLS = 1200, 1000
_SIGNATURES_OF_ALL = 0.2
_TOOL_SECONDS = 20.0
_SEED = 7
WARM_SECONDS, COLD_SECONDS, MOST_MEGABYTES = 1.0, 8.0, 300


@dataclass
class Comparison:
    """The outcomes for the symbols of one package."""

    counts: Counter[str] = field(default_factory=Counter)
    differences: list[Difference] = field(default_factory=list)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--packages",
        metavar="DIR",
        help="folder of wheels or unpacked packages (default: installed packages)",
    )
    parser.add_argument(
        "--symbols", type=int, metavar="N", default=0, help=f"symbols in all (default: {SYMBOLS})"
    )
    parser.add_argument("--seed", type=int, default=_SEED, help=f"seed of the choice (default: {_SEED})")
    parser.add_argument("--differences", action="store_true", help="list the explained differences too")


def measure(args: argparse.Namespace) -> Report:
    reference_tools.require("rope", "jedi")
    report = Report("refactor")
    begin = time.monotonic()
    deadline = begin + QUICK_SECONDS * 0.5 if args.quick else None
    total: Counter[str] = Counter()
    found: list[Difference] = []
    with copies(args.packages) as packages:
        each = -(-(args.symbols or SYMBOLS) // len(packages))
        random.Random(args.seed).shuffle(packages)
        for package in packages:
            if deadline is not None and time.monotonic() > deadline:
                break
            made = _of_package(package, 6 if args.quick else each, args.seed, deadline)
            report.rows.append({"package": package.name, **_columns(made.counts)})
            total.update(made.counts)
            found += made.differences
        count = len(report.rows)
        report.rows.append({"package": "all", **_columns(total)})
        timings = plan_timing.measure(packages, quick=args.quick)
    report.rows += timings.rows
    reasons = Counter(one.reason or "unexplained" for one in found)
    report.notes += [f"{reason}: {number} places" for reason, number in reasons.most_common()]
    report.notes += [str(one) for one in found if args.differences or not one.reason]
    report.notes.append(f'A plan is judged where both tools agree. "{INFERRED}" is not confirmed by a tool.')
    least = 1 if args.quick else LEAST_SYMBOLS
    report.bars += [
        Bar("symbols", total["symbols"], least),
        Bar("packages", count, 1 if args.quick else 10),
        Bar("unexplained_places", reasons["unexplained"], 0, "lower"),
        Bar("plan_warm_seconds", timings.warm, WARM_SECONDS, "lower"),
        Bar("plan_cold_seconds", timings.cold, COLD_SECONDS, "lower"),
        Bar("plan_megabytes", timings.megabytes, MOST_MEGABYTES, "lower"),
    ]
    return report


def _columns(counts: Counter[str]) -> dict[str, int]:
    names = (
        "symbols",
        "renames",
        "signatures",
        "as rope",
        "as jedi",
        "as one of them",
        "explained",
        "unexplained",
    )
    return {name: counts[name] for name in (*names, "refused")}


def _of_package(package: Package, wanted: int, seed: int, deadline: float | None) -> Comparison:
    repo = Repository(DiskTree(package.root))
    asked = reference_tools.load(package.root, _TOOL_SECONDS)
    out = Comparison()
    for target, plan in _plans(repo, wanted, random.Random(seed), out.counts):
        if deadline is not None and time.monotonic() > deadline:
            break
        signature = isinstance(plan, SignaturePlan)
        here = _definition(repo, target)
        if here is None:
            continue
        named = {one.name: one.references(here) for one in asked}
        if signature:
            named = {
                name: None if places is None else differences.only_calls(places, repo)
                for name, places in named.items()
            }
            ours = differences.edited_calls(plan.plan, repo)
        else:
            ours = differences.edited_names(plan.plan, repo)
        out.counts["symbols"] += 1
        out.counts["signatures" if signature else "renames"] += 1
        same = [name for name, places in named.items() if places == ours]
        out.counts.update(f"as {name}" for name in same)
        listed = differences.compare(target, ours, plan.plan, repo, named)
        out.differences += listed
        if same:
            out.counts["as one of them"] += 1
        elif all(one.reason for one in listed):
            out.counts["explained"] += 1
        if not all(one.reason for one in listed):
            out.counts["unexplained"] += 1
    return out


@dataclass(frozen=True, slots=True)
class RenamePlan:
    plan: Plan


@dataclass(frozen=True, slots=True)
class SignaturePlan:
    plan: Plan


def _plans(
    repo: Repository, wanted: int, rng: random.Random, counts: Counter[str]
) -> Iterator[tuple[Target, RenamePlan | SignaturePlan]]:
    """Renames of random symbols, and parameters added to random functions."""
    symbols = sorted(
        (
            one
            for path in repo.index.paths
            for one in targets(repo, path)
            if one.kind is not SymbolKind.IMPORT and not one.name.startswith("__") and not _is_import(one)
        ),
        key=str,
    )
    functions = [one for one in symbols if one.kind in CALLABLE]
    signatures = round(wanted * _SIGNATURES_OF_ALL)
    for one in rng.sample(symbols, min(wanted - signatures, len(symbols))):
        new = NewName(f"{'_' if one.name.startswith('_') else ''}zz_{one.name.strip('_')}")
        found = Rename(_symbol(one), new).plan(repo)
        if isinstance(found, Plan):
            yield one, RenamePlan(found)
        else:
            counts["refused"] += 1
    for one in rng.sample(functions, min(signatures, len(functions))):
        added = AddParameter(_symbol(one), NewName("zz_added"), value=Expression("zz_value"))
        found = added.plan(repo)
        if isinstance(found, Plan):
            yield one, SignaturePlan(found)
        else:
            counts["refused"] += 1


def _is_import(target: Target) -> bool:
    bindings: Sequence[Any] = target.variable.bindings if target.variable is not None else ()
    return any(one.role.value == "import" for one in bindings)


def _symbol(target: Target) -> Symbol:
    return Symbol(target.qualname, target.path, target.line)


def _definition(repo: Repository, target: Target) -> Place | None:
    """The place of the name where the symbol is defined."""
    if target.variable is not None:
        offset = target.variable.bindings[0].span[0]
    else:
        scopes = repo.index.scopes(target.path)
        found = [
            one.span[0]
            for one in scopes.attributes
            if one.node.attr == target.name and one.node.lineno == target.line
        ]
        offset = found[0] if found else -1
    return differences.place(repo, target.path, offset) if offset >= 0 else None
