"""`spark bench edit`: how fast edits stream, of a perfect model (oracle) and of the built-in one as it is
(real).

In oracle mode every choice is replaced by the true token, ours and the peers' alike: what is left is the
speed of drafting and of the passes.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from typing import Any

from spark_tui.bars import Bar
from spark_tui.bench.decode import add_threads, threads_of
from spark_tui.bench.generation import builtin_model
from spark_tui.bench.generation.edit_traces import (
    RewriteTask,
    bench_tokenizer,
    decided_tokens,
    load_traces,
    rewrite_task,
)
from spark_tui.bench.generation.times import GenerationTimes
from spark_tui.bench.measuring.model_argument import add_models
from spark_tui.bench.measuring.reporting import DECIDED_RATE, FILE_RATE, Report, Spread, ratios
from spark_tui.bench.measuring.roofline_share import COLUMN, arch_of, share_of
from spark_tui.bench.peers.comparison import PEERS, Start, chosen_peers, scene
from spark_tui.bench.peers.contender_worker import ContenderProcess
from spark_tui.bench.peers.contenders import OURS, OURS_FAST
from spark_tui.errors import NoBackend

GREEDY_TOKENS = 32
CONTEXT = 1024
"""About what stands before a token of these edits, for the roofline."""
PEER_MODEL = "25M"
ORACLE_RATE = ("12M", 1400.0)
OVER_GREEDY = {"25M": 2.6, "135M": 2.4, "494M": 2.8}
"""Edit stream ÷ own plain greedy."""
OVER_PEERS = {
    (OURS, "transformers", "greedy"): 6.0,
    (OURS, "ctranslate2", "greedy"): 3.5,
    (OURS, "llama.cpp F32", "greedy"): 2.2,
}
"""Our edit stream ÷ theirs, one thread, the 25M shape; without `[fast]` it is pure numpy."""
OVER_BEST = {OURS: 2.0, OURS_FAST: 3.0}
"""Our edit stream ÷ the fastest of all peers in that edit, in whichever way it is fastest."""
BEST_MODELS = ("12M", "25M")
SPECULATING = ("transformers", "llama.cpp F32", "llama.cpp Q8_0", "llama.cpp Q4_0")
"""Peers that can look drafts up in the prompt."""
QUICK_SECONDS = {"12M": 7.0, "25M": 34.0}
"""From the beginning of a model's turn, its set-up included."""
QUICK_TOKENS, QUICK_GREEDY_TOKENS = 240, 16
QUICK_PEERS = ("transformers", "llama.cpp", "ctranslate2")
QUICK_LEFT_OUT = ("ctranslate2 int8",)
FULL_SECONDS = {"12M": 90.0, "25M": 400.0, "135M": 300.0, "494M": 300.0}
LONG_TOKENS = 600


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_models(parser, default="every bar's model, in real mode the built-in one")
    parser.add_argument("--mode", choices=("oracle", "real", "both"), default="both")
    parser.add_argument(
        "--peer",
        action="append",
        metavar="PEER",
        help=f"{', '.join(PEERS)}, none; repeatable; on the {PEER_MODEL} shape",
    )
    add_threads(parser)


def measure(args: argparse.Namespace, start: Start = ContenderProcess) -> Report:
    report = Report("edit")
    if args.mode != "real":
        seconds = QUICK_SECONDS if args.quick else FULL_SECONDS
        for model in args.model or list(seconds):
            _oracle(model, seconds.get(model, 60.0), args, report, start)
    if args.mode != "oracle":
        named = (args.model or [""])[0] if args.mode == "real" else ""
        builtin_model.measure(report, quick=args.quick, model=named)
    return report


def _oracle(model: str, seconds: float, args: argparse.Namespace, report: Report, start: Start) -> None:
    default = QUICK_PEERS if args.quick else tuple(PEERS)
    peers = chosen_peers(args.peer, default) if model == PEER_MODEL or args.model else []
    begun = time.monotonic()
    with scene(model, peers, QUICK_LEFT_OUT if args.quick and not args.peer else ()) as place:
        for threads in threads_of(args):
            with place.running(threads, start) as workers:
                every = tasks(args.quick)
                found = run_tasks(
                    workers, every, deadline=begun + seconds, notes=report.notes, quick=args.quick
                )
            begun = time.monotonic()
            report.rows += rows(model, threads, found, every)
            if threads == 1:
                report.bars += bars(model, found)
        report.notes += place.skipped


def tasks(quick: bool) -> list[RewriteTask]:
    """Short edits, and for a full run pieces of the long ones in between, in a fixed order."""
    tokenizer = bench_tokenizer()
    traces = load_traces("short")
    if quick:
        return [rewrite_task(trace, tokenizer, QUICK_TOKENS) for trace in traces[::4]]
    short = [rewrite_task(trace, tokenizer) for trace in traces]
    cut = [rewrite_task(trace, tokenizer, LONG_TOKENS) for trace in load_traces("long")]
    long = [task for task in cut if len(task.prompt) < 6000]
    return [task for pair in zip(short, long, strict=False) for task in pair]


