"""Carries out a job: one instruction after another in the job's worktree, each checked."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from spark_tui import events
from spark_tui.backends.base import Backend
from spark_tui.config import settings
from spark_tui.errors import ExitCode, NoBackend, SparkError
from spark_tui.events import Event
from spark_tui.jobs import job as jobs
from spark_tui.jobs.check_history import CheckHistory
from spark_tui.jobs.check_runner import run_check
from spark_tui.jobs.handoff import check_pid_file, hand_over, snapshots_of
from spark_tui.jobs.job import DoubtfulHunk, Job, JobTask
from spark_tui.jobs.job_diff import JobDiffBackend
from spark_tui.problems.runner import CommandResult
from spark_tui.session.reader.no_hunk_reason import for_command, why_no_hunk
from spark_tui.session.review.hunk_doubts import HunkDoubts
from spark_tui.session.session import Session, new_id
from spark_tui.session.session_opener import open_backend
from spark_tui.session.stop_signals import stopped_by
from spark_tui.session.storage.index_rows import EXACT_BACKEND

_LOOK_SECONDS = 0.3
"""How often a job that waits for others looks whether it may begin."""
_NICE = 5
"""Lets the person's own turns go first."""
_LEFT_SURENESS = 0.5
"""How sure an edit is that left places as they are."""


@dataclass(frozen=True, slots=True)
class _Problem:
    """Why an edit cannot stay: the state of the instruction, a note for the person, and the message to the
    model, if there is one."""

    state: str
    note: str
    message: str = ""


def main(folder: Path, claim: int) -> int:
    """Run a job to its end, and remove its worktree. Returns the exit code."""
    os.set_inheritable(claim, False)
    with contextlib.suppress(OSError):
        os.nice(_NICE)
    job = jobs.read(folder)
    job.pid = os.getpid()
    jobs.write(folder, job)
    worker = JobWorker(folder, job)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)

    def stop() -> bool:
        worker.stop.set()
        return True

    with stopped_by(stop, signal.SIGTERM, signal.SIGINT):
        return _run(worker)


def _run(worker: JobWorker) -> int:
    folder, job = worker.folder, worker.job
    try:
        phase = worker.run()
    except SparkError as error:
        phase, job.note, job.exit_code = "failed", str(error), int(error.exit_code)
    except Exception:
        traceback.print_exc()
        phase, job.exit_code = "failed", int(ExitCode.CRASHED)
        job.note = "a bug in spark; see the log: spark jobs show"
    try:
        hand_over(folder, job, phase)
        _log(f"{phase}: {job.done} of {len(job.tasks)} done")
    except SparkError as error:
        # The next `spark jobs` tries again.
        _log(str(error))
        return int(error.exit_code)
    return job.exit_code


