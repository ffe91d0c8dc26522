"""Asks the built-in reader for each instruction, in a session on the whole package, and judges the answer."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event as StopFlag

from spark_tui import events
from spark_tui.config.settings import Settings
from spark_tui.context.shown_context import ContextRequest
from spark_tui.errors import SparkError
from spark_tui.evals.package_tasks import (
    PackageTask,
    PackageTasks,
    Texts,
    diff_of,
    same_texts,
    texts_after,
    texts_of_diff,
)
from spark_tui.events import Event
from spark_tui.intent.reader import Reader
from spark_tui.intent.readings import Reads
from spark_tui.session.exact_turn import PROGRAM
from spark_tui.session.model_request import ForModel
from spark_tui.session.session import Session

ANSWERS = {"stop": "edit", "no_edit": "no edit", "choices": "choices"}
DECLINED = "declined"


@dataclass(frozen=True, slots=True)
class PackageScore:
    """An answer and whether it is right. `answer`: `edit`, `choices`, `no edit` or `declined`."""

    task: PackageTask
    package: str
    answer: str
    right: bool
    listed: bool
    """Whether the right edit is one of the choices."""
    marked: bool
    ms: float
    """Processor time from Enter to the last hunk, which other work on the machine hardly changes."""
    offers: tuple[str, ...] = ()
    """The edits that were offered, as calls or titles."""
    diffs: tuple[str, ...] = ()
    """The same as unified diffs."""


@dataclass(slots=True)
class _Turn:
    answer: str = DECLINED
    titles: tuple[str, ...] = ()
    prose: str = ""
    marked: bool = False
    ms: float = 0.0


def run_tasks(
    sets: Sequence[PackageTasks], wheels: Path, missing: list[str], reader: Reads | None = None
) -> Iterator[PackageScore]:
    """Every instruction in the package of its version; packages that `wheels` does not have go to
    `missing`."""
    reader = reader or Reader.load()
    with tempfile.TemporaryDirectory(prefix="spark-eval-") as scratch, _cache_in(Path(scratch) / "cache"):
        for one in sets:
            root = Path(scratch) / "packages" / one.package
            if not one.unpack(wheels, root):
                missing.append(f"{one.package}=={one.version}")
                continue
            for task in one.tasks:
                yield _score(one.package, root, Path(scratch) / "state" / one.package, task, reader)


def _score(package: str, root: Path, state: Path, task: PackageTask, reader: Reads) -> PackageScore:
    wanted = [texts_of_diff(root, diff) for diff in task.edits]
    turn, result = _ask(root, state, task, reader)
    results = [result] if result else []
    if turn.answer == "choices":
        count = len(turn.titles) - 1  # the last one is the language model
        results = [_ask(root, state, task, reader, choice)[1] for choice in range(1, count + 1)]
    found = any(same_texts(root, one, right) for one in results for right in wanted)
    right = {
        "edit": turn.answer == "edit" and found,
        "write": turn.answer == DECLINED or (turn.answer == "edit" and found),
        "none": turn.answer in (DECLINED, "no edit"),
    }[task.answer]
    offers = turn.titles[:-1] if turn.titles else (turn.prose.strip(),)
    listed = turn.answer == "choices" and found
    diffs = tuple(diff_of(root, one) for one in results)
    return PackageScore(task, package, turn.answer, right, listed, turn.marked, turn.ms, offers, diffs)


def _ask(root: Path, state: Path, task: PackageTask, reader: Reads, choice: int = 0) -> tuple[_Turn, Texts]:
    """One instruction in a session of its own that has read the package; then one of its choices."""
    session = Session(root, PROGRAM, Settings(), state, reader=reader)
    try:
        session.reader.load(StopFlag())
        ask = ContextRequest(task.instruction, in_view=task.path)
        turn = _listen(session, lambda: session.reader.answer(ask, StopFlag()))
        if choice:
            turn = _listen(session, lambda: session.reader.choose(choice, stop=StopFlag()))
        return turn, texts_after(root, session.decisions.unwritten())
    finally:
        session.close()


def _listen(session: Session, begin: Callable[[], Iterator[Event] | ForModel]) -> _Turn:
    """The whole turn, with the checks that follow it."""
    turn = _Turn()
    begun = end = time.process_time()
    try:
        found = begin()
        for event in () if isinstance(found, ForModel) else found:
            if isinstance(event, events.HunkClosed):
                end = time.process_time()
            elif isinstance(event, events.Doubt):
                turn.marked = True
            elif isinstance(event, events.Choices):
                turn.titles = event.titles
            elif isinstance(event, events.Prose):
                turn.prose += event.text
            elif isinstance(event, events.Finished):
                turn.answer = ANSWERS.get(event.reason, DECLINED)
    except SparkError as error:
        turn.prose = error.what
    turn.ms = ((end if end > begun else time.process_time()) - begun) * 1000
    if turn.answer == "edit":
        turn.marked |= any(isinstance(one, events.Doubt) for one in session.check_answer(stop=StopFlag()))
    return turn


@contextmanager
def _cache_in(folder: Path) -> Iterator[None]:
    """What is learned of the packages goes with them."""
    before = os.environ.get("XDG_CACHE_HOME")
    os.environ["XDG_CACHE_HOME"] = str(folder)
    try:
        yield
    finally:
        os.environ.pop("XDG_CACHE_HOME")
        os.environ |= {"XDG_CACHE_HOME": before} if before is not None else {}
