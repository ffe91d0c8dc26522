"""Asks for each instruction in a session on the whole package, and judges what a person sees: the answer of
the built-in reader, or of the built-in model that it leaves the instruction to."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event as StopFlag
from threading import Lock

from spark_tui import events
from spark_tui.acp.shared_backend import SharedBackend
from spark_tui.backends.base import Backend
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
from spark_tui.intent.reading.reader import Reader
from spark_tui.intent.words.readings import Reads
from spark_tui.session.reader.offered_readings import ForModel
from spark_tui.session.session import Session
from spark_tui.session.storage.index_rows import EXACT_BACKEND

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
    """Whether the right edit is one of the choices, which may stand beside an edit."""
    marked: bool
    ms: float
    """Processor time from Enter to the last hunk, which other work on the machine hardly changes."""
    offers: tuple[str, ...] = ()
    """The edits that were offered, as calls or titles."""
    diffs: tuple[str, ...] = ()
    """The same as unified diffs. The edit that was made comes first, if there is one."""
    by_reader: bool = True
    """Whether the language model was not asked."""


@dataclass(slots=True)
class _Turn:
    by_reader: bool = False
    answer: str = DECLINED
    titles: tuple[str, ...] = ()
    prose: str = ""
    marked: bool = False
    ms: float = 0.0


def run_tasks(
    sets: Sequence[PackageTasks], wheels: Path, missing: list[str], model: Backend
) -> Iterator[PackageScore]:
    """Every instruction in the package of its version; packages that `wheels` does not have go to
    `missing`."""
    asked = _Asked(Reader.load(), SharedBackend(model, Lock()))
    with tempfile.TemporaryDirectory(prefix="spark-eval-") as scratch, _cache_in(Path(scratch) / "cache"):
        for package_tasks in sets:
            root = Path(scratch) / "packages" / package_tasks.package
            if not package_tasks.unpack(wheels, root):
                missing.append(f"{package_tasks.package}=={package_tasks.version}")
                continue
            for task in package_tasks.tasks:
                yield _score(
                    package_tasks.package, root, Path(scratch) / "state" / package_tasks.package, task, asked
                )


def _score(package: str, root: Path, state: Path, task: PackageTask, asked: _Asked) -> PackageScore:
    wanted = [texts_of_diff(root, diff) for diff in task.edits]
    turn, result = asked.ask(root, state, task)
    results = [result] if result else []
    # The last choice is the language model.
    choices = [asked.ask(root, state, task, number)[1] for number in range(1, len(turn.titles))]
    found = any(same_texts(root, item, right) for item in results for right in wanted)
    among = any(same_texts(root, choice, right) for choice in choices for right in wanted)
    right = {
        "edit": turn.answer == "edit" and found,
        "write": turn.answer == DECLINED or (turn.answer == "edit" and found),
        "none": turn.answer in (DECLINED, "no edit"),
    }[task.answer]
    offers = turn.titles[:-1] if turn.titles else (turn.prose.strip(),)
    diffs = tuple(diff_of(root, item) for item in (*results, *choices))
    return PackageScore(
        task, package, turn.answer, right, among, turn.marked, turn.ms, offers, diffs, turn.by_reader
    )


@dataclass(frozen=True, slots=True)
class _Asked:
    """Who is asked."""

    reader: Reads
    model: Backend

    def ask(self, root: Path, state: Path, task: PackageTask, choice: int = 0) -> tuple[_Turn, Texts]:
        """One instruction in a session of its own that has read the package; then one of its choices."""
        session = Session(root, self.model, Settings(), state, reader=self.reader)
        stop, request = StopFlag(), ContextRequest(task.instruction, in_view=task.path)
        try:
            session.reader.load(stop)
            turn = _listen(session, lambda: session.turns.start(request, stop=stop))
            if choice:
                turn = _listen(session, lambda: session.reader.choose(choice, stop=stop))
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
            elif isinstance(event, events.TurnStarted):
                turn.by_reader = event.backend == EXACT_BACKEND
            elif isinstance(event, events.Doubt):
                turn.marked = True
            elif isinstance(event, events.Choices):
                turn.titles = event.titles
            elif isinstance(event, events.Prose):
                turn.prose += event.text
            elif isinstance(event, events.Finished):
                known = turn.by_reader or event.reason != "no_edit"  # of a model, that refuses
                turn.answer = ANSWERS.get(event.reason, DECLINED) if known else DECLINED
    except SparkError as error:
        turn.prose = error.what
    turn.ms = ((end if end > begun else time.process_time()) - begun) * 1000
    if turn.answer == "edit":
        turn.marked |= any(isinstance(item, events.Doubt) for item in session.check_answer(stop=StopFlag()))
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
