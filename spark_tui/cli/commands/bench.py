"""`spark bench NAME`: how fast it is, one file for each question."""

from __future__ import annotations

import argparse
import importlib
from pathlib import Path
from typing import Any, NamedTuple

from spark_tui.bench.measuring.reporting import Report, add_common_arguments, finish
from spark_tui.cli import flags
from spark_tui.errors import UsageError


class Bench(NamedTuple):
    """A bench: one line of help, and the module of `spark_tui.bench` with `add_arguments(parser)` and
    `measure(args) -> Report`, where it has another name."""

    name: str
    summary: str
    file: str = ""


BENCHES = (
    Bench("decode", "greedy decoding, tokens per second, spark and peers"),
    Bench("passes", "forward passes as a share of the machine's roofline"),
    Bench("edit", "edit streams: a perfect model (oracle) and the built-in model"),
    Bench("prefill", "prefill, tokens per second, spark and peers"),
    Bench("long", "a context of 128k tokens: time per token and memory", "long_context"),
    Bench("apply", "parsing, placing and writing many hunks; a checkpoint of a large tree"),
    Bench("ttft", "time to first token, warm and cold, and time to stop"),
    Bench("interrupt", "time to stop, and whether a resume gives the same text as no stop"),
    Bench("steer", "steering on a warm cache: latency and correctness"),
    Bench("enter", "from Enter to the last hunk in 100,000 lines, by stage"),
    Bench("ui", "the workbench at 2,000 tokens per second"),
    Bench("pipeline", "a persistent connection compared with one request per turn"),
    Bench("refactor", "exact edits compared with rope and jedi, and their speed"),
    Bench("harm", "exact edits on real packages: what they break"),
    Bench("checks", "problems in outputs, fixes of seeded faults, cost of watch"),
    Bench("next", "the next edit in real histories: precision, recall, speed"),
    Bench("tools", "tool calls: overhead of a step, and time to stop in one"),
    Bench("growth", "a repository of 100,000 files, a session of 1,000 turns"),
    Bench("load", "many concurrent clients: rates, fairness, queueing"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    sub = parser.add_subparsers(dest="bench", required=True, metavar="NAME")
    for bench in BENCHES:
        one = sub.add_parser(bench.name, help=bench.summary)
        add_common_arguments(one)
        module(bench.name).add_arguments(one)


def run(args: argparse.Namespace) -> int:
    for name, value in vars(args).items():
        if name != "seed" and (
            (isinstance(value, int) and value < 0) or (isinstance(value, float) and not value > 0)
        ):
            raise UsageError(f"--{name} cannot be {value}")
    flags.check_writable(Path(path) for path in (args.plot,) if path)
    report: Report = module(args.bench).measure(args)
    return finish(report, args)


def module(name: str) -> Any:
    bench = next(bench for bench in BENCHES if bench.name == name)
    return importlib.import_module(f"spark_tui.bench.{bench.file or bench.name}")