class JobWorker:
    """Carries out the instructions of one job."""

    def __init__(self, folder: Path, job: Job) -> None:
        self.folder, self.job = folder, job
        self.stop = threading.Event()
        self.timed_out = False
        self._snapshots = snapshots_of(folder, job)
        self._tree = Path(job.tree)
        self._settings = settings.Settings()
        self._history = CheckHistory(job.check, self._tree, self._tree / job.within)
        self._mended = ""
        """What the last edit that stays did to the check."""
        self._why_nothing = ""
        """Why the last turn has no hunk."""

    def run(self) -> str:
        """Carry out the instructions. Returns how the job ended; raises SparkError where no more of it can be
        done."""
        job = self.job
        # Nobody watches, so the answer need not be paced.
        self._settings = replace(settings.load(Path(job.root), flags=job.flags).settings, pace="off")
        self._wait_for_others(self._settings.jobs_at_once)
        backend = open_backend(self._settings)
        timer = threading.Timer(job.time_limit, self._time_is_up) if job.time_limit else None
        try:
            job.phase = "working"
            self._save()
            if timer is not None:
                timer.daemon = True
                timer.start()
            if job.check:
                self._first_check()
            for number, task in enumerate(job.tasks, 1):
                if self.stop.is_set():
                    break
                _log(f"{number}/{len(job.tasks)} {task.named}")
                self._do(task, backend)
                _log(f"  {task.state}" + (f": {task.note}" if task.note else ""))
        finally:
            if timer is not None:
                timer.cancel()
            backend.close()
        if self.timed_out:
            return "timeout"
        return "stopped" if self.stop.is_set() else "done"

    def _wait_for_others(self, most: int) -> None:
        """Wait until fewer than `most` older jobs of this repository work, 0 for no limit."""
        state, number = self.folder.parent.parent, int(self.folder.name)
        while most and not self.stop.is_set():
            older = [folder for folder in jobs.folders(state) if int(folder.name) < number]
            if sum(jobs.is_claimed(folder) for folder in older) < most:
                return
            if self.job.phase != "queued":
                self.job.phase = "queued"
                self._save()
            self.stop.wait(_LOOK_SECONDS)

    def _time_is_up(self) -> None:
        self.timed_out = True
        self.stop.set()

    def _save(self) -> None:
        jobs.write(self.folder, self.job)

    # -- one instruction

    def _do(self, task: JobTask, backend: Backend) -> None:
        """Carry out one instruction. When this returns, all of its edits are kept, or none."""
        begun, before = time.monotonic(), self.job.kept
        task.state = "working"
        self._save()
        try:
            with self._session(backend) as session:
                snapshot = self._attempt(task, session, before)
            if self.stop.is_set():
                task.state = "stopped"
        except SparkError as error:
            task.state, task.note, snapshot = "failed", str(error).replace("\n  ", ". "), before
            if isinstance(error, NoBackend):
                raise
        finally:
            if task.state != "done":
                # Nothing of it is kept, even after an error.
                self._snapshots.restore(before)
                task.hunks, task.doubts = 0, []
            task.seconds = time.monotonic() - begun
        if task.state == "done":
            self.job.kept = snapshot
        self._save()

    @contextlib.contextmanager
    def _session(self, backend: Backend) -> Iterator[Session]:
        """A session for one instruction: earlier conversation would only take room in the prompt."""
        state = self.folder / "state"
        session = Session(self._tree, backend, self._settings, state, session_id=new_id())
        try:
            yield session
        finally:
            session.use(JobDiffBackend())  # the backend is used again
            session.close()

    def _attempt(self, task: JobTask, session: Session, before: str) -> str:
        """Try an instruction, with a steer after each problem. Returns the snapshot to keep, and sets the
        state of the task."""
        self._mended = ""
        stream = session.turn(task.text, files=task.files, stop=self.stop)
        problem: _Problem | None = None
        while True:
            written, misfit = self._write_hunks(task, session, stream)
            if self.stop.is_set():
                return before
            if not written and misfit is None:
                # The model was told the problem and had no other edit: the problem remains.
                problem = problem or _Problem("nothing", self._why_nothing)
                break
            snapshot = self._snapshots.take()
            problem = misfit or (
                self._problem_with(snapshot)
                if snapshot != before
                else _Problem("nothing", "its last edit undid its first one")
            )
            if self.stop.is_set():
                return before
            if problem is None:
                task.state, task.note = "done", self._mended
                return snapshot
            if not problem.message or task.rounds >= self.job.rounds:
                break
            task.rounds += 1
            _log(f"  {problem.state}: {problem.note}; the model is told, round {task.rounds}")
            stream = session.turns.steer(problem.message, stop=self.stop)
        task.state, task.note = problem.state, problem.note
        return before

    def _write_hunks(
        self, task: JobTask, session: Session, stream: Iterator[Event]
    ) -> tuple[int, _Problem | None]:
        """Run a turn and write all of its hunks, or none where one cannot be placed. Returns how many."""
        misfit, reason, answer, edited, doubts = "", "", "", False, HunkDoubts()
        failed: events.Failed | None = None
        titles: tuple[str, ...] = ()
        left: list[str] = []
        exact = False
        for event in stream:
            if isinstance(event, events.TurnStarted):
                exact = event.backend == EXACT_BACKEND
            elif isinstance(event, events.Choices):
                titles = event.titles[:-1]  # the last one is to ask the model
            elif isinstance(event, events.Failed):
                failed = event
            elif isinstance(event, events.HunkFailed) and not event.code:
                left.append(f"{event.path}:{event.line}: {event.message}")
            elif isinstance(event, events.HunkFailed):
                misfit = event.sentence
            elif isinstance(event, events.Doubt):
                doubts.note(event)
            elif isinstance(event, events.Prose):
                answer += for_command(event.text, "spark work")
            elif isinstance(event, events.HunkClosed):
                edited = True
            elif isinstance(event, events.Finished):
                reason = event.reason
        if failed is not None:
            raise _error(failed)
        if misfit:
            return 0, _Problem("failed", misfit, f"An edit could not be placed. {misfit}")
        if reason == "length":
            return 0, _Problem("failed", "the answer reached its token limit")
        if titles and not edited:
            meant = "; ".join(f"{number} {title}" for number, title in enumerate(titles, 1))
            return 0, _Problem("failed", f"several edits may be meant: {meant}")
        self._why_nothing = why_no_hunk(reason, answer, edited=edited, exact=exact)
        hunks = () if self.stop.is_set() else session.decisions.offered(last_turn=True)
        if not hunks:
            return 0, None
        for event in session.check_answer(stop=self.stop):
            doubts.note(event)
        for hunk in hunks:
            source = session.decisions.review.source(hunk.id)
            # What an exact edit left as it is speaks against all of its hunks.
            if (found := doubts.of(source)) or left:
                lines = hunk.new_lines or hunk.old_lines
                sureness = min((item.confidence for item in found), default=_LEFT_SURENESS)
                reason = "; ".join(filter(None, (doubts.reason(source), *left[:1])))
                task.doubts.append(DoubtfulHunk(hunk.path, lines, sureness, reason))
            session.decisions.decide(hunk.id, "accepted")
        session.changes.write()
        task.hunks += len(hunks)
        return len(hunks), None

    # -- the check

    def _first_check(self) -> None:
        checked = self._run_check()
        self._snapshots.restore(self.job.start)
        if not self.stop.is_set():
            self._history.keep(checked)
            self.job.passes = checked.passes
            _log(f"check: {'passes' if checked.passes else 'fails before anything is changed'}")
            self._save()

    def _problem_with(self, snapshot: str) -> _Problem | None:
        """The problem if the check passed before and fails now. Files that the check writes are removed."""
        if not self.job.check:
            return None
        checked = self._run_check()
        self._snapshots.restore(snapshot)
        if self.stop.is_set():
            return None
        verdict = self._history.judge(checked)
        if not verdict.stays:
            return _Problem("check fails", verdict.note, verdict.message)
        self.job.passes, self._mended = checked.passes, verdict.note
        return None

    def _run_check(self) -> CommandResult:
        job = self.job
        place = self._tree / job.within
        place.mkdir(parents=True, exist_ok=True)
        checked = run_check(
            job.check, self._tree, place, job.check_seconds, self.stop, check_pid_file(self.folder)
        )
        word = "passes" if checked.passes else "fails"
        _log(f"  {job.check}: {word} ({checked.seconds:.1f} s) {checked.note}".rstrip())
        if not checked.passes:
            _log("".join(f"  | {line}\n" for line in checked.output.splitlines()).rstrip("\n"))
        return checked


def _error(event: events.Failed) -> SparkError:
    kind = NoBackend if event.exit_code == ExitCode.NO_BACKEND else SparkError
    return kind(event.what, where=event.where, hint=event.hint)


def _log(text: str) -> None:
    with contextlib.suppress(OSError):  # on a full disk the job goes on without a log
        print(text, file=sys.stdout, flush=True)
