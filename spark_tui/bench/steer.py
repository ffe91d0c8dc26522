"""`spark bench steer`: what a steer costs, whether it does what it asks, and how soon Enter gives a token.

Quality is measured for models with trained weights only; the cost also for a size with random ones.
"""

from __future__ import annotations

import argparse
import dataclasses
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from spark_tui import events
from spark_tui.backends.base import Backend
from spark_tui.bars import Bar, at_most
from spark_tui.bench.measuring.model_argument import BUILT_IN, place_of
from spark_tui.bench.measuring.reporting import Report, rounded_percentile
from spark_tui.bench.sessions.conversation import (
    Leg,
    answering,
    backend_for,
    forget,
    hear,
    long_file,
    session_on,
)
from spark_tui.config import paths
from spark_tui.context.shown_context import ContextRequest
from spark_tui.errors import SparkError
from spark_tui.pysource.tree_comparison import same_tree
from spark_tui.session.session import Session
from spark_tui.workspace import json_lines

FIRST_TOKEN_MS, WARM_ENTER_MS, COLD_ENTER_MS = 100.0, 100.0, 250.0
OWN_FOLLOW_UPS, GIVEN_FOLLOW_UPS = 0.5, 0.75
"""Follow-ups by hand that do what they ask, after the model's own first answer and after a given one."""
WRAPPER_TOKENS = 8
"""The marks around a steer, and the one token that was written and not yet read."""
RUNS, QUICK_RUNS = 200, 12
FILE_LINES = 1500
KEY_SECONDS = 0.08
ARRIVED = (0.5, 1.0)
"""People say *no* while they see it come, and when they see all of it."""
OWN, GIVEN = "", "after the first edit as written by hand: "
"""What a hand-written steer corrects: the model's own answer to the first instruction, or a right answer
written by hand."""
PASTED_EVERY = 5
WARMED_SECONDS = 0.0
"""A person does not wait for what is read ahead; a test does."""
TYPED_KEYS = 12
"""How many of the last keys are typed before Enter; the file is in view from the first."""
CASES = paths.examples_dir() / "steers" / "steers.jsonl"
QUICK_SECONDS = 14.0
PARTS = ("steer", "enter", "hand")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--model", default=BUILT_IN, metavar="NAME|SIZE|DIR", help=f"default: {BUILT_IN}")
    parser.add_argument(
        "--only", choices=PARTS, help="run one part: steers and their cost, Enter, or the handwritten steers"
    )
    parser.add_argument("--cases", default=str(CASES), metavar="FILE", help="steers written by hand")


@dataclass(slots=True)
class SteerResults:
    """What was measured. Empty: it was not."""

    first_ms: list[float] = field(default_factory=list)
    over: list[int] = field(default_factory=list)
    """Tokens read by a steer beyond its own."""
    warm_ms: list[float] = field(default_factory=list)
    cold_ms: list[float] = field(default_factory=list)
    right: list[bool] = field(default_factory=list)
    kept: list[bool] = field(default_factory=list)
    """Whether the hunks that had closed before the steer are byte for byte what they were."""
    kinds: dict[str, list[bool]] = field(default_factory=dict)
    """`right`, by what a steer changes, and by how much of the first edit had come."""
    given: list[bool] = field(default_factory=list)
    """`right` where the first edit was not the model's."""
    given_kinds: dict[str, list[bool]] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    """The steers that did not do what they asked."""
    closed: int = 0
    """Hunks that had closed when a steer by hand was said."""
    guessed: list[bool] = field(default_factory=list)
    """Of what was typed, whether the window that Enter asked about had been read ahead."""


def measure(args: argparse.Namespace, backend: Backend | None = None) -> Report:
    report, found, name = Report("steer"), SteerResults(), args.model
    backend = backend or backend_for(name)
    real = place_of(name) is not None
    parts = (args.only,) if args.only else PARTS
    try:
        budget = QUICK_SECONDS if args.quick else 600.0
        if "steer" in parts:
            steers(backend, found, QUICK_RUNS if args.quick else RUNS, time.monotonic() + budget)
        if "enter" in parts:
            enters(backend, found, QUICK_RUNS if args.quick else RUNS, time.monotonic() + budget)
        if real and "hand" in parts:
            cases = _cases(Path(args.cases), report)
            for number, case in enumerate(cases[:: 8 if args.quick else 1]):
                judge(case, backend, found, arrived=ARRIVED[number % len(ARRIVED)])
                judge(case, backend, found, arrived=ARRIVED[number % len(ARRIVED)], first=GIVEN)
    finally:
        backend.close()
    report.rows += rows(Path(name).name, found)
    if found.wrong:
        report.notes.append("not as asked: " + ", ".join(found.wrong))
    report.bars += bars(found if real else SteerResults(kept=found.kept, over=found.over), parts)
    return report


