"""`spark bench refactor`: renames and changes of signatures compared with rope and jedi, and their speed.

Random symbols of real packages are renamed, and random functions get a parameter that every call passes.
The places that the plans edit are compared with the references that the tools find. Imports are left out:
rope and jedi rename what is imported, a rename here gives it an alias.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from collections.abc import Iterable, Sequence

from spark_tui.bench.exact_edits import plan_timing, reference_tools
from spark_tui.bench.exact_edits.differences import INFERRED, Difference
from spark_tui.bench.exact_edits.symbol_comparisons import ComparedSymbol, Progress, compare
from spark_tui.bench.measuring.reporting import QUICK_SECONDS, Bar, Report
from spark_tui.bench.packages.copies import add_packages, copies

SYMBOLS, LEAST_SYMBOLS = 1200, 1000
_QUICK_SYMBOLS = 6
_LIMIT_SECONDS = 10.0
_SEED = 7
WARM_SECONDS, COLD_SECONDS, MOST_MEGABYTES = 1.0, 8.0, 300


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_packages(parser)
    parser.add_argument(
        "--symbols", type=int, metavar="N", default=0, help=f"symbols in all (default: {SYMBOLS})"
    )
    parser.add_argument("--seed", type=int, default=_SEED, help=f"seed of the choice (default: {_SEED})")


def measure(args: argparse.Namespace) -> Report:
    reference_tools.require("rope", "jedi")
    report = Report("refactor")
    deadline = time.monotonic() + QUICK_SECONDS * 0.3 if args.quick else math.inf
    found: list[ComparedSymbol] = []
    refused = 0
    with copies(args.packages) as packages:
        wanted = args.symbols or SYMBOLS
        each = _QUICK_SYMBOLS if args.quick else -(-wanted // len(packages))
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
    least = 1 if args.quick else LEAST_SYMBOLS
    report.bars += [
        Bar("symbols", len(found), least),
        Bar("packages", count, 1 if args.quick else 10),
        Bar("unexplained_places", sum(not item.reason for item in listed), 0, "lower"),
        Bar("plan_warm_seconds", timings.warm, WARM_SECONDS, "lower"),
        Bar("plan_cold_seconds", timings.cold, COLD_SECONDS, "lower"),
        Bar("plan_megabytes", timings.megabytes, MOST_MEGABYTES, "lower"),
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
