"""Background jobs of a session: `/delegate` starts one and follows it, `/jobs` lists them."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event as StopFlag
from typing import Any, Literal

from acp import plan_entry, update_plan

from spark_tui import events
from spark_tui.config import paths
from spark_tui.errors import NothingToDo, Refused, UsageError
from spark_tui.events import Event
from spark_tui.jobs import job as jobs
from spark_tui.jobs import job_status
from spark_tui.jobs.delegation import delegate
from spark_tui.jobs.handoff import end_orphans
from spark_tui.jobs.job import SETTLED, Job, JobTask
from spark_tui.jobs.launcher import stop_job
from spark_tui.session.session import Session

_LOOK_SECONDS = 0.1
_STOP_SECONDS = 30.0
_MOST_ENTRIES = 50
"""Of a plan. The protocol wants the whole plan each time; a bound keeps a stream as long as its job."""
_MOST_CHARACTERS = 200
_CHECK = re.compile(r"--check(?:=|\s+)(?:\"([^\"]*)\"|'([^']*)'|(\S+))\s*")
Status = Literal["pending", "in_progress", "completed"]


@dataclass(frozen=True, slots=True)
class PlanChanged:
    """The instructions of a job and how far it is."""

    tasks: tuple[tuple[str, Status], ...]

    def update(self) -> Any:
        return update_plan(plan_entry(text, status=status) for text, status in self.tasks)


class JobTurns:
    """The jobs of a session's repository."""

    def __init__(self, session: Session) -> None:
        self._session, self._state = session, paths.repository_state_dir(session.root)
        self.left: Path | None = None
        """The folder of the job that was followed last, where it has left hunks."""

    def delegate(
        self, text: str, files: Sequence[str], stop: StopFlag, cancelled: Callable[[], bool]
    ) -> Iterator[Event | PlanChanged]:
        """Start a job with an instruction a line, and follow it to its end. `stop` ends the following; the
        job goes on, unless the client has `cancelled` it. Then what is done stays for review."""
        session, (check, lines) = self._session, _read(text)
        if not lines:
            raise UsageError("there is no instruction", hint="/delegate rename qty to quantity; a line each")
        self.left = None
        tasks = [JobTask(line, tuple(files)) for line in lines]
        folder = delegate(session.root, session.id, tasks, session.settings, check)
        yield events.Prose(f"Job {folder.name} has begun.\n")
        told: PlanChanged | None = None
        while True:
            claimed = jobs.is_claimed(folder)
            plan = _plan(jobs.read(folder))
            if plan != told:
                yield (told := plan)
            if not claimed:
                break
            if stop.wait(_LOOK_SECONDS):
                if not cancelled():
                    return
                stop_job(folder, _STOP_SECONDS)
        end_orphans(self._state)
        job = jobs.read(folder)
        self.left = folder if job.session else None
        yield events.Prose(job_status.outcome(job).replace("spark jobs review", "/review") + "\n")

    def listed(self) -> Iterator[Event]:
        """All jobs in a line each."""
        end_orphans(self._state)
        rows = job_status.list_jobs(self._state)
        now, age = time.time(), job_status.age
        lines = [f"{row.job.id}. {row.job.title} ({row.words}, {age(now - row.job.began)})\n" for row in rows]
        yield events.Prose("".join(lines) or "There are no jobs in this repository.\n")

    def to_review(self, name: str) -> Path:
        """The folder of a job with hunks to review. Raises where it has none."""
        end_orphans(self._state)
        row = job_status.find_job(self._state, name)
        if row.state == "working":
            raise Refused(f"job {row.job.id} is still running: {row.words}")
        if not row.open:
            raise NothingToDo(f"job {row.job.id} has nothing to review: {row.words}")
        return row.folder


def _read(text: str) -> tuple[str, list[str]]:
    """The command of `--check`, and the instructions."""
    found = _CHECK.match(text.strip())
    check = next(filter(None, found.groups()), "") if found else ""
    rest = text.strip()[found.end() :] if found else text
    return check, [line.strip() for line in rest.splitlines() if line.strip()]


def _plan(job: Job) -> PlanChanged:
    """The instructions around the one that is worked on; those far before it are one entry."""
    first = max(min(job.settled - _MOST_ENTRIES // 2, len(job.tasks) - _MOST_ENTRIES), 0)
    shown = job.tasks[first : first + _MOST_ENTRIES]
    rows: list[tuple[str, Status]] = [(f"{first} instructions before", "completed")] if first else []
    rows += [_entry(task) for task in shown]
    if left := len(job.tasks) - first - len(shown):
        rows.append((f"{left} instructions after", "pending"))
    return PlanChanged(tuple(rows))


def _entry(task: JobTask) -> tuple[str, Status]:
    text = task.named[:_MOST_CHARACTERS]
    if task.state == "working":
        return text, "in_progress"
    if task.state == "done" or task.state not in SETTLED:
        return text, "completed" if task.state == "done" else "pending"
    return f"{text} ({task.end_reason})"[:_MOST_CHARACTERS], "completed"
