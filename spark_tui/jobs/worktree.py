"""Creates and removes the worktree of a job, with the files as the person has them.

The person's index, HEAD, branches, stash and config stay as they are; no hook and no filter runs.
"""

from __future__ import annotations

from pathlib import Path

from spark_tui.errors import NoPlace, Refused
from spark_tui.session.storage.journal import cannot_keep
from spark_tui.workspace import repository, worktrees
from spark_tui.workspace.repository import Repository
from spark_tui.workspace.worktrees import remove

__all__ = ["make", "remove", "require_job_repository"]


def require_job_repository(directory: Path, jobs: Path) -> Repository:
    """The repository around a folder. Raises where a job cannot start from it. `jobs`: the folder that holds
    the worktrees of jobs."""
    found = repository.require_repository(directory)
    if found.root.resolve().is_relative_to(jobs.resolve()):
        hint = "Start it in your own working tree."
        raise Refused(
            "this is the worktree of a job and is removed with it", where=str(found.root), hint=hint
        )
    if found.unborn:
        hint = 'Commit something first: git add -A && git commit -m "Start"'
        raise NoPlace(
            "a job needs a commit to start from, and there is none yet", where=str(found.root), hint=hint
        )
    if not found.writable:
        raise Refused("a job needs a worktree, and the repository is not writable", where=str(found.git_dir))
    return found


def make(found: Repository, tree: Path) -> list[str]:
    """Create a worktree as `workspace.worktrees.make` does. Raises NoPlace where the disk is full."""
    try:
        return worktrees.make(found.root, tree)
    except OSError as error:
        raise cannot_keep(error, tree) from error
