"""`spark bench refactor`: renames and changes of signatures compared with rope and jedi, and their speed.

Random symbols of real packages are renamed, and random functions get a parameter that every call passes.
The places that the plans edit are compared with the references that the tools find. Imports are left out:
rope and jedi rename what is imported, a rename here gives it an alias.
"""

from __future__ import annotations

import argparse
import ast
import math
import random
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from spark_tui.bars import Bar, at_most
from spark_tui.bench.exact_edits import differences, plan_timing, reference_tools
from spark_tui.bench.exact_edits.differences import INFERRED, Difference
from spark_tui.bench.exact_edits.reference_tools import Place, ReferenceTool
from spark_tui.bench.measuring.reporting import QUICK_SECONDS, Report
from spark_tui.bench.packages.copies import Package, add_packages, copies
from spark_tui.bench.samplers import symbol_of
from spark_tui.codemods.families.functions.signature import AddParameter
from spark_tui.codemods.families.names.rename import Rename
from spark_tui.codemods.plan import Plan
from spark_tui.codemods.slots import CALLABLE, Expression, NewName, SymbolKind
from spark_tui.codemods.uses.symbols import Target, list_targets
from spark_tui.pysource.files.tree import DiskTree
from spark_tui.pysource.repository import Repository

SYMBOLS, LEAST_SYMBOLS = 1200, 1000
_QUICK_SYMBOLS = 6
_LIMIT_SECONDS = 10.0
_SEED = 7
WARM_SECONDS, COLD_SECONDS, MOST_MEGABYTES = 1.0, 8.0, 300


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_packages(parser)
    parser.add_argument("--seed", type=int, default=_SEED, help=f"seed of the choice (default: {_SEED})")


