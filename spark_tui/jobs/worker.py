"""Carries out a job: one instruction after another in the job's worktree, each checked."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
import traceback
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from spark_tui.backends.base import Backend
from spark_tui.config import settings
from spark_tui.errors import ExitCode, NoBackend, SparkError
from spark_tui.jobs import job as jobs
from spark_tui.jobs.handoff import hand_over, snapshots_of
from spark_tui.jobs.instruction import Instruction, JobStop
from spark_tui.jobs.job import Job, JobTask
from spark_tui.jobs.job_check import JobCheck, log
from spark_tui.jobs.job_diff import JobDiffBackend
from spark_tui.jobs.turn_result import left_out, why_failed
from spark_tui.session.session import Session, new_id
from spark_tui.session.session_opener import open_backend
from spark_tui.session.stop_signals import stopped_by

_LOOK_SECONDS = 0.3
"""How often a job that waits for others looks whether it may begin."""
_NICE = 5
"""Lets the person's own turns go first."""


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
        log(f"{phase}: {job.done} of {len(job.tasks)} done")
    except SparkError as error:
        # The next `spark jobs` tries again.
        log(str(error))
        return int(error.exit_code)
    return job.exit_code


class JobWorker:
    """Carries out the instructions of one job."""

    def __init__(self, folder: Path, job: Job) -> None:
        self.folder, self.job = folder, job
        self.stop = JobStop()
        self._snapshots = snapshots_of(folder, job)
        self._tree = Path(job.tree)
        self._settings = settings.Settings()
        self._check = JobCheck(folder, job, self._snapshots, self.stop)

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
                self._check.first()
            for number, task in enumerate(job.tasks, 1):
                if self.stop.is_set():
                    break
                log(f"{number}/{len(job.tasks)} {task.named}")
                self._do(task, backend)
                log(f"  {task.state}" + (f": {task.note}" if task.note else ""))
        finally:
            if timer is not None:
                timer.cancel()
            backend.close()
        if self.stop.timed_out:
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
        self.stop.timed_out = True
        self.stop.set()

    def _save(self) -> None:
        jobs.write(self.folder, self.job)

    # -- one instruction

    def _do(self, task: JobTask, backend: Backend) -> None:
        """Carry out one instruction. When this returns, all of its edits are kept, or none; of one that
        ended early, those that were whole."""
        begun, before = time.monotonic(), self.job.kept
        task.state, kept = "working", before
        instruction = Instruction(self.job, self._check, self._snapshots, self.stop)
        self._save()
        try:
            with self._session(backend) as session:
                kept = instruction.attempt(task, session, before)
            if task.state == "nothing":
                task.note = left_out(task.text, self._tree, Path(self.job.root)) or task.note
        except SparkError as error:
            task.state, task.note = "failed", why_failed(error, self._tree, Path(self.job.root))
            instruction.gone = error if isinstance(error, NoBackend) else None
        finally:
            if kept == before:
                # Nothing of it is kept.
                self._snapshots.restore(before)
                task.hunks, task.doubts = 0, []
            task.seconds = time.monotonic() - begun
        self.job.kept = kept
        self._save()
        if instruction.gone is not None:
            raise instruction.gone

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
