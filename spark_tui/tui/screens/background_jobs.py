"""The background jobs of this repository: a word in the header, and a list from which a job is opened for
review."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from spark_tui.config import paths
from spark_tui.errors import SparkError
from spark_tui.tui.screens import quit as quit_screen
from spark_tui.tui.screens.listing import push_list
from spark_tui.tui.screens.picker import Choice, Picker
from spark_tui.tui.screens.protocols import OverlayHost
from spark_tui.tui.screens.quit import ReopenHost

if TYPE_CHECKING:
    from spark_tui.jobs.job_status import JobSummary, ListedJob

LOOK_SECONDS = 2.0


class JobsHost(OverlayHost, ReopenHost, Protocol):
    """Opens the session of a job."""


class BackgroundJobs:
    """Shows nothing until it is told which repository this is."""

    def __init__(self, host: JobsHost) -> None:
        self._host = host
        self._state: Path | None = None
        self._glance: JobSummary | None = None
        self.word = ""

    async def remember(self, root: Path) -> None:
        self._state = paths.repository_state_dir(root)
        await self.look()

    async def look(self) -> None:
        """Update the word in the header."""
        before = self.word
        if self._state is not None:
            await self._host.controller.run_in_order(self._look, self._state)
        if self.word != before:
            self._host.paint_status()

    def _look(self, state: Path) -> None:
        if self._glance is None:
            if not (state / "jobs").is_dir():
                return
            from spark_tui.jobs.job_status import JobSummary

            self._glance = JobSummary(state)
        try:
            word = self._glance.word()
        except (SparkError, OSError):  # `spark jobs` reports the problem
            word = ""
        self.word = f"{word}: {self._host.keymap.shown('jobs')}" if word else ""

    def choose(self) -> None:
        """Every job; one that brought hunks takes the place of this session, which is kept."""
        host, state = self._host, self._state
        if state is None:
            host.show_message("the session is still opening")
            return

        def take(row: ListedJob) -> None:
            if row.hunks:
                quit_screen.reopen(host, row.job.session)
            else:
                host.show_message(f"job {row.job.id}: {row.words}; details: spark jobs show {row.job.id}")

        picker = Picker("job", (), host.palette, takes="review", nothing="")
        nothing = 'no jobs in this repository; start one in a shell: spark work "…"'
        push_list(host, picker, lambda: found(state), take, _choice, nothing)


def _choice(row: ListedJob) -> Choice:
    return Choice(f"{row.job.id}  {row.job.title}", row.job.id, f"{row.words}, {age_of(row)}")


def found(state: Path) -> list[ListedJob]:
    """All jobs, after cleaning up those whose worker is gone."""
    from spark_tui.jobs.job_status import list_jobs
    from spark_tui.jobs.orphan_cleanup import end_orphans

    end_orphans(state)
    return list_jobs(state)


def age_of(row: ListedJob) -> str:
    from spark_tui.jobs.job_status import age

    return age(time.time() - row.job.began)
