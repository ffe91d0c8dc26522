"""Ends the jobs that nobody works on any more: killed workers, machines that were switched off.

Comes in: a repository's state folder. Goes out: what was found, in words. Must not know: how jobs work.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from spark_tui.errors import SparkError
from spark_tui.jobs import job as jobs
from spark_tui.jobs.handoff import hand_over


def end_orphans(state: Path) -> list[str]:
    """End what no living process owns; what it had done comes back for review as if it had been stopped."""
    if not jobs.jobs_dir(state).is_dir():
        return []
    said = [_swept(folder) for folder in jobs.folders(state) if not _settled(folder)]
    return [words for words in said if words]


def _settled(folder: Path) -> bool:
    try:
        job = jobs.read(folder)
    except SparkError:
        return False
    return job.over and not job.tree


def _swept(folder: Path) -> str:
    with jobs.exclusive(folder.parent.parent):
        claim = jobs.take_claim(folder)
    if claim is None:
        return ""
    try:
        if not (folder / "job.json").exists():
            # Killed before it was a job.
            shutil.rmtree(folder, ignore_errors=True)
            return ""
        job = jobs.read(folder)
        was_over = job.over
        hand_over(folder, job, "killed")
        if was_over:
            return ""
        came = "what it had done is ready for review" if job.session else "it had done nothing"
        return (
            f"job {job.id} was killed after {job.settled} of {len(job.tasks)}; {came}, its worktree is"
            " removed"
        )
    except SparkError as error:
        return f"job {folder.name} cannot be ended: {error}"
    finally:
        os.close(claim)
