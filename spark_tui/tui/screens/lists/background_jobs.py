"""The background jobs of this repository: a word in the header, a list from which a job is opened for review,
and `/delegate`, which starts one whose hunks come back into this session."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from spark_tui.config import paths
from spark_tui.errors import SparkError
from spark_tui.tui.screens import quit as quit_screen
from spark_tui.tui.screens.turns.prompts import PromptsHost
from spark_tui.tui.settings.model_switch import run_in_daemon
from spark_tui.tui.text.safe_text import one_line

if TYPE_CHECKING:
    from spark_tui.jobs.job_status import JobSummary, ListedJob
    from spark_tui.session.session import Session
    from spark_tui.tui.screens.pickers.picker import ChoiceRow

LOOK_SECONDS = 2.0


class BackgroundJobs:
    """Shows nothing until it knows the repository."""

    def __init__(self, host: PromptsHost) -> None:
        self._host = host
        self._state: Path | None = None
        self._glance: JobSummary | None = None
        self._delivered: set[str] = set()
        """Jobs whose hunks were brought here, or could not be."""
        self.word = ""

    async def remember(self, root: Path) -> None:
        self._state = paths.repository_state_dir(root)
        await self.look()

    async def look(self) -> None:
        """Update the word in the header, and bring back what was delegated. A turn that was stopped can still
        be resumed: nothing takes its place unasked."""
        before, controller = self.word, self._host.controller
        if self._state is not None:
            await controller.run_in_order(self._look, self._state)
        if self.word != before:
            self._host.paint_status()
        if self._glance is None or controller.running or controller.session.turns.stopped:
            return
        own_jobs = [row for row in self._glance.rows if row.is_for(controller.session.id)]
        for row in own_jobs[-1:]:
            if row.job.id not in self._delivered:
                self._deliver(row)

    def _look(self, state: Path) -> None:
        if self._glance is None:
            if not (state / "jobs").is_dir():
                return
            from spark_tui.jobs.job_status import JobSummary

            self._glance = JobSummary(state, self._host.controller.session.id)
        try:
            word = self._glance.word()
        except (SparkError, OSError):  # `spark jobs` reports the problem
            word = ""
        self.word = f"{word}: {self._host.keymap.shown('jobs')}" if word else ""

    def delegate(self, instruction: str) -> None:
        """Start a job with the model of this session."""
        host, controller = self._host, self._host.controller
        if not instruction:
            host.show_message("say what the job is to do: /delegate add tests for the cart")
            return

        def start(session: Session, in_view: str) -> str:
            from spark_tui.jobs.delegation import delegate
            from spark_tui.jobs.job import JobTask

            task = JobTask(instruction, in_view=in_view)
            return delegate(session.root, session.id, [task], session.settings).name

        async def run() -> None:
            session = await controller.opened()
            host.prompts.keep(f"/delegate {instruction}")
            in_view = controller.in_view or host.start.shown[0]  # it is shown only once the session is open
            number = await run_in_daemon(partial(start, session, in_view))
            host.show_message(one_line(f"job {number} works on it; its hunks come back here: {instruction}"))
            await self.look()

        host.start_task(run)

    def _deliver(self, row: ListedJob) -> None:
        from spark_tui.jobs.delegation import deliver

        self._delivered.add(row.job.id)
        session = self._host.controller.session
        # What a job brings does not move the view: the person may be reading something else.
        self._host.controller.show_turn(
            lambda _stop: deliver(session, row.folder),
            lambda: self._host.show_message(f"job {row.job.id} is back: its hunks are in this review"),
        )

    def choose(self) -> None:
        """Every job. A job with hunks replaces this session, which is kept; a job delegated here delivers
        into this session."""
        host = self._host

        def take(row: ListedJob) -> None:
            if row.is_for(host.controller.session.id) and not host.controller.running:
                self._deliver(row)
            elif row.state == "delivered":
                host.show_message(f"job {row.job.id}: its hunks came into {self._where(row.job.asked_by)}")
            elif row.hunks:
                quit_screen.reopen(host, row.job.session)
            else:
                host.show_message(f"job {row.job.id}: {row.words}; details: spark jobs show {row.job.id}")

        from spark_tui.tui.screens.pickers.picker import Picker, push_list

        picker = Picker("job", (), host.palette, takes="review", nothing="")
        nothing = 'no jobs yet; start one: /delegate … or spark work "…"'
        push_list(host, picker, found, take, _choice, nothing)

    def _where(self, session_id: str) -> str:
        """A session, and how to get to the hunks in it."""
        host = self._host
        if session_id == host.controller.session.id:
            return f"this session; in their file {host.keymap.shown('hunk.next')} goes to the next"
        return f"session {session_id}; {host.keymap.shown('sessions')} opens it"


def _choice(row: ListedJob) -> ChoiceRow:
    from spark_tui.jobs.job_status import age
    from spark_tui.tui.screens.pickers.picker import ChoiceRow

    since = age(time.time() - row.job.began)
    title, detail = f"{row.job.id}  {row.job.title}", f"{row.words}, {since}"
    return ChoiceRow(title, row.job.id, detail, takes="" if row.hunks else "tell its state")


def found(root: Path) -> list[ListedJob]:
    """All jobs, after cleaning up those whose worker has died."""
    from spark_tui.jobs.handoff import end_orphans
    from spark_tui.jobs.job_status import list_jobs

    state = paths.repository_state_dir(root)
    end_orphans(state)
    return list_jobs(state)
