"""Hands an instruction of a session to a job, and brings the job's hunks back into that session."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from spark_tui.config import settings
from spark_tui.config.settings import Settings
from spark_tui.events import Doubt, Event, Token
from spark_tui.jobs import job as jobs
from spark_tui.jobs.job import Job, JobTask
from spark_tui.jobs.job_diff import JobDiffBackend
from spark_tui.jobs.launcher import start_job
from spark_tui.session.session import Session
from spark_tui.session.storage.session_index import SessionIndex


def delegate(root: Path, session_id: str, tasks: list[JobTask], used: Settings, check: str = "") -> Path:
    """Start a job for a session and return its folder. It uses the model of the session, `used`, and its
    check where it has none of its own."""
    plain = settings.load(root).settings
    flags = {
        key: settings.value_of(used, key)
        for key in settings.field_names()
        if key.startswith("model.") and settings.value_of(used, key) != settings.value_of(plain, key)
    }
    check = check or used.check_command
    return start_job(root, Job("", "", "", tasks, check=check, flags=flags, asked_by=session_id))


def deliver(session: Session, folder: Path) -> Iterator[Event]:
    """The hunks of a finished job as a turn of this session. Those that make something else of lines that
    another turn's hunks change are marked as conflicts. The job's own session is removed."""
    job = jobs.read(folder)
    state = folder.parent.parent
    own = Session(session.root, JobDiffBackend(), Settings(), state, session_id=job.session)
    try:
        (record, hunks), *_ = own.decisions.by_turn(own.decisions.offered())
        events_shown = [event for event in own.turns.shown_before() if isinstance(event, Token | Doubt)]
        read = {hunk.path: record.tree.file(hunk.path) for hunk in hunks}
    finally:
        own.close()
    answer = JobDiffBackend([Token(0, f"job {job.id}: "), *events_shown])
    yield from session.delivered.run(record.instruction, answer, read)
    job.delivered = True
    jobs.write(folder, job)
    with SessionIndex(state) as store:
        store.refresh()
        store.delete(job.session)
