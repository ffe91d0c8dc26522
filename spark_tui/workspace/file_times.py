"""Tells which files of a tree changed since the last look, by their modification times and sizes."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from spark_tui.workspace.file_listing import list_files

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
