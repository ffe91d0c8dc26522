"""`spark bench prefill`: prompt tokens per second, ours and the peers', on the same weights. The bars are of
processor time, which other programs do not add to."""

from __future__ import annotations

import argparse
import time

from spark_tui.bars import Bar, at_most
from spark_tui.bench import decode
from spark_tui.bench.measuring.reporting import Report, ratios
from spark_tui.bench.measuring.roofline_share import arch_of, share_of
from spark_tui.bench.peers.comparison import Start, chosen_peers, scene
from spark_tui.bench.peers.contender_worker import ContenderProcess
from spark_tui.bench.peers.contenders import OURS, OURS_FAST

LENGTHS = (16, 512, 2048)
"""The shortest is a pass as drafts make it."""
BAR_LENGTH = 512
RATIO_BARS = {"transformers": 1.9}
PASS_LENGTH, PASS_PEER, PASS_TIME = 16, "onnxruntime int8", 1.5
BAR_MODEL = decode.BAR_MODEL
QUICK_BUDGET_SECONDS = 38.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    decode.add_scene_arguments(parser, BAR_MODEL)


def measure(args: argparse.Namespace, start: Start = ContenderProcess) -> Report:
    report = Report("prefill")
    budget = time.monotonic() + QUICK_BUDGET_SECONDS if args.quick else None
    with scene(args.model, chosen_peers(args.peer)) as place:
        arch = arch_of(args.model)
        for threads in decode.threads_of(args):
            with place.running(threads, start) as workers:
                for length in LENGTHS[:2] if args.quick else LENGTHS:
                    found, worked = rates(workers, length, rounds=4 if args.quick else 9, deadline=budget)

                    def share(rate: float, int8: bool, length: int = length) -> float | None:
                        return share_of(arch, length / rate, length, logits=1, int8=int8)

                    rows = decode.rows(place, threads, found, worked, "prompt tok/s", share)
                    report.rows += [{"prompt": length, **row} for row in rows]
                    if threads == 1:
                        report.bars += bars(args.model, length, worked)
        report.notes += place.skipped
    return report


def rates(
    workers: dict[str, ContenderProcess], length: int, *, rounds: int, deadline: float | None
) -> tuple[dict[str, list[float]], dict[str, list[float]]]:
    """Prompt tokens ÷ time to the first token, by the clock and by the processor."""
    for worker in workers.values():
        worker.ask("prefill", decode.prompt_ids(64))

    def ask(worker: ContenderProcess, number: int) -> tuple[float, float]:
        # Another prompt in each round, so that none can be warm; the same for every contender.
        ids = [(token + 7 * number) % 4096 for token in decode.prompt_ids(length)]
        took = worker.ask("prefill", ids)
        return length / took.first, length / took.first_cpu

    return decode.paired_rates(workers, ask, rounds, deadline)


def bars(model: str, length: int, found: dict[str, list[float]]) -> list[Bar]:
    if model != BAR_MODEL:
        return []
    if length == PASS_LENGTH and OURS_FAST in found and PASS_PEER in found:
        value = round(ratios(found[PASS_PEER], found[OURS_FAST]).median, 3)
        name = f"time of a pass of {length}, {OURS_FAST} ÷ {PASS_PEER}, 25M"
        return [at_most(name, value, PASS_TIME)]
    if length != BAR_LENGTH:
        return []
    return [
        Bar(f"prefill-512 ÷ {peer}, 25M", round(ratios(found[OURS], found[peer]).median, 3), target)
        for peer, target in RATIO_BARS.items()
        if peer in found
    ]
