"""`spark jobs`: list background jobs, their outcome, and what awaits review."""

from __future__ import annotations

import argparse
import json
import shutil
import time
from pathlib import Path

from spark_tui import events
from spark_tui.backends.base import Backend
from spark_tui.bars import columns
from spark_tui.cli import flags
from spark_tui.cli.output import become_workbench, confirm, on_terminal, print_error, write_exactly
from spark_tui.config import paths
from spark_tui.config.settings import Settings
from spark_tui.errors import NothingToDo, Refused, visible
from spark_tui.jobs import job_status
from spark_tui.jobs.handoff import end_orphans
from spark_tui.jobs.job_diff import JobDiffBackend
from spark_tui.jobs.job_status import ListedJob
from spark_tui.jobs.launcher import stop_job
from spark_tui.session.session import Session
from spark_tui.session.session_opener import root_of
from spark_tui.session.storage.session_index import SessionIndex

_STOP_SECONDS = 30.0
_LOG_LINES = 20
_HEAD = ("ID", "STATE", "AGE", "HUNKS", "CHECK", "INSTRUCTION")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    verbs = parser.add_subparsers(dest="verb", metavar="VERB")
    listing = verbs.add_parser("list", help="list the jobs, newest first (the default)")
    show = verbs.add_parser("show", help="show each instruction with its outcome, and the end of the log")
    halt = verbs.add_parser("stop", help="stop a running job; what is done comes back for review")
    review = verbs.add_parser(
        "review", help="open the workbench on the job's hunks; without a terminal print their patch"
    )
    drop = verbs.add_parser("drop", help="delete a job and its unwritten hunks")
    for verb in (show, halt, review, drop):
        verb.add_argument("job", help="number of the job, or `last`")
    drop.add_argument("--yes", action="store_true", help="do not ask")
    flags.add_to_verbs(parser, (listing, show, halt, review, drop), as_json=(listing, show, review))


def run(args: argparse.Namespace) -> int:
    root = root_of(flags.directory(args))
    state = paths.repository_state_dir(root)
    for words in end_orphans(state):
        print_error(f"spark: {words}")
    verb = args.verb or "list"
    if verb == "list":
        return _list(job_status.list_jobs(state), as_json=args.json)
    row = job_status.find_job(state, args.job)
    if verb == "show":
        _show(row, as_json=args.json)
    elif verb == "stop":
        _stop(state, row)
    elif verb == "review":
        return _review(root, state, row, as_json=args.json)
    else:
        _drop(state, row, sure=args.yes)
    return 0


def _list(rows: list[ListedJob], *, as_json: bool) -> int:
    if not rows:
        print_error('spark: no jobs in this repository\n  Start one: spark work "…"')
        return 0
    if as_json:
        for row in rows:
            print(json.dumps(job_status.as_dict(row)))
        return 0
    table = [_HEAD, *(job_status.as_row(row, time.time()) for row in rows)]
    beside = max(map(len, columns([cells for *cells, _ in table])))
    room = max(20, shutil.get_terminal_size().columns - beside - 2)
    print("\n".join(columns([(*cells, _cut(title, room)) for *cells, title in table])))
    return 0


def _cut(title: str, room: int) -> str:
    told = " ".join(visible(title).split())
    return told if len(told) <= room else f"{told[: room - 1]}…"


def _show(row: ListedJob, *, as_json: bool) -> None:
    if as_json:
        print(json.dumps({**job_status.as_dict(row), "log": _log(row.folder)}))
        return
    job = row.job
    print(f"job {job.id}: {row.words}")
    if job.check:
        before = ", as it did before the job" if job.passes is False else ""
        print(visible(f"check: {job.check} ({job_status.check_word(job)}{before})"))
    if job.note:
        print(visible(f"note: {job.note}"))
    if job.session:
        print(f"session: {job.session}")
    print()
    for task in job.tasks:
        print(visible(job_status.task_line(task)))
    if lines := _log(row.folder):
        print("\nlog:", *(f"  {visible(line)}" for line in lines), sep="\n")


def _log(folder: Path) -> list[str]:
    try:
        text = (folder / "log").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    return text.splitlines()[-_LOG_LINES:]


def _stop(state: Path, row: ListedJob) -> None:
    if row.state != "working":
        raise NothingToDo(f"job {row.job.id} is not running: {row.words}")
    if not stop_job(row.folder, _STOP_SECONDS):
        raise Refused(f"job {row.job.id} did not stop", hint=f"kill -9 {row.job.pid}, then: spark jobs")
    for words in end_orphans(state):
        print_error(f"spark: {words}")
    print(visible(job_status.outcome(job_status.find_job(state, row.job.id).job)))


def _review(root: Path, state: Path, row: ListedJob, *, as_json: bool) -> int:
    job = row.job
    if row.state == "working":
        hint = f"Wait for it, or stop it and review what is done: spark jobs stop {job.id}"
        raise Refused(f"job {job.id} is still running", hint=hint)
    if not row.hunks:
        why = f": {', '.join(failed)}" if (failed := job_status.failures(job)) else ""
        hint = f"Its outcome: spark jobs show {job.id}"
        raise NothingToDo(f"job {job.id} left nothing to review{why}", hint=hint)
    if on_terminal() and not as_json:
        become_workbench(root, job.session)
    backend: Backend = JobDiffBackend()
    session = Session(root, backend, Settings(), state, session_id=job.session)
    try:
        hunks = session.decisions.offered()
        if not hunks:
            raise NothingToDo(f"every hunk of job {job.id} has been decided")
        if not as_json:
            write_exactly(session.decisions.patch([hunk.id for hunk in hunks]))
            return 0
        for hunk in hunks:
            print(json.dumps(events.to_dict(hunk.closed())))
    finally:
        session.close()
    return 0


def _drop(state: Path, row: ListedJob, *, sure: bool) -> None:
    job = row.job
    if row.state == "working":
        raise Refused(f"job {job.id} is still running", hint=f"Stop it first: spark jobs stop {job.id}")
    if row.open and not sure:
        many = "1 hunk" if row.open == 1 else f"{row.open} hunks"
        question = f"Drop job {job.id} with {many} not yet written?"
        confirm(question, f"job {job.id} has {many} not yet written", "nothing was dropped")
    with SessionIndex(state) as store:
        store.refresh()
        # What was written can be undone, so its session stays.
        written = {"applied", "undone"} & set(store.hunk_states(job.session))
        if not written and any(session.id == job.session for session in store.sessions()):
            store.delete(job.session)
    shutil.rmtree(row.folder, ignore_errors=True)
