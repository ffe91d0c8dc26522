"""Worktrees with the files as the person has them, for commands that must not touch the person's own.

The person's index, HEAD, branches, stash and config stay as they are; no hook and no filter runs.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
from pathlib import Path

from spark_tui.errors import Refused, SparkError
from spark_tui.workspace.file_listing import unignored
from spark_tui.workspace.git import git


def make(root: Path, tree: Path) -> list[str]:
    """Create a worktree at HEAD with the files as the person has them, uncommitted changes and new files too.
    Returns its paths.

    Files are copied, not checked out, so they are the same to the byte. Submodules and ignored files are left
    out.
    """
    begin(root, tree)
    return [path for path in unignored(root) if copy(root / path, tree / path)]


def begin(root: Path, tree: Path) -> None:
    """An empty worktree at HEAD."""
    tree.parent.mkdir(parents=True, exist_ok=True)
    git(root, "worktree", "add", "--quiet", "--no-checkout", "--detach", str(tree), "HEAD")
    git(tree, "read-tree", "HEAD")


def copy(source: Path, target: Path) -> bool:
    """Copy a file or a link. Returns False for a submodule, or a file that is gone. Raises Refused for a file
    that may not be read."""
    try:
        mode = source.lstat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return False
    if not (stat.S_ISREG(mode) or stat.S_ISLNK(mode)):
        return False
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        shutil.copy2(source, target, follow_symlinks=False)
    except PermissionError as error:
        hint = "Check its permissions."
        raise Refused("this file cannot be copied", where=str(source), hint=hint) from error
    return True


def remove(root: Path, tree: Path) -> bool:
    """Remove a worktree, and its entry in git. Does nothing where it is gone already. Returns False where the
    repository cannot be written, and keeps the entry."""
    # A repository that was moved or deleted knows nothing of it any more.
    with contextlib.suppress(SparkError):
        git(root, "worktree", "remove", "--force", "--force", str(tree))
    if tree.exists():
        shutil.rmtree(tree, onerror=_anyway)
        with contextlib.suppress(SparkError):
            git(root, "worktree", "remove", "--force", "--force", str(tree))
    try:
        known = git(root, "worktree", "list", "--porcelain")
    except SparkError:
        return True
    return b"worktree %b\n" % os.fsencode(tree.resolve()) not in known


def _anyway(_function: object, path: str, _error: object) -> None:
    """Remove a path whose folder is read-only: a check may leave such folders."""
    with contextlib.suppress(OSError):
        Path(path).parent.chmod(0o700)
        if Path(path).is_dir() and not Path(path).is_symlink():
            Path(path).chmod(0o700)
            shutil.rmtree(path, ignore_errors=True)
        else:
            Path(path).unlink()
