"""`spark bench decode`: plain greedy tokens per second, ours and the peers', on the same weights. The bars
are of processor time, which other programs do not add to."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from spark_tui.bars import Bar
from spark_tui.bench.measuring.model_argument import add_model
from spark_tui.bench.measuring.reporting import Report, Spread, paired, ratios
from spark_tui.bench.measuring.roofline_share import COLUMN, arch_of, share_of
from spark_tui.bench.peers.comparison import PEERS, PeerComparison, Start, chosen_peers, scene
from spark_tui.bench.peers.contender_worker import ContenderProcess
from spark_tui.bench.peers.contenders import OURS, OURS_FAST
from spark_tui.errors import UsageError

PROMPT_TOKENS = 128
QUICK_BUDGET_SECONDS = 38.0
RATIO_BARS = {(OURS, "transformers"): 2.0, (OURS, "ctranslate2"): 1.0, (OURS_FAST, "llama.cpp Q8_0"): 1.0}
"""Ours ÷ theirs, one thread, the 25M shape."""
BAR_MODEL = "25M"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_scene_arguments(parser, BAR_MODEL)


def add_scene_arguments(parser: argparse.ArgumentParser, model: str) -> None:
    add_model(parser, default=model)
    peers = f"{', '.join(PEERS)}, none; repeatable"
    parser.add_argument("--peer", action="append", metavar="PEER", help=peers)
    add_threads(parser)


def add_threads(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--threads", default="", metavar="N,N", help="thread counts (default: 1; without --quick 1,2)"
    )


def threads_of(args: argparse.Namespace) -> list[int]:
    text = args.threads or ("1" if args.quick else "1,2")
    try:
        found = [int(part) for part in text.split(",")]
    except ValueError:
        found = []
    if not found or min(found) < 1:
        raise UsageError(f"--threads cannot be {text!r}", hint="For example: --threads 1,2")
    return found


def measure(args: argparse.Namespace, start: Start = ContenderProcess) -> Report:
    report = Report("decode")
    budget = time.monotonic() + QUICK_BUDGET_SECONDS if args.quick else None
    with scene(args.model, chosen_peers(args.peer)) as place:
        arch = arch_of(args.model)
        for threads in threads_of(args):
            with place.running(threads, start) as workers:
                found, worked = rates(
                    workers, count=32 if args.quick else 96, rounds=4 if args.quick else 9, deadline=budget
                )
            report.rows += rows(
                place,
                threads,
                found,
                worked,
                "tok/s",
                lambda rate, int8: share_of(arch, 1 / rate, 1, PROMPT_TOKENS, int8=int8),
            )
            if threads == 1:
                report.bars += bars(args.model, worked)
        report.notes += place.skipped
    return report


def prompt_ids(count: int) -> list[int]:
    """Ids that every vocabulary has, the same in every run."""
    return [(17 * place * place + 31 * place + 5) % 4096 for place in range(count)]


def rates(
    workers: dict[str, ContenderProcess], *, count: int, rounds: int, deadline: float | None
) -> tuple[dict[str, list[float]], dict[str, list[float]]]:
    """Tokens per second after the first, by the clock and by the processor, one value per round."""
    prompt = prompt_ids(PROMPT_TOKENS)

    def ask(worker: ContenderProcess, _: int) -> tuple[float, float]:
        took = worker.ask("greedy", prompt, count=count)
        return took.rate, (took.tokens - 1) / took.cpu

    return paired_rates(workers, ask, rounds, deadline)


def paired_rates(
    workers: dict[str, ContenderProcess],
    ask: Callable[[ContenderProcess, int], tuple[float, float]],
    rounds: int,
    deadline: float | None,
) -> tuple[dict[str, list[float]], dict[str, list[float]]]:
    """The rates by the clock and by the processor that `ask` finds for a worker in each round."""
    worked: dict[str, list[float]] = {name: [] for name in workers}

    def once(name: str) -> float:
        by_clock, by_processor = ask(workers[name], len(worked[name]))
        worked[name].append(by_processor)
        return by_clock

    contenders = {name: partial(once, name) for name in workers}
    return paired(contenders, rounds=rounds, deadline=deadline), worked


def rows(
    place: PeerComparison,
    threads: int,
    found: dict[str, list[float]],
    worked: dict[str, list[float]],
    unit: str,
    share: Callable[[float, bool], float | None],
) -> list[dict[str, Any]]:
    """A row for each contender, with ours ÷ theirs. `share`: of the roofline, from our rate and whether the
    weights are int8."""
    out = []
    for name, values in found.items():
        row: dict[str, Any] = {"model": place.model, "threads": threads, "contender": name}
        row[unit] = Spread.of(values).as_dict(1)
        row["ours ÷ it"] = ratios(found[OURS], values).as_dict(2)
        row["per CPU second"] = Spread.of(worked[name]).as_dict(1)
        row["ours ÷ it, per CPU second"] = ratios(worked[OURS], worked[name]).as_dict(2)
        if name in (OURS, OURS_FAST):
            row[COLUMN] = share(row[unit]["median"], name == OURS_FAST)
        out.append(row)
    return out


def bars(model: str, found: dict[str, list[float]]) -> list[Bar]:
    if model != BAR_MODEL:
        return []
    out = []
    for (ours, peer), target in RATIO_BARS.items():
        if peer in found and ours in found:
            value = ratios(found[ours], found[peer]).median
            out.append(Bar(f"{ours} greedy ÷ {peer} greedy, 25M", round(value, 3), target))
    return out
