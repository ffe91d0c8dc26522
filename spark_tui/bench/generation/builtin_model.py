"""Real mode of `spark bench edit`: the built-in model with its own choices and format, through its backend.

The file is warm, as it is when a person has typed a while; the clock runs from Enter to the last hunk's
last token. The bars are over both sets together, right answers and wrong ones.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event as StopFlag
from typing import Any

from spark_tui.backends.base import Backend, FilePart, Request
from spark_tui.bars import Bar, at_most
from spark_tui.bench.generation.edit_traces import EditTrace, load_traces
from spark_tui.bench.measuring.reporting import DECIDED_RATE, FILE_RATE, Report, Spread, rounded_percentile
from spark_tui.bench.measuring.roofline_share import COLUMN, share_of
from spark_tui.engine.kernels import blas
from spark_tui.errors import SparkError
from spark_tui.events import PrefillProgress, Token
from spark_tui.workspace import json_lines

RATE, AVX2_RATE, P50_SECONDS, P95_SECONDS = 1000.0, 600.0, 0.150, 0.500
HELD_OUT = Path(__file__).parents[2] / "evals" / "builtin.jsonl.gz"
HELD_OUT_EDITS, QUICK_EDITS = 400, 60
CONTEXT = 512
"""Drawn with a fixed seed."""


@dataclass(frozen=True, slots=True)
class EditTimes:
    """One edit: seconds from Enter to the first and to the last token, how many there were, and when the
    prompt was read: writing begins there, also where the first tokens are held until the answer was looked
    over."""

    first: float
    last: float
    tokens: int
    drafted: int
    read: float = 0.0
    file_tokens: int = 0

    @property
    def writing(self) -> float:
        return self.last - (self.read or self.first)

    @property
    def written(self) -> int:
        return self.tokens if self.read else self.tokens - 1


def measure(report: Report, *, quick: bool, model: str = "", backend: Backend | None = None) -> None:
    """Add the real rows and bars."""
    sets = {
        "examples/traces": load_traces("short")[:: 4 if quick else 1],
        "held-out set": held_out(QUICK_EDITS if quick else HELD_OUT_EDITS),
    }
    answers: list[EditTimes] = []
    with closing(backend or _built_in(model)) as backend:
        for what, traces in sets.items():
            answered = run(backend, traces)
            answers += answered
            if answered:
                report.rows.append(row(backend.name, what, answered, roofline_share(backend, answered)))
    report.bars += bars(answers)


def roofline_share(backend: Backend, answers: Sequence[EditTimes]) -> float | None:
    """Of writing, as if every token that no draft proposed took one pass with the drafts before it. What an
    answer waits while it is looked over counts as writing, so the share of the passes alone is larger."""
    engine = getattr(backend, "engine", None)
    streams = _streams(answers)
    passes = sum(stream.tokens - stream.drafted for stream in streams)
    if engine is None or not passes:
        return None
    seconds = sum(stream.writing for stream in streams) / passes
    return share_of(engine.arch, seconds, sum(stream.tokens for stream in streams) / passes, CONTEXT)


def row(model: str, what: str, answers: Sequence[EditTimes], share: float | None = None) -> dict[str, Any]:
    """What one set of edits took."""
    tokens = sum(edit_times.tokens for edit_times in answers)
    rates = [times.written / times.writing for times in _streams(answers)] or [0.0]
    of_files = [times.file_tokens / times.writing for times in _streams(answers)] or [0.0]
    return {
        "model": model,
        "threads": 1,
        "contender": "spark",
        "way": f"real, {what}",
        "edits": len(answers),
        DECIDED_RATE: Spread.of(rates).as_dict(1),
        FILE_RATE: Spread.of(of_files).as_dict(1),
        COLUMN: share,
        "overall": round(stream_rate(answers) or 0.0, 1),
        "tokens": tokens,
        "drafted": round(sum(times.drafted for times in answers) / tokens, 2),
        "first token, ms": Spread.of([times.first * 1000 for times in answers]).as_dict(1),
        "Enter → last hunk, ms": Spread.of([times.last * 1000 for times in answers]).as_dict(1),
        "p95": rounded_percentile([times.last * 1000 for times in answers], 95),
    }


def held_out(count: int) -> list[EditTrace]:
    """Edits of one instruction each from the packaged set, which training never saw."""
    edits = [
        item
        for item in json_lines.read(HELD_OUT)
        if item["answer"] == "edit" and not item.get("history") and not item.get("steered")
    ]
    return [
        EditTrace(item["id"], item["path"], item["before"], item["instruction"], item["after"])
        for item in random.Random(7).sample(edits, min(count, len(edits)))
    ]


def _built_in(model: str) -> Backend:
    from spark_tui.backends.factory import create_backend
    from spark_tui.config.settings import Settings

    # What a program makes is read, not written: it is left out of how fast the model writes.
    return create_backend(Settings(model=model, exact=False))


def run(backend: Backend, traces: Sequence[EditTrace]) -> list[EditTimes]:
    """Each trace: read the file ahead, then ask. Traces that the model does not take are left out."""
    found = []
    for trace in traces:
        files = (FilePart(trace.path, trace.before, 1, len(trace.before.splitlines())),)
        try:
            for _ in backend.stream(Request("", files, kind="warm"), StopFlag()):
                pass
            answered = _ask(backend, Request(trace.instruction, files, max_tokens=1024))
        except SparkError:
            continue
        if answered is not None:
            found.append(replace(answered, file_tokens=backend.count_tokens(trace.before)))
    return found


def _ask(backend: Backend, request: Request) -> EditTimes | None:
    begun = time.perf_counter()
    first = last = read = 0.0
    tokens = drafted = 0
    for event in backend.stream(request, StopFlag()):
        if isinstance(event, PrefillProgress) and event.done >= event.total and not tokens:
            read = time.perf_counter() - begun
        if isinstance(event, Token):
            last = time.perf_counter() - begun
            first = first or last
            tokens += 1
            drafted += event.drafted
    return EditTimes(first, last, tokens, drafted, read) if tokens else None


def _streams(answers: Sequence[EditTimes]) -> list[EditTimes]:
    """Answers that stream at all: a verdict of one or two tokens has no rate."""
    return [times for times in answers if times.tokens > 4 and times.writing > 0]


def stream_rate(answers: Sequence[EditTimes]) -> float | None:
    """All tokens over all seconds of writing them, those in which an answer is held and looked over
    included."""
    streams = _streams(answers)
    if not streams:
        return None
    return sum(stream.written for stream in streams) / sum(stream.writing for stream in streams)


def bars(answers: Sequence[EditTimes]) -> list[Bar]:
    times = [edit_times.last * 1000 for edit_times in answers]
    rate = stream_rate(answers)
    least = RATE if blas.core_for(blas.cpu_flags()) else AVX2_RATE
    return [
        Bar("edit stream, built-in model, real, decided tok/s", round(rate, 1) if rate else None, least),
        at_most("Enter → last hunk closed, p50 ms", rounded_percentile(times, 50), P50_SECONDS * 1000),
        at_most("Enter → last hunk closed, p95 ms", rounded_percentile(times, 95), P95_SECONDS * 1000),
    ]
