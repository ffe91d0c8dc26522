"""The worktree of a job: made beside the person's own, with what they see in it, and taken away again.

Comes in: the person's repository, a private folder. Goes out: a worktree and the paths in it. Must not know:
jobs, models. The person's index, head, branches, stash and config stay as they are; no hook and no filter
runs.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
from pathlib import Path

from spark_tui.errors import NoPlace, Refused, SparkError
from spark_tui.session.journal import cannot_keep
from spark_tui.workspace import repository
from spark_tui.workspace.git import git
from spark_tui.workspace.repository import Repository


def need_repository(directory: Path, jobs: Path) -> Repository:
    """The repository around a folder, if a worktree can be made of it. `jobs`: where worktrees of jobs
    lie."""
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
    """A worktree at HEAD with the files as the person has them, uncommitted changes and new files too; and
    its paths.

    Files are copied, not checked out: what the person sees is what counts, to the byte. What lies in
    submodules, and what git ignores, stays out.
    """
    try:
        tree.parent.mkdir(parents=True, exist_ok=True)
        git(found.root, "worktree", "add", "--quiet", "--no-checkout", "--detach", str(tree), "HEAD")
        git(tree, "read-tree", "HEAD")
        listing = git(
            found.root, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"
        )
        paths = [os.fsdecode(name) for name in listing.split(b"\0") if name]
        return [path for path in paths if _copied(found.root / path, tree / path)]
    except OSError as error:
        raise cannot_keep(error, tree) from error


def _copied(source: Path, target: Path) -> bool:
    """Whether it was a file or a link: neither a submodule nor something that is gone."""
    try:
        mode = source.lstat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return False
    if not (stat.S_ISREG(mode) or stat.S_ISLNK(mode)):
        return False
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(source, target, follow_symlinks=False)
    return True


def remove(root: Path, tree: Path) -> None:
    """Take it away, and what git knows of it. Nothing is said where it is gone already."""
    with contextlib.suppress(
        SparkError
    ):  # a repository that was moved or deleted knows nothing of it any more
        git(root, "worktree", "remove", "--force", "--force", str(tree))
    if tree.exists():
        shutil.rmtree(tree, onerror=_anyway)
        with contextlib.suppress(SparkError):
            git(root, "worktree", "remove", "--force", "--force", str(tree))


def _anyway(_function: object, path: str, _error: object) -> None:
    """A check may leave folders behind that nobody may write to."""
    with contextlib.suppress(OSError):
        parent = Path(path).parent
        parent.chmod(0o700)
        if Path(path).is_dir() and not Path(path).is_symlink():
            Path(path).chmod(0o700)
            shutil.rmtree(path, ignore_errors=True)
        else:
            Path(path).unlink()
