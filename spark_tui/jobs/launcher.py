"""Starts a job: its worktree, its folder, and a process that outlives the terminal."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

from spark_tui.config import paths
from spark_tui.errors import NoPlace, Refused
from spark_tui.jobs import job as jobs
from spark_tui.jobs.handoff import hand_over, snapshots_of
from spark_tui.jobs.job import Job
from spark_tui.session.storage.journal import cannot_keep
from spark_tui.workspace import repository, worktrees
from spark_tui.workspace.repository import Repository

_BEGIN = (
    "import os, sys; os.fork() and os._exit(0); "
    "import json, pathlib; sys.path[:] = json.loads(sys.argv[3]); "
    "from spark_tui.jobs.worker import main; sys.exit(main(pathlib.Path(sys.argv[1]), int(sys.argv[2])))"
)
"""Runs the worker detached, with the import path of this process and without the current folder."""


def start_job(directory: Path, wanted: Job) -> Path:
    """Start a job and return its folder. `wanted` has the instructions and limits; the places are filled in
    here."""
    found = _require_repository(directory)
    folder, claim = jobs.new_folder(paths.repository_state_dir(found.root))
    try:
        # Named like the person's folder: some programs use that name.
        tree = folder / "tree" / (found.root.name or "root")
        within = directory.resolve().relative_to(found.root.resolve()).as_posix()
        root, began = str(found.root), time.time()
        job = replace(wanted, id=folder.name, root=root, within=within, began=began, tree=str(tree))
        jobs.write(folder, job)
        try:
            carried = worktrees.make(found.root, tree)
            exclude = found.common_dir / "info" / "exclude"
            job.start = job.kept = snapshots_of(folder, job).begin(carried, exclude)
            jobs.write(folder, job)
            _spawn(folder, claim)
        except BaseException:
            # It never started, so there is nothing to list.
            hand_over(folder, job, "failed")
            shutil.rmtree(folder, ignore_errors=True)
            raise
    except OSError as error:
        raise cannot_keep(error, folder) from error
    finally:
        os.close(claim)
    return folder


def _require_repository(directory: Path) -> Repository:
    """The repository around a folder. Raises where a job cannot start from it."""
    found = repository.require_repository(directory)
    root = str(found.root)
    if found.root.resolve().is_relative_to(paths.state_dir().resolve()):
        what = "this is the worktree of a job and is removed with it"
        raise Refused(what, where=root, hint="Start it in your own working tree.")
    if found.unborn:
        what = "a job needs a commit to start from, and there is none yet"
        raise NoPlace(what, where=root, hint='Commit something first: git add -A && git commit -m "Start"')
    if not found.writable:
        what = "a job needs a worktree, and the repository is not writable"
        raise Refused(what, where=str(found.git_dir), hint="Check its owner and permissions.")
    return found


def _spawn(folder: Path, claim: int) -> None:
    """Start the worker, which inherits the claim: it is never free in between."""
    where = json.dumps([path for path in sys.path if path])
    with (folder / "log").open("wb") as log:
        subprocess.run(
            [sys.executable, "-P", "-c", _BEGIN, str(folder), str(claim), where],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            pass_fds=(claim,),
            start_new_session=True,
            check=False,  # a worker that cannot start holds no claim, which shows it
        )


def wait_until_it_works(folder: Path, seconds: float) -> Job:
    """Wait until the model of a job is open or the job has ended, for `seconds` at most. Returns the job."""
    until = time.monotonic() + seconds
    while True:
        claimed = jobs.is_claimed(folder)
        job = jobs.read(folder)
        if job.phase != "starting" or not claimed or time.monotonic() > until:
            return job
        time.sleep(0.02)


def stop_job(folder: Path, seconds: float) -> bool:
    """Ask the worker to end; what is done comes back for review. Returns whether it ended in time."""
    until = time.monotonic() + seconds
    asked = False
    while jobs.is_claimed(folder):
        pid = jobs.read(folder).pid
        # The claim is held, so the process that wrote its number lives.
        if pid and not asked:
            os.kill(pid, signal.SIGTERM)
            asked = True
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True
