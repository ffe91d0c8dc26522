"""The jobs of this repository on the workbench: a word in the header, a list, and one that is opened for
review.

Comes in: the workbench. Goes out: another session in its place. Must not know: how jobs work.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from spark_tui.config import paths
from spark_tui.errors import SparkError
from spark_tui.tui.screens import quit as quit_screen
from spark_tui.tui.screens.listing import lay_list
from spark_tui.tui.screens.picker import Choice, Picker

if TYPE_CHECKING:
    from spark_tui.jobs.job_status import JobSummary, ListedJob
    from spark_tui.tui.screens.workbench import Workbench

LOOK_SECONDS = 2.0


class BackgroundJobs:
    """Says nothing until it is told which repository this is."""

    def __init__(self, bench: Workbench) -> None:
        self._bench = bench
        self._state: Path | None = None
        self._glance: JobSummary | None = None
        self.word = ""

    async def remember(self, root: Path) -> None:
        self._state = paths.repository_state_dir(root)
        await self.look()

    async def look(self) -> None:
        """What is to be said at the rim."""
        before = self.word
        if self._state is not None:
            await self._bench.conductor.away(self._look, self._state)
        if self.word != before:
            self._bench.paint_rim()

    def _look(self, state: Path) -> None:
        if self._glance is None:
            if not (state / "jobs").is_dir():
                return
            from spark_tui.jobs.job_status import JobSummary

            self._glance = JobSummary(state)
        try:
            word = self._glance.word()
        except (SparkError, OSError):  # `spark jobs` says what is the matter
            word = ""
        self.word = f"{word}: {self._bench.keymap.shown('jobs')}" if word else ""

    def choose(self) -> None:
        """Every job; one that brought hunks takes the place of this session, which is kept."""
        bench, state = self._bench, self._state
        if state is None:
            bench.say("the session is still opening")
            return

        def take(row: ListedJob) -> None:
            if row.hunks:
                quit_screen.reopen(bench, row.job.session)
            else:
                bench.say(f"job {row.job.id}: {row.words}; details: spark jobs show {row.job.id}")

        picker = Picker("job", (), bench.palette, takes="review", nothing="")
        nothing = 'no jobs in this repository; start one in a shell: spark work "…"'
        lay_list(bench, picker, lambda: found(state), take, _choice, nothing)


def _choice(row: ListedJob) -> Choice:
    return Choice(f"{row.job.id}  {row.job.title}", row.job.id, f"{row.words}, {age_of(row)}")


def found(state: Path) -> list[ListedJob]:
    """Jobs, after those were ended that nobody works on any more."""
    from spark_tui.jobs.job_status import list_jobs
    from spark_tui.jobs.orphan_cleanup import end_orphans

    end_orphans(state)
    return list_jobs(state)


def age_of(row: ListedJob) -> str:
    from spark_tui.jobs.job_status import age

    return age(time.time() - row.job.began)
