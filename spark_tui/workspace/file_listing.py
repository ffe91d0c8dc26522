"""The files of a tree that a user may want to name, and which of them changed since the last look."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Sequence
from pathlib import Path

from spark_tui.errors import NoPlace
from spark_tui.workspace.git import GitFailed, git, is_installed

MOST_FILES = 50_000
"""Outside of git, where the folder may be anything, up to a whole disk."""
MOST_CODE = 2_000
"""Files of Python among them: each is parsed before anything is answered, which takes milliseconds."""
_SKIPPED = {"__pycache__", "node_modules", ".venv", "venv", "build", "dist"}


def list_files(root: Path) -> list[str]:
    """Tracked and untracked files that git does not ignore, sorted; outside git or without it, all that are
    not hidden, at most `MOST_FILES`, and `MOST_CODE` of Python."""
    return listing(root)[0]


def listing(root: Path, named: Collection[str] = ()) -> tuple[list[str], bool]:
    """The same, and whether there are more files than are listed. Those that are `named`, by the end of their
    paths, are listed wherever the walk finds them."""
    if not is_installed():
        return _walk(root, named)
    try:
        return sorted(unignored(root)), False
    except GitFailed:
        return _walk(root, named)


def files_with_words(root: Path, words: Sequence[str]) -> list[str]:
    """The files that git does not ignore and that have one of the words; outside of git none."""
    named = [part for word in words for part in ("-e", word)]
    try:
        out = git(root, "grep", "-lIwFz", "--untracked", *named, fine=(0, 1)) if words else b""
    except (GitFailed, NoPlace):
        return []
    return [name for name in os.fsdecode(out).split("\0") if name]


def unignored(root: Path) -> list[str]:
    """Tracked and untracked files that git does not ignore. Raises GitFailed outside of a repository."""
    listing = git(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate")
    return [name for name in os.fsdecode(listing).split("\0") if name]


def _walk(root: Path, named: Collection[str]) -> tuple[list[str], bool]:
    found: list[str] = []
    looked, code, is_cut = 0, 0, False
    ends = tuple(f"/{name}" for name in named)
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in _SKIPPED)
        here = Path(folder).relative_to(root)
        paths = [(here / name).as_posix() for name in names if not name.startswith(".")]
        found += [path for path in paths if f"/{path}".endswith(ends)] if is_cut else paths
        looked += len(names)
        code += sum(name.endswith(".py") for name in names)
        if not is_cut and (len(found) > MOST_FILES or code > MOST_CODE):
            is_cut, found = True, found[:MOST_FILES]
            ends = tuple(end for end in ends if not any(f"/{path}".endswith(end) for path in found))
        if is_cut and (looked > MOST_FILES or not ends):
            break
    beyond = (name for name in named if is_cut and _is_there(root.resolve(), name))
    return sorted({*found, *beyond}), is_cut


def _is_there(root: Path, name: str) -> bool:
    """Whether a file is in a folder, behind no link, and has this name."""
    try:
        return (root / name).is_file() and str((root / name).resolve()) == f"{root}/{name}"
    except (OSError, ValueError):  # one that is too long, or in a folder that may not be entered
        return False


FileTimes = dict[str, tuple[int, int]]


def file_times(root: Path) -> FileTimes:
    """The time and size of each file that git does not ignore; a file that is gone has none."""
    found: FileTimes = {}
    for path in list_files(root):
        try:
            status = os.lstat(root / path)
        except OSError:
            continue
        found[path] = (status.st_mtime_ns, status.st_size)
    return found


def changed_files(before: FileTimes, after: FileTimes) -> list[str]:
    """Files that were written, made or removed."""
    changed = {path for path, state in after.items() if before.get(path) != state}
    return sorted(changed | (before.keys() - after.keys()))


def file_stamp(root: Path, path: str) -> object:
    """What changes when a file does; None where there is none. The target of a link is stamped under its own
    name."""
    try:
        status = (root / path).lstat()
    except OSError:
        return None
    return None if stat.S_ISLNK(status.st_mode) else (status.st_mtime_ns, status.st_size)
