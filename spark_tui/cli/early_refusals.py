"""What `spark exec` refuses before the model is asked."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from spark_tui.errors import NoPlace, Refused
from spark_tui.workspace.files import Tree
from spark_tui.workspace.git import check_installed
from spark_tui.workspace.repository import find_repository


def check_readable(root: Path, files: Sequence[str], most_bytes: int) -> None:
    """A file that was named and cannot be shown is refused: an answer without it is to another question."""
    tree = Tree(root, most_bytes=most_bytes)
    for path in files:
        tree.read_lines(path)


def check_commit(root: Path) -> None:
    """Refuse early what could not be committed, so that it is not written either."""
    check_installed()
    found = find_repository(root)
    if found is None:
        hint = "Run git init first, or use --apply instead of --commit."
        raise NoPlace("this is not a git repository", where=str(root), hint=hint)
    if not found.writable:
        hint = "Check its owner and permissions, or use --apply instead of --commit."
        raise Refused("the repository is not writable", where=str(found.git_dir), hint=hint)
    if found.underway:
        raise Refused(f"a {found.underway} is in progress", where=str(root), hint="Finish or abort it first.")
