"""Carries out one instruction of a job: a turn, and a steer after each problem."""

from __future__ import annotations

import threading
from collections.abc import Iterator

from spark_tui import events
from spark_tui.edits.hunk import Hunk
from spark_tui.errors import ExitCode, NoBackend, SparkError
from spark_tui.events import Event
from spark_tui.jobs.handoff import Snapshots
from spark_tui.jobs.job import DoubtfulHunk, Job, JobTask
from spark_tui.jobs.job_check import JobCheck, Problem, log
from spark_tui.jobs.turn_result import TurnResult
from spark_tui.session.review.answer_checks import HALF
from spark_tui.session.session import Session
from spark_tui.session.turn_execution import NEVER_WRITTEN

_MOST_RESUMED = 4
"""So often an answer goes on behind its token limit: nobody is there to resume it."""
_LEFT_SURENESS = 0.5
"""How sure an edit is that left places as they are."""


class JobStop(threading.Event):
    """Set when the job is to end."""

    timed_out = False

    @property
    def why(self) -> str:
        return "the job reached its time limit" if self.timed_out else "the job was stopped"


class Instruction:
    """The attempt at one instruction. Its edits are in the worktree; what is to be kept is a snapshot."""

    def __init__(self, job: Job, check: JobCheck, snapshots: Snapshots, stop: JobStop) -> None:
        self._job, self._check, self._snapshots, self._stop = job, check, snapshots, stop
        self._left_out = ""
        """What its last edit left out."""
        self._no_edit = Problem("nothing", "")
        """Why the last turn has no hunk."""
        self._written: list[Hunk] = []
        """What was written of the last turn."""
        self._beside: list[Hunk] = []
        """What was written beside an edit that could not be placed, and after it."""
        self._early = ""
        """Why the last turn ended before its time, if it did and was not stopped."""
        self.gone: NoBackend | None = None
        """The model that failed so that the job cannot go on."""

    def attempt(self, task: JobTask, session: Session, before: str) -> str:
        """Try an instruction, with a steer after each problem. Returns the snapshot to keep, and sets the
        state of the task."""
        self._check.mended = ""
        stream = session.turn(task.text, in_view=task.in_view, files=task.files, stop=self._stop)
        problem: Problem | None = None
        check: Problem | None = None  # what made the last check fail
        while True:
            failed_check = problem is not None and problem.state == "check fails"
            check = problem if failed_check else check
            misfit = self._write_hunks(task, session, stream)
            if misfit or self._beside:
                self._beside += self._written
            whole = self._beside or self._written
            if self._stop.is_set() or (self._early and whole):
                return self._keep_unfinished(task, before, [] if failed_check else whole)
            if not self._written and misfit is None:
                # The model was told the problem and had no other edit: the problem remains.
                problem = problem or self._no_edit
                break
            snapshot = self._snapshots.take()
            problem = misfit or (
                self._check.problem_with(snapshot)
                if snapshot != before
                else Problem("nothing", "its last edit undid its first one")
            )
            if self._stop.is_set():
                return self._keep_unfinished(task, before, whole)
            if problem is None:
                notes = filter(None, (self._check.mended, self._left_out))
                task.state, task.note = "done", "; ".join(notes)
                return snapshot
            if not problem.message or task.rounds >= self._job.rounds:
                break
            task.rounds += 1
            log(f"  {problem.state}: {problem.note}; the model is told, round {task.rounds}")
            stream = session.turns.steer(problem.message, stop=self._stop)
        if self._beside and problem.misfit:
            # The model gave that edit up. The others stand without it.
            self._early = problem.note
            return self._keep_unfinished(task, before, self._beside)
        # A repair that cannot be placed leaves the check as it failed.
        told = check if check is not None and problem is misfit else problem
        task.state, task.note = told.state, told.note
        return before

    def _write_hunks(self, task: JobTask, session: Session, stream: Iterator[Event]) -> Problem | None:
        """Run a turn and write its hunks: all of them, those that are whole if it ended early, or those that
        can be placed. The model is told of one that cannot."""
        turn = TurnResult()
        turn.read(stream)
        for _ in range(_MOST_RESUMED):
            if turn.cut and not self._stop.is_set():
                turn.read(session.turns.resume(stop=self._stop))
        self._written, self._early = [], "" if self._stop.is_set() else turn.ended_early
        hunks = session.decisions.offered(last_turn=True)
        if turn.failed is not None:
            error = _error(turn.failed, answered=turn.answered)
            if not hunks and not self._beside:
                raise error
            self.gone = error if isinstance(error, NoBackend) else None
        early = bool(self._early) or self._stop.is_set()
        misfit = None
        if turn.misfit and not early:
            told = f"An edit could not be placed. {turn.misfit}"
            told += "\nThe others were made: write only this one again." if hunks else ""
            misfit = Problem("failed", turn.misfit, told, misfit=True)
            if not hunks:
                return misfit
        if self._early and not hunks:
            return Problem("failed", self._early)
        if not hunks or turn.meant:
            self._no_edit = Problem(*("failed", turn.meant) if turn.meant else ("nothing", turn.why_no_hunk))
            return None
        for event in () if early else session.check_answer(stop=self._stop):
            if not (isinstance(event, events.Doubt) and event.reason.startswith(HALF)):
                # The model is told to write the other half; where it does not, all of it has a mark.
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
            return misfit or Problem("failed", self._left_out)
        session.changes.write()
        self._written = written
        task.hunks += len(written)
        return misfit

    def _keep_unfinished(self, task: JobTask, before: str, hunks: list[Hunk]) -> str:
        """An instruction ended before its time, or without one of its edits: keep the hunks that are whole,
        each with a mark, unless the check fails with them. Returns the snapshot to keep."""
        task.state, task.note = "stopped" if self._stop.is_set() else "failed", self._early
        snapshot = self._snapshots.take() if hunks else before
        if snapshot == before:
            return before
        if not self._stop.is_set() and (problem := self._check.problem_with(snapshot)):
            task.note += f"; {problem.state} with what it had done: {problem.note}"
            return before
        reason = f"not finished: {self._early or self._stop.why}"
        if self._job.check and self._stop.is_set():
            reason, self._job.passes = f"{reason} before the check", None
        # The model may be sure of them: the mark is of the job, and says nothing of a likelihood.
        task.doubts += [_doubtful(hunk, 0.0, reason) for hunk in hunks]
        return snapshot


def _doubtful(hunk: Hunk, sureness: float, reason: str) -> DoubtfulHunk:
    return DoubtfulHunk(hunk.path, hunk.new_lines or hunk.old_lines, sureness, reason)


def _error(event: events.Failed, *, answered: bool) -> SparkError:
    gone = event.exit_code == ExitCode.NO_BACKEND and not answered
    kind = NoBackend if gone else SparkError
    # A turn of a job cannot be resumed by anybody.
    hint = "" if "--resume" in event.hint else event.hint
    return kind(event.what, where=event.where, hint=hint)