def steers(backend: Backend, found: SteerResults, runs: int, deadline: float) -> None:
    """Stop a turn at a random token, say something else, and count what was read for it."""
    pick, message = random.Random(5), "no, return None instead"
    for number in range(runs):
        if number >= 3 and time.monotonic() > deadline:
            return
        which = number % 4
        asked = f"add a check to measure_{which * 10_000 + 1}"
        with session_on({"long.py": long_file(60, which)}, backend, max_tokens=200) as session:
            hear(_turn(session, asked), stop_when=_nth(pick.randint(1, 60)))
            before = _closed(session)
            heard = hear(_steer(session, message), stop_when=_nth(1))
            found.kept.append(_are_kept(session, before))
        if heard.first_token is not None and heard.prefill is not None:
            found.first_ms.append(heard.first_token * 1000)
            read = heard.prefill.total - heard.prefill.reused
            found.over.append(max(0, read - backend.count_tokens(message) - WRAPPER_TOKENS))


def _steer(session: Session, message: str) -> Leg:
    return lambda stop: session.turns.steer(message, stop=stop)


def _turn(session: Session, asked: str, **more: Any) -> Leg:
    return lambda stop: session.turn(asked, in_view="long.py", stop=stop, **more)


def enters(backend: Backend, found: SteerResults, runs: int, deadline: float) -> None:
    """Type an instruction about a long file and press Enter; now and then paste it, and Enter comes before
    anything could be read ahead."""
    pick = random.Random(3)
    with session_on({"long.py": long_file(FILE_LINES)}, backend, max_tokens=2) as session:
        for number in range(runs):
            if number >= 3 and time.monotonic() > deadline:
                return
            text = f"make measure_{pick.randrange(FILE_LINES // 6)} return twice the area"
            cursor = pick.randrange(1, FILE_LINES)
            hits = session.warmer.hits
            pasted = number % PASTED_EVERY == PASTED_EVERY - 1
            if pasted:
                session.warmer.use(backend)
                session.warmer.drafts.settle(5.0)
                forget(backend)
            for end in range(len(text) - TYPED_KEYS, len(text) + 1) if not pasted else ():
                session.warmer.drafts.draft(ContextRequest(text[:end], in_view="long.py", cursor=cursor))
                time.sleep(KEY_SECONDS)
            if WARMED_SECONDS:
                session.warmer.drafts.settle(WARMED_SECONDS)
            heard = hear(_turn(session, text, cursor=cursor))
            if heard.first_token is not None:
                hit = session.warmer.hits > hits
                (found.warm_ms if hit else found.cold_ms).append(heard.first_token * 1000)
                if not pasted:
                    found.guessed.append(hit)


def judge(
    case: dict[str, Any], backend: Backend, found: SteerResults, *, arrived: float = 0.5, first: str = OWN
) -> None:
    """One steer written by hand: so much of the first edit has come when it is said."""
    asked, path, text = str(case["instruction"]), str(case["path"]), str(case["before"])
    given = (path, text, str(case["after_first"])) if first == GIVEN else None
    try:
        whole = _tokens_of(asked, path, text, backend, given)
        with (
            session_on({path: text}, backend, max_tokens=1024, exact=first == OWN) as session,
            answering(backend, given),
        ):
            hear(
                lambda stop: session.turn(asked, in_view=path, stop=stop),
                stop_when=_nth(max(1, int(whole * arrived))),
            )
            session.adopt(dataclasses.replace(session.settings, exact=True))
            before = _closed(session)
            found.closed += len(before)
            hear(lambda stop: session.turns.steer(str(case["steer"]), stop=stop))
            found.kept.append(_are_kept(session, before))
            for hunk in session.decisions.offered():
                session.decisions.decide(hunk.id, "accepted")
            if session.decisions.review.accepted():
                session.changes.write()
            right = is_right(case, (session.root / path).read_text(encoding="utf-8"))
    except SparkError:
        right = False
    every, kinds = (found.given, found.given_kinds) if first == GIVEN else (found.right, found.kinds)
    every.append(right)
    for kind in (
        str(case["kind"]),
        "all of the edit had come" if arrived == 1 else "half of the edit had come",
    ):
        kinds.setdefault(kind, []).append(right)
    if first == OWN and not right:
        found.wrong.append(str(case["id"]))