def measure(args: argparse.Namespace) -> Report:
    reference_tools.require("rope", "jedi")
    report = Report("refactor")
    deadline = time.monotonic() + QUICK_SECONDS * 0.3 if args.quick else math.inf
    found: list[ComparedSymbol] = []
    refused = 0
    with copies(args.packages) as packages:
        each = _QUICK_SYMBOLS if args.quick else -(-SYMBOLS // len(packages))
        progress = Progress(each * len(packages))
        random.Random(args.seed).shuffle(packages)
        for package in packages:
            if time.monotonic() > deadline:
                break
            made, left = compare(package, each, args.seed, _LIMIT_SECONDS, deadline, progress)
            report.rows.append({"package": package.name, **_columns(made), "refused": left})
            refused += left
            found += made
        count = len(report.rows)
        report.rows.append({"package": "all", **_columns(found), "refused": refused})
        timings = plan_timing.measure(packages, quick=args.quick)
    listed = [difference for symbol in found for difference in symbol.differences]
    report.rows += timings.rows
    report.notes += _by_cause(listed)
    report.notes += [str(item) for item in listed if not item.reason]
    report.notes.append(f'A plan is judged where both tools agree. "{INFERRED}" is not confirmed by a tool.')
    report.bars += [
        Bar("symbols", len(found), 1 if args.quick else LEAST_SYMBOLS),
        Bar("packages", count, 1 if args.quick else 10),
        at_most("unexplained_places", sum(not item.reason for item in listed), 0),
        at_most("plan_warm_seconds", timings.warm, WARM_SECONDS),
        at_most("plan_cold_seconds", timings.cold, COLD_SECONDS),
        at_most("plan_megabytes", timings.megabytes, MOST_MEGABYTES),
    ]
    return report


def _columns(found: Sequence[ComparedSymbol]) -> dict[str, int]:
    differ = [symbol for symbol in found if not symbol.same]
    return {
        "symbols": len(found),
        "renames": sum(symbol.kind == "rename" for symbol in found),
        "signatures": sum(symbol.kind == "signature" for symbol in found),
        "as rope": sum("rope" in symbol.same for symbol in found),
        "as jedi": sum("jedi" in symbol.same for symbol in found),
        "as one of them": sum(bool(symbol.same) for symbol in found),
        "explained": sum(symbol.explained for symbol in differ),
        "unexplained": sum(not symbol.explained for symbol in found),
        "gave up": sum(bool(symbol.silent) for symbol in found),
    }


def _by_cause(found: Iterable[Difference]) -> list[str]:
    """The differences by their reason: a table with their numbers and the first of each."""
    causes: dict[str, list[Difference]] = {}
    for difference in found:
        causes.setdefault(difference.reason or "unexplained", []).append(difference)
    rows = ["places  symbols  cause, and the first"]
    for cause, them in sorted(causes.items(), key=lambda item: -len(item[1])):
        symbols = len({item.symbol for item in them})
        place = "{}:{}:{}".format(*them[0].place)
        rows.append(f"{len(them):>6}  {symbols:>7}  {cause}: {them[0].symbol} at {place}")
    return [*rows, ""] if causes else []


_SIGNATURES_OF_ALL = 0.2
_PROGRESS_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class ComparedSymbol:
    """What a comparison found. `same`: the tools with the same places; `silent`: those that gave up."""

    kind: str
    same: tuple[str, ...] = ()
    silent: tuple[str, ...] = ()
    differences: tuple[Difference, ...] = ()

    @property
    def explained(self) -> bool:
        return all(difference.reason for difference in self.differences)


class Progress:
    """A line on standard error now and then."""

    def __init__(self, wanted: int) -> None:
        self.wanted, self.done = wanted, 0
        self._next = time.monotonic() + _PROGRESS_SECONDS

    def step(self, package: str) -> None:
        self.done += 1
        if time.monotonic() > self._next:
            self._next = time.monotonic() + _PROGRESS_SECONDS
            print(f"  {self.done} of {self.wanted} symbols, in {package}", file=sys.stderr, flush=True)


def compare(
    package: Package, wanted: int, seed: int, seconds: float, deadline: float, progress: Progress
) -> tuple[list[ComparedSymbol], int]:
    """The outcomes of random symbols of a package, and how many calls were refused. A tool may take so many
    seconds for one symbol."""
    repo = Repository(DiskTree(package.root))
    asked = reference_tools.load(package.root, seconds)
    out: list[ComparedSymbol] = []
    refused = 0
    for target, call in _calls(repo, wanted, random.Random(f"{seed} {package.name}")):
        if time.monotonic() > deadline:
            break
        kind = "rename" if isinstance(call, Rename) else "signature"
        plan = call.plan(repo)
        here = _definition(repo, target)
        if not isinstance(plan, Plan) or here is None:
            refused += 1
            continue
        found = compared_with(repo, target, plan, here, asked, calls=kind == "signature")
        out.append(ComparedSymbol(kind, *found))
        progress.step(package.name)
    return out, refused


def compared_with(
    repo: Repository, target: Target, plan: Plan, here: Place, asked: Sequence[ReferenceTool], *, calls: bool
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[Difference, ...]]:
    """The tools with the places of the plan, those without an answer, and the differences."""
    # An answer without the place that was asked for is none: rope reads no stubs.
    answers = {tool.name: tool.references(here) for tool in asked}
    named = {name: found if found and here in found else None for name, found in answers.items()}
    ours = differences.edited_names(plan, repo)
    if calls:
        ours = differences.edited_calls(plan, repo)
        named = {
            name: None if places is None else differences.only_calls(places, repo)
            for name, places in named.items()
        }
    same = tuple(name for name, places in named.items() if places == ours)
    silent = tuple(name for name, places in named.items() if places is None)
    return same, silent, tuple(differences.compare(target, ours, plan, repo, named))


def _calls(
    repo: Repository, wanted: int, rng: random.Random
) -> Iterator[tuple[Target, Rename | AddParameter]]:
    """Renames of random symbols, and parameters added to random functions."""
    symbols = sorted(
        (
            target
            for path in repo.index.paths
            for target in list_targets(repo, path)
            if target.kind is not SymbolKind.IMPORT
            and not target.name.startswith("__")
            and not _is_import(target)
        ),
        key=str,
    )
    functions = [symbol for symbol in symbols if symbol.kind in CALLABLE]
    signatures = round(wanted * _SIGNATURES_OF_ALL)
    for one in rng.sample(symbols, min(wanted - signatures, len(symbols))):
        new = NewName(f"{'_' if one.name.startswith('_') else ''}zz_{one.name.strip('_')}")
        yield one, Rename(symbol_of(one), new)
    for one in rng.sample(functions, min(signatures, len(functions))):
        yield one, AddParameter(symbol_of(one), NewName("zz_added"), value=Expression("zz_value"))


def _is_import(target: Target) -> bool:
    bindings: Sequence[Any] = target.variable.bindings if target.variable is not None else ()
    return any(binding.role.value == "import" for binding in bindings)


def _definition(repo: Repository, target: Target) -> Place | None:
    """The place of the name where the symbol is defined."""
    if target.variable is not None:
        offset = target.variable.bindings[0].span[0]
    else:
        scopes = repo.index.scopes(target.path)
        here = (attribute for attribute in scopes.attributes if attribute.node.lineno == target.line)
        named = (
            attribute
            for attribute in here
            if attribute.node.attr == target.name and isinstance(attribute.node.ctx, ast.Store)
        )
        offset = next((attribute.span[0] for attribute in named), -1)
    return differences.place(repo, target.path, offset) if offset >= 0 else None
