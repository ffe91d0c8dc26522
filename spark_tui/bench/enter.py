"""`spark bench enter`: from Enter to the last hunk in a repository of 100,000 lines, by the built-in reader.

The repository is made of installed packages. Warm: it is read, as it is while somebody works in it, and
several messages are about one file. Cold: Enter comes first; nothing was read or kept before. Typed: the
end of each message comes key by key, as in the workbench, which reads ahead in pauses. Times are processor
time, which other work on the machine hardly changes; the clock has a column of its own.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import random
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from functools import wraps
from pathlib import Path
from threading import Event as StopFlag
from typing import Any

from spark_tui import events
from spark_tui.backends.base import Request, WithoutModel
from spark_tui.bars import at_most
from spark_tui.bench.exact_edits import plan_timing
from spark_tui.bench.measuring.processes import variable
from spark_tui.bench.measuring.reporting import Report, percentile, rounded_percentile
from spark_tui.bench.packages.copies import add_packages, copies
from spark_tui.config.settings import Settings
from spark_tui.context.shown_context import ContextRequest
from spark_tui.pysource.files.tree import DiskTree
from spark_tui.pysource.garbage_collection import no_collection
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source, parameters
from spark_tui.session.reader.offered_readings import ForModel
from spark_tui.session.session import Session
from spark_tui.tables import read_table
from spark_tui.workspace.git import git

P50_MS, P95_MS = 30.0, 150.0
MESSAGES, QUICK_MESSAGES = 300, 60
EACH_FILE = 6
"""Messages about one file, one after the other."""
COLD, QUICK_COLD = 5, 1
TYPED, QUICK_TYPED = 100, 12
"""The first messages are typed, once with each pause."""
KEYS, KEY_SECONDS, PAUSES = 5, 0.12, (0.1, 0.3, 0.6)
"""The keys that are typed of a message, the seconds from one to the next, and from the last one to Enter."""
MOST_LATE = 0.2
"""The share of edits that are not ready behind the longest pause."""
_LEAST_FILE, _MOST_FILE = 2_000, 60_000
"""Characters of a file in view."""
_NEW = "fresh_name"
STAGES = {
    "files": ("spark_tui.session.exact.exact_turns:ExactTurns._reread",),
    "roles": ("spark_tui.intent.reading.symbol_roles:RepositoryRoles.of",),
    "reading": (
        "spark_tui.intent.reading.reader:Reader.read",
        "spark_tui.intent.reading.reader:Reader.split_once_more",
    ),
    "building": (
        "spark_tui.intent.answering.try_readings:find_candidates",
        "spark_tui.intent.answering.try_readings:amended",
    ),
    "planning": ("spark_tui.intent.planning.executing:planned",),
    "checks": ("spark_tui.intent.planning.executing:checked", "spark_tui.intent.orders.several:checked"),
}
"""The functions in which each part of the time is spent; the rest is `other`."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_packages(parser)
    parser.add_argument("--seed", type=int, default=7, help="seed of the choice (default: 7)")


@dataclass
class Answered:
    """One message: how it ended, its hunks, and milliseconds of processor time, in all and by stage."""

    ask: ContextRequest
    ending: str
    hunks: int
    ms: float
    wall_ms: float
    stages: dict[str, float] = field(default_factory=dict)


def measure(args: argparse.Namespace) -> Report:
    report = Report("enter")
    with copies(args.packages) as packages, tempfile.TemporaryDirectory(prefix="spark-bench-") as scratch:
        root = Path(scratch) / "tree"
        lines = plan_timing.gather(packages, root, plan_timing.LINES)
        git(root, "init", "-q")
        asked = asks(root, args.seed, QUICK_MESSAGES if args.quick else MESSAGES)
        cold = []
        for number in range(QUICK_COLD if args.quick else COLD):
            with opened_session(root, Path(scratch) / f"cold{number}") as session:
                cold.append(answered(session, asked[EACH_FILE - 1 + 2 * EACH_FILE * number]))
        warm = list(_warm(root, Path(scratch) / "warm", asked))
        some = asked[: QUICK_TYPED if args.quick else TYPED]
        typed = {pause: list(_warm(root, Path(scratch) / f"typed{pause}", some, pause)) for pause in PAUSES}
    edits = [item for item in warm if item.hunks]
    for what, found in (("warm, edits", edits), ("warm, all messages", warm), ("cold", cold)):
        if found:
            report.rows.append(row(what, lines, found))
    for pause, found in typed.items():
        with_hunks = [item for item in found if item.hunks]
        if with_hunks:
            report.rows.append(row(f"typed, Enter {pause} s after the last key, edits", lines, with_hunks))
    times = [edit.ms for edit in edits]
    report.bars += [
        at_most(f"Enter → last hunk, warm, p{part} ms", rounded_percentile(times, part), most)
        for part, most in ((50, P50_MS), (95, P95_MS))
    ]
    if long_pause := [item for item in typed[PAUSES[-1]] if item.hunks]:
        what = f"typed, Enter {PAUSES[-1]} s after the last key: read after it"
        report.bars.append(at_most(what, round(1 - read_before(long_pause), 2), MOST_LATE))
    return report


def read_before(found: Sequence[Answered]) -> float:
    """The share of messages that were not read after Enter."""
    return sum(not item.stages["reading"] for item in found) / len(found)


def row(what: str, lines: int, found: Sequence[Answered]) -> dict[str, Any]:
    times, clock = [item.ms for item in found], [item.wall_ms for item in found]
    parts = {
        name: round(sum(item.stages[name] for item in found) / len(found), 1) for name in (*STAGES, "other")
    }
    return {
        "what": what,
        "lines": lines,
        "messages": len(found),
        "p50 ms": round(percentile(times, 50), 1),
        "p95 ms": round(percentile(times, 95), 1),
        "most": round(max(times), 1),
        "clock, p50": round(percentile(clock, 50), 1),
        "clock, p95": round(percentile(clock, 95), 1),
        "read before Enter": round(read_before(found), 2),
        **{f"{name}, mean": ms for name, ms in parts.items()},
    }