Found = dict[tuple[str, str], list[GenerationTimes]]
"""For each contender and mode (`greedy`, `edit`, `lookup`) what each task took."""


def run_tasks(
    workers: dict[str, ContenderProcess],
    every: Sequence[RewriteTask],
    *,
    deadline: float,
    notes: list[str],
    quick: bool = False,
) -> Found:
    """Each task by every contender, one after the other, before the next; until the time is up."""
    modes = [(name, mode) for name in workers for mode in _modes(name)]
    count = QUICK_GREEDY_TOKENS if quick else GREEDY_TOKENS
    found: Found = {key: [] for key in modes}
    longest = 0.0
    for number, task in enumerate(every):
        begun = time.monotonic()
        if number and begun + longest > deadline:
            break
        for name, mode in modes[:: -1 if number % 2 else 1]:
            try:
                if mode == "greedy":
                    took = workers[name].ask("greedy", task.prompt, count=count)
                else:
                    took = workers[name].ask("edit", task.prompt, task.truth, task.source)
            except NoBackend as error:
                # A peer that cannot do one task is out of the comparison, and the report says so.
                notes.append(error.what)
                del found[name, mode]
                continue
            found[name, mode].append(took)
        modes = [key for key in modes if key in found]
        longest = max(longest, time.monotonic() - begun)
    return found


def _modes(name: str) -> tuple[str, ...]:
    if name in (OURS, OURS_FAST):
        return ("greedy", "edit")
    return ("greedy", "lookup") if name in SPECULATING else ("greedy",)


def overall(took: Sequence[GenerationTimes]) -> float:
    """All tokens over all seconds: long edits count for more, as they do for a person."""
    return sum(times.tokens - 1 for times in took) / sum(times.rest for times in took)


def rows(model: str, threads: int, found: Found, every: Sequence[RewriteTask]) -> list[dict[str, Any]]:
    """Rates count all tokens of a file, copied ones included, and once more only those that are decided."""
    ours = [took.rate for took in found[OURS, "edit"]]
    out = []
    for (name, mode), took in found.items():
        row: dict[str, Any] = {
            "model": model,
            "threads": threads,
            "contender": name,
            "way": mode,
            "edits": len(took),
        }
        row[FILE_RATE] = Spread.of([item.rate for item in took]).as_dict(1)
        if mode != "greedy":
            decided = sum(map(decided_tokens, every[: len(took)]))
            row[DECIDED_RATE] = round(decided / sum(item.rest for item in took), 1)
        row["overall"] = round(overall(took), 1)
        row["per CPU second"] = round(
            sum(item.tokens - 1 for item in took) / sum(item.cpu for item in took), 1
        )
        row["our edit ÷ it"] = ratios(ours, [item.rate for item in took]).as_dict(2)
        passes = sum(item.passes for item in took)
        if passes:
            written = sum(item.tokens - 1 for item in took)
            row["tokens/pass"] = round(written / passes, 2)
            if name in (OURS, OURS_FAST):
                # Rows that were not accepted do not count: the text did not need them.
                seconds, int8 = sum(item.rest for item in took) / passes, name == OURS_FAST
                row[COLUMN] = share_of(arch_of(model), seconds, written / passes, CONTEXT, int8=int8)
        out.append(row)
    return out


def bars(model: str, found: Found) -> list[Bar]:
    edit = found[OURS, "edit"]
    rates = [took.rate for took in edit]
    out = []
    if model == ORACLE_RATE[0]:
        out.append(Bar(f"edit stream, {model}, oracle, file tok/s", round(overall(edit), 1), ORACLE_RATE[1]))
    if model in OVER_GREEDY:
        value = ratios(rates, [took.rate for took in found[OURS, "greedy"]]).median
        out.append(Bar(f"edit stream ÷ own greedy, {model}", round(value, 3), OVER_GREEDY[model]))
    peers = [[took.rate for took in times] for (name, _), times in found.items() if name not in OVER_BEST]
    if peers and model in BEST_MODELS:
        best = [max(item) for item in zip(*peers, strict=True)]
        for ours, target in OVER_BEST.items():
            if (ours, "edit") in found:
                value = ratios([took.rate for took in found[ours, "edit"]], best).median
                out.append(Bar(f"{ours} edit stream ÷ the best peer, {model}", round(value, 3), target))
    if model == PEER_MODEL:
        for (ours, name, mode), target in OVER_PEERS.items():
            if (name, mode) in found and (ours, "edit") in found:
                stream = [took.rate for took in found[ours, "edit"]]
                value = ratios(stream, [took.rate for took in found[name, mode]]).median
                out.append(Bar(f"{ours} edit stream ÷ {name} {mode}, {model}", round(value, 3), target))
    return out
