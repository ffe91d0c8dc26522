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
from spark_tui.edits.hunk import Hunk
from spark_tui.errors import ExitCode, MalformedInput, NoBackend, SparkError
from spark_tui.events import Event
from spark_tui.jobs import job as jobs
from spark_tui.jobs.check_history import CheckHistory, run_check
from spark_tui.jobs.handoff import check_pid_file, hand_over, snapshots_of
from spark_tui.jobs.job import DoubtfulHunk, Job, JobTask
from spark_tui.jobs.job_diff import JobDiffBackend
from spark_tui.jobs.turn_result import TurnResult, why_failed
from spark_tui.problems.runner import NO_COMMAND, CommandResult
from spark_tui.session.session import Session, new_id
from spark_tui.session.session_opener import open_backend
from spark_tui.session.stop_signals import stopped_by
from spark_tui.session.turn_execution import NEVER_WRITTEN

_LOOK_SECONDS = 0.3
"""How often a job that waits for others looks whether it may begin."""
_NICE = 5
"""Lets the person's own turns go first."""
_MOST_RESUMED = 4
"""So often an answer goes on behind its token limit: nobody is there to resume it."""
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

    def stop(_: int) -> bool:
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
        self._mended = self._left_out = ""
        """What the last edit that stays did to the check."""
        self._no_edit = _Problem("nothing", "")
        """Why the last turn has no hunk."""
        self._written: list[Hunk] = []
        """What was written of the last turn."""
        self._early = ""
        """Why the last turn ended before its time, if it did and was not stopped."""
        self._gone: NoBackend | None = None
        """The model that failed so that the job cannot go on."""

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
        """Carry out one instruction. When this returns, all of its edits are kept, or none; of one that
        ended early, those that were whole."""
        begun, before = time.monotonic(), self.job.kept
        task.state, kept, self._gone = "working", before, None
        self._save()
        try:
            with self._session(backend) as session:
                kept = self._attempt(task, session, before)
        except SparkError as error:
            task.state, task.note = "failed", why_failed(error, self._tree, Path(self.job.root))
            self._gone = error if isinstance(error, NoBackend) else None
        finally:
            if kept == before:
                # Nothing of it is kept.
                self._snapshots.restore(before)
                task.hunks, task.doubts = 0, []
            task.seconds = time.monotonic() - begun
        self.job.kept = kept
        self._save()
        if self._gone is not None:
            raise self._gone

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
        self._mended = self._left_out = ""
        stream = session.turn(task.text, in_view=task.in_view, files=task.files, stop=self.stop)
        problem: _Problem | None = None
        check: _Problem | None = None  # what made the last check fail
        while True:
            failed_check = problem is not None and problem.state == "check fails"
            check = problem if failed_check else check
            misfit = self._write_hunks(task, session, stream)
            if self.stop.is_set() or (self._early and self._written):
                if failed_check:
                    self._written = []
                return self._keep_unfinished(task, before)
            if not self._written and misfit is None:
                # The model was told the problem and had no other edit: the problem remains.
                problem = problem or self._no_edit
                break
            snapshot = self._snapshots.take()
            problem = misfit or (
                self._problem_with(snapshot)
                if snapshot != before
                else _Problem("nothing", "its last edit undid its first one")
            )
            if self.stop.is_set():
                return self._keep_unfinished(task, before)
            if problem is None:
                notes = filter(None, (self._mended, self._left_out))
                task.state, task.note = "done", "; ".join(notes)
                return snapshot
            if not problem.message or task.rounds >= self.job.rounds:
                break
            task.rounds += 1
            _log(f"  {problem.state}: {problem.note}; the model is told, round {task.rounds}")
            stream = session.turns.steer(problem.message, stop=self.stop)
        # A repair that cannot be placed leaves the check as it failed.
        told = check if check is not None and problem is misfit else problem
        task.state, task.note = told.state, told.note
        return before

    def _write_hunks(self, task: JobTask, session: Session, stream: Iterator[Event]) -> _Problem | None:
        """Run a turn and write its hunks: all of them, those that are whole if it ended early, or none where
        one cannot be placed."""
        turn = TurnResult()
        turn.read(stream)
        for _ in range(_MOST_RESUMED):
            if turn.cut and not self.stop.is_set():
                turn.read(session.turns.resume(stop=self.stop))
        self._written, self._early = [], "" if self.stop.is_set() else turn.ended_early
        hunks = session.decisions.offered(last_turn=True)
        if turn.failed is not None:
            error = _error(turn.failed, answered=turn.answered)
            if not hunks:
                raise error
            self._gone = error if isinstance(error, NoBackend) else None
        early = bool(self._early) or self.stop.is_set()
        if turn.misfit and not early:
            return _Problem("failed", turn.misfit, f"An edit could not be placed. {turn.misfit}")
        if self._early and not hunks:
            return _Problem("failed", self._early)
        if not hunks or turn.meant:
            self._no_edit = _Problem(*("failed", turn.meant) if turn.meant else ("nothing", turn.why_no_hunk))
            return None
        for event in () if early else session.check_answer(stop=self.stop):
            turn.doubts.note(event)
        written, left_out = [], dict[str, str]()
        for hunk in hunks:
            source = session.decisions.review.source(hunk.id)
            found = turn.doubts.of(source)
            if why := next((item.reason for item in found if item.reason.startswith(NEVER_WRITTEN)), ""):
                # The others stand without it.
                session.decisions.decide(hunk.id, "rejected")
                left_out[hunk.path] = f"{hunk.path} {why}"
                continue
            written.append(hunk)
            # What an exact edit left as it is speaks against all of its hunks.
            if found or turn.left:
                sureness = min((item.confidence for item in found), default=_LEFT_SURENESS)
                reason = "; ".join(filter(None, (turn.doubts.reason(source), *turn.left[:1])))
                task.doubts.append(_doubtful(hunk, sureness, reason))
            session.decisions.decide(hunk.id, "accepted")
        self._left_out = "; ".join(left_out.values())
        if not written:
            return _Problem("failed", self._left_out)
        session.changes.write()
        self._written = written
        task.hunks += len(written)
        return None

    def _keep_unfinished(self, task: JobTask, before: str) -> str:
        """An instruction ended before its time: keep its hunks that are whole, each with a mark, unless the
        check fails with them. Returns the snapshot to keep."""
        task.state, task.note = "stopped" if self.stop.is_set() else "failed", self._early
        snapshot = self._snapshots.take() if self._written else before
        if snapshot == before:
            return before
        if not self.stop.is_set() and (problem := self._problem_with(snapshot)):
            task.note += f"; {problem.state} with what it had done: {problem.note}"
            return before
        why = "the job reached its time limit" if self.timed_out else "the job was stopped"
        reason = f"not finished: {self._early or why}"
        if self.job.check and self.stop.is_set():
            reason, self.job.passes = f"{reason} before the check", None
        # The model may be sure of them: the mark is of the job, and says nothing of a likelihood.
        task.doubts += [_doubtful(hunk, 0.0, reason) for hunk in self._written]
        return snapshot

    # -- the check

    def _first_check(self) -> None:
        checked = self._run_check()
        self._snapshots.restore(self.job.start)
        if checked.code in NO_COMMAND:
            said = checked.output.strip().splitlines()[-1:] or [checked.words]
            hint = "Name a command that is there, by its full path where PATH lacks it."
            raise MalformedInput(f"the check cannot be run: {said[0]}", where="--check", hint=hint)
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
        _log(f"  {job.check}: {checked.words} ({checked.seconds:.1f} s)")
        for line in () if checked.passes else checked.output.splitlines():
            _log(f"  | {line}")
        return checked


def _doubtful(hunk: Hunk, sureness: float, reason: str) -> DoubtfulHunk:
    return DoubtfulHunk(hunk.path, hunk.new_lines or hunk.old_lines, sureness, reason)


def _error(event: events.Failed, *, answered: bool) -> SparkError:
    gone = event.exit_code == ExitCode.NO_BACKEND and not answered
    kind = NoBackend if gone else SparkError
    # A turn of a job cannot be resumed by anybody.
    hint = "" if "--resume" in event.hint else event.hint
    return kind(event.what, where=event.where, hint=hint)


def _log(text: str) -> None:
    with contextlib.suppress(OSError):  # on a full disk the job goes on without a log
        print(text, file=sys.stdout, flush=True)