def _tokens_of(asked: str, path: str, text: str, backend: Backend, given: tuple[str, str, str] | None) -> int:
    """Of a whole first answer. A given one is the model's: the reader is not asked for it."""
    exact = given is None
    with (
        session_on({path: text}, backend, max_tokens=1024, exact=exact) as session,
        answering(backend, given),
    ):
        return hear(lambda stop: session.turn(asked, in_view=path, stop=stop)).tokens


def is_right(case: dict[str, Any], text: str) -> bool:
    """The same program as one of those that were written by hand, or one that passes the case's own check."""
    accepted = [case["after_steer"], *case.get("accept", ())]
    if any(text == item or same_tree(text, str(item)) for item in accepted):
        return True
    return bool(case.get("check")) and _passes(text, str(case["check"]))


def _passes(text: str, check: str) -> bool:
    """Run as a module that is not `__main__`, in a folder of its own and a process that cannot read ours."""
    with tempfile.TemporaryDirectory(prefix="spark-steer-") as folder:
        (Path(folder) / "edited.py").write_text(f"{text}\n\n{check}\n", encoding="utf-8")
        try:
            done = subprocess.run(
                [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {folder!r}); import edited"],
                capture_output=True,
                timeout=10,
                check=False,
                cwd=folder,
                env={},
            )
        except subprocess.TimeoutExpired:
            return False
        return done.returncode == 0


def _cases(path: Path, report: Report) -> list[dict[str, Any]]:
    if not path.is_file():
        report.notes.append(f"the steers written by hand are not here: {path.name} comes with a checkout")
        return []
    return json_lines.read(path)


def _nth(count: int) -> Any:
    left = iter(range(count - 1))
    return lambda event: isinstance(event, events.Token) and next(left, None) is None


def _closed(session: Session) -> dict[int, tuple[str, ...]]:
    review = session.decisions.review
    return {known: review.hunk(known).new_lines for known in review.ids if review.state(known) == "open"}


def _are_kept(session: Session, before: dict[int, tuple[str, ...]]) -> bool:
    """Whether hunks that had closed are as they were."""
    return all(session.decisions.review.original(at).new_lines == lines for at, lines in before.items())


def rows(name: str, found: SteerResults) -> list[dict[str, Any]]:
    out: list[dict[str, Any]] = []
    entered = len(found.warm_ms) + len(found.cold_ms)
    for what, values, of in (
        ("steer: first token", found.first_ms, 0),
        (f"Enter, {FILE_LINES} lines, warm", found.warm_ms, entered),
        (f"Enter, {FILE_LINES} lines, cold", found.cold_ms, entered),
    ):
        if values:
            times = {f"p{part} ms": rounded_percentile(values, part) for part in (50, 95)}
            share = round(len(values) / of, 3) if of else None
            out.append({"what": what, "runs": len(values), **times, "share": share})
    shares = {"typed, and read ahead": found.guessed}
    for first, every, kinds in ((OWN, found.right, found.kinds), (GIVEN, found.given, found.given_kinds)):
        for kind, right in {"all": every, **dict(sorted(kinds.items()))}.items():
            shares[f"{first}does what was asked: {kind}"] = right
    out += [{"what": what, "runs": len(each), "share": _mean(each)} for what, each in shares.items() if each]
    if found.right:
        out.append({"what": "hunks closed before a steer by hand", "runs": found.closed})
    return [{"model": name, **row} for row in out]


def bars(found: SteerResults, parts: Sequence[str] = PARTS) -> list[Bar]:
    out = []
    if "steer" in parts:
        out += [
            _p95_bar("steer: first token", found.first_ms, FIRST_TOKEN_MS),
            at_most("steer: tokens read beyond it and its wrapper", max(found.over, default=None), 0.0),
        ]
    if "steer" in parts or "hand" in parts:
        out.append(Bar("hunks closed before a steer unchanged", _mean(found.kept), 1.0))
    if "enter" in parts:
        out += [
            _p95_bar(f"Enter on {FILE_LINES} lines, window warm", found.warm_ms, WARM_ENTER_MS),
            _p95_bar(f"Enter on {FILE_LINES} lines, window cold", found.cold_ms, COLD_ENTER_MS),
        ]
    if "hand" in parts:
        does = "steers by hand that do what they ask"
        out.append(Bar(does, _mean(found.right), OWN_FOLLOW_UPS))
        out.append(Bar(f"{does}, after a given first edit", _mean(found.given), GIVEN_FOLLOW_UPS))
    return out


def _p95_bar(name: str, values: Sequence[float], most: float) -> Bar:
    return at_most(f"{name}, p95 ms", rounded_percentile(values, 95, 2), most)


def _mean(values: Sequence[bool]) -> float | None:
    return round(sum(values) / len(values), 4) if values else None
