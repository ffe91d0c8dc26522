"""`spark bench NAME`: how fast it is, one file for each question.

Comes in: a bench's name and its flags. Goes out: a report in the one form that all benches share. Must not know: what
any bench measures; each is imported only when it is asked for.
"""

from __future__ import annotations

import argparse
import importlib
from typing import Any, NamedTuple

from spark_tui.bench.common import Report, add_common_arguments, finish


class Bench(NamedTuple):
    """A bench: one line of help, and the module with `add_arguments(parser)` and `measure(args) -> Report`."""

    name: str
    summary: str
    module: str


BENCHES = (
    Bench("decode", "greedy tokens a second, ours and the peers'", "spark_tui.bench.decode"),
    Bench("edit", "edit streams: a perfect model (oracle), and the built-in one as it is", "spark_tui.bench.edit"),
    Bench("prefill", "prompt tokens a second, ours and the peers'", "spark_tui.bench.prefill"),
    Bench("long", "a context of 128k tokens: time a token, and memory", "spark_tui.bench.long"),
    Bench("apply", "reading, placing and writing many hunks; a checkpoint of a large tree", "spark_tui.bench.apply"),
    Bench("ttft", "time to the first token, warm and cold, and how soon a stop is honoured", "spark_tui.bench.ttft"),
    Bench(
        "interrupt",
        "how soon a stop is honoured, and whether a resume is as if never stopped",
        "spark_tui.bench.interrupt",
    ),
    Bench("steer", "steering on a warm cache, and whether it does what was asked", "spark_tui.bench.steer"),
    Bench("ui", "the screen at 2,000 tokens a second", "spark_tui.bench.ui"),
    Bench("pipeline", "a lasting connection beside one request a turn", "spark_tui.bench.pipeline"),
    Bench("refactor", "exact edits beside rope and jedi, and how fast", "spark_tui.bench.refactor"),
    Bench("harm", "exact edits on real packages: what they break", "spark_tui.bench.harm"),
    Bench("load", "many clients at once: rates, fairness, queues", "spark_tui.bench.load"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    sub = parser.add_subparsers(dest="bench", required=True, metavar="|".join(bench.name for bench in BENCHES))
    for bench in BENCHES:
        one = sub.add_parser(bench.name, help=bench.summary)
        add_common_arguments(one)
        module(bench.name).add_arguments(one)


def run(args: argparse.Namespace) -> int:
    from spark_tui.bench.plot import of_report

    bench = module(args.bench)
    report: Report = bench.measure(args)
    return finish(report, args, getattr(bench, "plot", of_report))


def module(name: str) -> Any:
    """The module of a bench."""
    return importlib.import_module(next(bench.module for bench in BENCHES if bench.name == name))
