"""The check of a job's edits: what an edit changed in it, and why an edit cannot stay."""

from __future__ import annotations

import contextlib
import sys
import threading
from dataclasses import dataclass
from pathlib import Path

from spark_tui.errors import MalformedInput
from spark_tui.jobs import job as jobs
from spark_tui.jobs.check_history import CheckHistory, run_check
from spark_tui.jobs.handoff import Snapshots, check_pid_file
from spark_tui.jobs.job import Job
from spark_tui.problems.runner import NO_COMMAND, CommandResult


@dataclass(frozen=True, slots=True)
class Problem:
    """Why an edit cannot stay: the state of the instruction, a note for the person, and the message to the
    model, if there is one."""

    state: str
    note: str
    message: str = ""
    misfit: bool = False
    """One of its edits could not be placed."""


class JobCheck:
    """Runs in the job's worktree, and leaves nothing there."""

    def __init__(self, folder: Path, job: Job, snapshots: Snapshots, stop: threading.Event) -> None:
        self._folder, self._job, self._snapshots, self._stop = folder, job, snapshots, stop
        self._tree = Path(job.tree)
        self._history = CheckHistory(job.check, self._tree, self._tree / job.within)
        self.mended = ""
        """What the last edit that stays did to it."""

    def first(self) -> None:
        """Run it before anything is changed."""
        job, checked = self._job, self._run()
        self._snapshots.restore(job.start)
        if checked.code in NO_COMMAND:
            said = checked.output.strip().splitlines()[-1:] or [checked.words]
            hint = "Name a command that is there, by its full path where PATH lacks it."
            raise MalformedInput(f"the check cannot be run: {said[0]}", where="--check", hint=hint)
        if not self._stop.is_set():
            self._history.keep(checked)
            job.passes = checked.passes
            log(f"check: {'passes' if checked.passes else 'fails before anything is changed'}")
            jobs.write(self._folder, job)

    def problem_with(self, snapshot: str) -> Problem | None:
        """The problem if the check passed before and fails now. Files that the check writes are removed."""
        if not self._job.check:
            return None
        checked = self._run()
        self._snapshots.restore(snapshot)
        if self._stop.is_set():
            return None
        verdict = self._history.judge(checked)
        if not verdict.stays:
            return Problem("check fails", verdict.note, verdict.message)
        self._job.passes, self.mended = checked.passes, verdict.note
        return None

    def _run(self) -> CommandResult:
        job = self._job
        place = self._tree / job.within
        place.mkdir(parents=True, exist_ok=True)
        checked = run_check(
            job.check, self._tree, place, job.check_seconds, self._stop, check_pid_file(self._folder)
        )
        log(f"  {job.check}: {checked.words} ({checked.seconds:.1f} s)")
        for line in () if checked.passes else checked.output.splitlines():
            log(f"  | {line}")
        return checked


def log(text: str) -> None:
    """A line of the job's log."""
    with contextlib.suppress(OSError):  # on a full disk the job goes on without a log
        print(text, file=sys.stdout, flush=True)
