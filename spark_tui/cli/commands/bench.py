"""`spark bench NAME`: how fast it is, one file for each question."""

from __future__ import annotations

import argparse
import importlib
from typing import Any, NamedTuple

from spark_tui.bench.reporting import Report, add_common_arguments, finish


class Bench(NamedTuple):
    """A bench: one line of help, and the module with `add_arguments(parser)` and `measure(args) ->
    Report`."""

    name: str
    summary: str
    module: str


BENCHES = (
    Bench("decode", "greedy decoding, tokens per second, spark and peers", "spark_tui.bench.decode"),
    Bench("passes", "forward passes as a share of the machine's roofline", "spark_tui.bench.passes"),
    Bench("edit", "edit streams: a perfect model (oracle) and the built-in model", "spark_tui.bench.edit"),
    Bench("prefill", "prefill, tokens per second, spark and peers", "spark_tui.bench.prefill"),
    Bench("long", "a context of 128k tokens: time per token and memory", "spark_tui.bench.long_context"),
    Bench(
        "apply",
        "parsing, placing and writing many hunks; a checkpoint of a large tree",
        "spark_tui.bench.apply",
    ),
    Bench("ttft", "time to first token, warm and cold, and time to stop", "spark_tui.bench.ttft"),
    Bench(
        "interrupt",
        "time to stop, and whether a resume gives the same text as no stop",
        "spark_tui.bench.interrupt",
    ),
    Bench("steer", "steering on a warm cache: latency and correctness", "spark_tui.bench.steer"),
    Bench("enter", "from Enter to the last hunk in 100,000 lines, by stage", "spark_tui.bench.enter"),
    Bench("ui", "the workbench at 2,000 tokens per second", "spark_tui.bench.ui"),
    Bench(
        "pipeline", "a persistent connection compared with one request per turn", "spark_tui.bench.pipeline"
    ),
    Bench("refactor", "exact edits compared with rope and jedi, and their speed", "spark_tui.bench.refactor"),
    Bench("harm", "exact edits on real packages: what they break", "spark_tui.bench.harm"),
    Bench("checks", "problems in outputs, fixes of seeded faults, cost of watch", "spark_tui.bench.checks"),
    Bench("next", "the next edit in real histories: precision, recall, speed", "spark_tui.bench.next"),
    Bench("tools", "tool calls: overhead of a step, and time to stop in one", "spark_tui.bench.tools"),
    Bench("growth", "a repository of 100,000 files, a session of 1,000 turns", "spark_tui.bench.growth"),
    Bench("load", "many concurrent clients: rates, fairness, queueing", "spark_tui.bench.load"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    sub = parser.add_subparsers(
        dest="bench", required=True, metavar="|".join(bench.name for bench in BENCHES)
    )
    for bench in BENCHES:
        one = sub.add_parser(bench.name, help=bench.summary)
        add_common_arguments(one)
        module(bench.name).add_arguments(one)


def run(args: argparse.Namespace) -> int:
    from spark_tui.bench.report_plot import plot_report

    bench = module(args.bench)
    report: Report = bench.measure(args)
    return finish(report, args, getattr(bench, "plot", plot_report))


def module(name: str) -> Any:
    """The module of a bench."""
    return importlib.import_module(next(bench.module for bench in BENCHES if bench.name == name))
