"""`spark bench interrupt`: how soon a stop is honoured, and whether a resume is as if there had been none.

Stops come at moments drawn at random, half of them while the prompt is read, through the whole session:
parser, journal and all. A pass is what cannot be interrupted, so the stop of a large model is judged by
its own longest pass.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from spark_tui import events
from spark_tui.backends.base import Backend
from spark_tui.bars import Bar, at_most
from spark_tui.bench.measuring.model_argument import BUILT_IN, add_models, place_of
from spark_tui.bench.measuring.reporting import Report, percentile, rounded_percentile
from spark_tui.bench.sessions.conversation import (
    TimedLeg,
    backend_for,
    forget,
    hear,
    long_file,
    session_on,
)
from spark_tui.session.session import Session
from spark_tui.shapes import Step

STOP_P99_MS = 50.0
PASSES = 1.0
LARGE = "135M"
RUNS, QUICK_RUNS = 200, 40
MOST_TRIES = 3
"""A turn may be over before its stop comes; then there was none."""
QUICK_SECONDS = {BUILT_IN: 16.0, LARGE: 22.0}
PROMPTS = 4


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_models(parser, default=f"{BUILT_IN} and {LARGE}")


@dataclass(slots=True)
class InterruptResults:
    """What the runs of one model gave."""

    stop_ms: list[float] = field(default_factory=list)
    passes_ms: list[float] = field(default_factory=list)
    in_prefill: int = 0
    same: list[bool] = field(default_factory=list)
    again: list[int] = field(default_factory=list)
    """Tokens that were read once more by a resume."""


def measure(args: argparse.Namespace, backends: dict[str, Backend] | None = None) -> Report:
    report = Report("interrupt")
    results: dict[str, InterruptResults] = {}
    for name in backends or args.model or (BUILT_IN, LARGE):
        with closing(backends[name] if backends else backend_for(name)) as backend:
            runs = QUICK_RUNS if args.quick else RUNS
            deadline = time.monotonic() + QUICK_SECONDS.get(name, 16.0) if args.quick else None
            results[name] = interrupted(backend, runs, deadline)
        report.rows.append(_row(Path(name).name, results[name]))
    report.bars += bars(results, next((name for name in results if place_of(name) is not None), BUILT_IN))
    return report


def interrupted(backend: Backend, runs: int, deadline: float | None = None) -> InterruptResults:
    """Stop turns at random moments, resume them, and compare with uninterrupted ones."""
    found, pick = InterruptResults(), random.Random(11)
    small = getattr(backend, "small_window", None) is not None
    answer, lines = (120, 90) if small else (16, 14)
    wholes: dict[int, TimedLeg] = {}
    with _listening(backend, found):
        for number in range(MOST_TRIES * runs):
            if len(found.stop_ms) >= runs:
                break
            if deadline is not None and number >= 4 and time.monotonic() > deadline:
                break
            which = number // 2 % PROMPTS
            files = {"long.py": long_file(lines, which)}
            asked = f"add a check to measure_{which * 10_000 + 3}"
            if which not in wholes:
                forget(backend)
                wholes[which] = _whole(files, asked, backend, answer)
            forget(backend)
            with session_on(files, backend, max_tokens=answer) as session:
                _one(session, asked, wholes[which], reading=number % 2 == 0, pick=pick, found=found)
    return found


def _whole(files: dict[str, str], asked: str, backend: Backend, answer: int) -> TimedLeg:
    with session_on(files, backend, max_tokens=answer) as session:
        return hear(lambda stop: session.turn(asked, in_view="long.py", stop=stop))


def _one(
    session: Session,
    asked: str,
    whole: TimedLeg,
    *,
    reading: bool,
    pick: random.Random,
    found: InterruptResults,
) -> None:
    read, last = whole.read_by, whole.times[-1]
    low, high = (0.1 * read, 0.9 * read) if reading else (read, read + 0.9 * (last - read))
    heard = hear(
        lambda stop: session.turn(asked, in_view="long.py", stop=stop), stop_after=pick.uniform(low, high)
    )
    if not any(isinstance(e, events.Interrupted) for e in heard.events):
        return
    found.in_prefill += heard.prefill is None or heard.prefill.done < heard.prefill.total
    found.stop_ms.append(heard.stop_to_end * 1000)
    rest = hear(lambda stop: session.turns.resume(stop=stop))
    found.same.append(heard.text + rest.text == whole.text)
    found.again.append(_read_again(heard, rest))


@contextmanager
def _listening(backend: Backend, found: InterruptResults) -> Iterator[None]:
    """Every pass of the model is timed, where it has passes."""

    def note(step: Step, *_: object) -> None:
        found.passes_ms.append(step.seconds * 1000)

    before = getattr(backend, "on_step", None)
    backend.on_step = note  # type: ignore[attr-defined]
    try:
        yield
    finally:
        backend.on_step = before  # type: ignore[attr-defined]


def _read_again(heard: TimedLeg, rest: TimedLeg) -> int:
    """Of what a resume read, the part that had been read before. One row is always run, for it gives the next
    token: the last token that was written, or the last of the prompt."""
    progress = rest.prefill
    if progress is None:
        return 0
    before = heard.prefill
    done = before.done if before is not None else 0
    fresh = 1 if heard.tokens else max(1, progress.total - done)
    return int(max(0, progress.total - progress.reused - fresh))


def _row(name: str, found: InterruptResults) -> dict[str, Any]:
    return {
        "model": name,
        "stops": len(found.stop_ms),
        "while reading": found.in_prefill,
        **{f"p{part} ms": rounded_percentile(found.stop_ms, part, 2) for part in (50, 95, 99)},
        "longest pass ms": round(max(found.passes_ms), 2) if found.passes_ms else None,
        "resumed alike": f"{sum(found.same)}/{len(found.same)}",
        "read again": sum(found.again),
    }


def bars(results: dict[str, InterruptResults], small_name: str = BUILT_IN) -> list[Bar]:
    """`small_name`: the model that the promise in milliseconds is about."""
    small, large = results.get(small_name, InterruptResults()), results.get(LARGE, InterruptResults())
    every = list(results.values())
    same = [item for found in every for item in found.same]
    again = [item for found in every for item in found.again]
    ratio = (
        percentile(large.stop_ms, 99) / max(large.passes_ms) if large.stop_ms and large.passes_ms else None
    )
    p99 = rounded_percentile(small.stop_ms, 99, 2)
    return [
        at_most(f"stop honoured, {Path(small_name).name}, p99 ms", p99, STOP_P99_MS),
        at_most(f"stop honoured, {LARGE}, p99 ÷ its longest pass", ratio and round(ratio, 3), PASSES),
        Bar("resumed = never stopped", sum(same) / len(same) if same else None, 1.0),
        at_most("tokens read again by a resume", float(max(again)) if again else None, 0.0),
    ]
