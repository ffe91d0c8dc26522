"""List the files of a tree that a user may want to name."""

from __future__ import annotations

import os
from pathlib import Path

from spark_tui.workspace.git import GitFailed, git

MOST_FILES = 50_000
_SKIPPED = {"__pycache__", "node_modules", ".venv", "venv", "build", "dist"}


def list_files(root: Path) -> list[str]:
    """Tracked and untracked files that git does not ignore, sorted; outside git, all that are not hidden. At
    most `MOST_FILES`."""
    try:
        out = git(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate")
    except GitFailed:
        return _walk(root)
    names = (name.decode("utf-8", "surrogateescape") for name in out.split(b"\0") if name)
    return sorted(names)[:MOST_FILES]


def _walk(root: Path) -> list[str]:
    found: list[str] = []
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in _SKIPPED)
        found.extend(
            (Path(folder) / name).relative_to(root).as_posix() for name in names if not name.startswith(".")
        )
        if len(found) >= MOST_FILES:
            break
    return sorted(found[:MOST_FILES])
