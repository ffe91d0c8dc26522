"""Ends jobs whose worker was killed or whose machine was switched off."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from spark_tui.errors import SparkError
from spark_tui.jobs import job as jobs
from spark_tui.jobs.handoff import hand_over


def end_orphans(state: Path) -> list[str]:
    """End the jobs that no process works on; their hunks come back for review. Returns a line for each."""
    if not jobs.jobs_dir(state).is_dir():
        return []
    said = [_end_orphan(folder) for folder in jobs.folders(state) if not _is_ended(folder)]
    return [words for words in said if words]


def _is_ended(folder: Path) -> bool:
    try:
        job = jobs.read(folder)
    except SparkError:
        return False
    return job.over and not job.tree


def _end_orphan(folder: Path) -> str:
    with jobs.exclusive(folder.parent.parent):
        claim = jobs.take_claim(folder)
    if claim is None:
        return ""
    try:
        if not (folder / "job.json").exists():
            # The process was killed before it had written the job.
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