def asks(root: Path, seed: int, count: int) -> list[ContextRequest]:
    """Instructions about definitions of random files, several for each file."""
    pick, repo = random.Random(seed), Repository(DiskTree(root))
    sentences = read_table(__file__, "enter_instructions.toml")
    paths = [path for path in repo.index.paths if path.endswith(".py")]
    out: list[ContextRequest] = []
    while len(out) < count:
        path = pick.choice(paths)
        if not _LEAST_FILE <= len(repo.index.text(path) or "") <= _MOST_FILE:
            continue
        for _ in range(EACH_FILE):
            made = _sentence(repo.index.source(path), sentences, pick)
            if made:
                out.append(ContextRequest(made, in_view=path))
    return out[:count]


def _sentence(source: Source, sentences: dict[str, list[str]], pick: random.Random) -> str:
    """A sentence about a random definition; empty where the file has none of the kind."""
    kind = pick.choice(list(sentences))
    functions = [definition for definition in source.definitions if isinstance(definition, Function)]
    found: dict[str, list[Any]] = {
        "function": [function for function in functions if source.class_of(function) is None],
        "method": [function for function in functions if source.class_of(function) is not None],
        "class": [definition for definition in source.definitions if isinstance(definition, ast.ClassDef)],
        "file": [None],
    }
    nodes = found[kind]
    if not nodes:
        return ""
    node = pick.choice(nodes)
    sentence = pick.choice(sentences[kind])
    owner = source.class_of(node) if isinstance(node, Function) else node
    given = (
        [parameter.arg for parameter in parameters(node) if parameter.arg not in ("self", "cls")]
        if isinstance(node, Function)
        else []
    )
    if "{parameter}" in sentence and not given:
        return ""
    name = getattr(node, "name", "")
    values = {"function": name, "method": name, "class": getattr(owner, "name", ""), "new": _NEW}
    return sentence.format(**values, parameter=pick.choice(given) if given else "")


def _warm(
    root: Path, home: Path, asked: Sequence[ContextRequest], pause: float | None = None
) -> Iterator[Answered]:
    """The messages in one session that has read the repository, typed where there is a pause before Enter.
    Nothing is written."""
    with opened_session(root, home) as session:
        session.reader.load(StopFlag())
        for request in asked:
            if pause is not None:
                _type(session, request)
                time.sleep(pause)
            yield answered(session, request)


def _type(session: Session, asked: ContextRequest) -> None:
    """The last keys of a message."""
    whole = asked.instruction
    for end in range(len(whole) - KEYS + 1, len(whole) + 1):
        session.ahead.draft(replace(asked, instruction=whole[:end]))
        if end < len(whole):
            time.sleep(KEY_SECONDS)


class _NoModel(WithoutModel):
    """Stands for a small model, before which the reader is asked; what it would be asked ends there."""

    name, window, small_window = "none", 1, (320, 300)

    def stream(self, request: Request, stop: StopFlag) -> Iterator[events.Event]:
        del request, stop
        return iter(())


@contextmanager
def opened_session(root: Path, home: Path, session_id: str = "") -> Iterator[Session]:
    """A session whose state and cache are in `home`."""
    with variable("XDG_CACHE_HOME", home / "cache"):
        session = Session(root, _NoModel(), Settings(), home / "state", session_id=session_id)
        with closing(session):
            yield session


def answered(session: Session, asked: ContextRequest) -> Answered:
    hunks, ending = 0, "write"
    with no_collection(), _timed() as stages:
        begun = end = time.perf_counter(), time.process_time()
        found = session.reader.answer(asked, StopFlag())
        for event in () if isinstance(found, ForModel) else found:
            if isinstance(event, events.HunkClosed):
                hunks, end = hunks + 1, (time.perf_counter(), time.process_time())
            if isinstance(event, events.Finished):
                ending = event.reason
        if not hunks:
            end = time.perf_counter(), time.process_time()
    wall, ms = ((after - before) * 1000 for before, after in zip(begun, end, strict=True))
    for hunk in session.decisions.offered():
        session.decisions.decide(hunk.id, "rejected")
    parts = {name: stages.get(name, 0.0) * 1000 for name in STAGES}
    return Answered(asked, ending, hunks, ms, wall, {**parts, "other": ms - sum(parts.values())})


@contextmanager
def _timed() -> Iterator[dict[str, float]]:
    """The seconds that are spent in each stage while the block runs."""
    seconds: dict[str, float] = {}
    replaced: list[tuple[Any, str, Any]] = []
    for stage, functions in STAGES.items():
        for name in functions:
            module, _, rest = name.partition(":")
            owner: Any = importlib.import_module(module)
            *outer, last = rest.split(".")
            for item in outer:
                owner = getattr(owner, item)
            replaced.append((owner, last, getattr(owner, last)))
            setattr(owner, last, _adding(getattr(owner, last), stage, seconds))
    try:
        yield seconds
    finally:
        for owner, last, function in replaced:
            setattr(owner, last, function)


def _adding(function: Callable[..., Any], stage: str, seconds: dict[str, float]) -> Callable[..., Any]:
    @wraps(function)
    def timed(*args: Any, **kwargs: Any) -> Any:
        begun = time.process_time()
        try:
            return function(*args, **kwargs)
        finally:
            seconds[stage] = seconds.get(stage, 0.0) + time.process_time() - begun

    return timed
