"""Looks at the files of a tree again: at all of them, or at what was touched since the last look."""

from __future__ import annotations

import os
import stat
import threading
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from spark_tui.context.ignore_rules import NAME, ReadLines, ignore_rules_of, is_allowed
from spark_tui.errors import SparkError
from spark_tui.pysource.files.tree import Paths
from spark_tui.workspace.file_listing import listing
from spark_tui.workspace.folder_watch import FolderWatch
from spark_tui.workspace.repository import Repository, find_repository, ignore_sources, ignored

_SETTLED_NS = 2_000_000_000
"""A file that was written less than so long ago may change again without another time on the disk."""
_RULES = (NAME, ".gitignore", ".git")


@dataclass(frozen=True)
class Look:
    """What was found."""

    paths: Paths
    is_cut: bool
    stamps: dict[str, object] = field(default_factory=dict)
    """The stat data of what is there and will not change without changing them."""
    unsure: frozenset[str] = frozenset()
    """Files that were written a moment ago, or may be written by another name that they have."""
    other_repositories: Sequence[str] = ()
    """Folders in which git has a repository of its own: what is in them is not listed."""


def look_at(root: Path, read_lines: ReadLines, named: Collection[str], only: Collection[str]) -> Look:
    """Look at some files."""
    return _look(root, *listing(root, named), read_lines, only)


def _look(
    root: Path, listed: list[str], is_cut: bool, read_lines: ReadLines, only: Collection[str] | None = None
) -> Look:
    allowed = is_allowed(listed, ignore_rules_of(read_lines, listed))
    settled = time.time_ns() - _SETTLED_NS
    found, stamps, unsure, others = list[str](), dict[str, object](), set[str](), list[str]()
    folder = f"{root}/"
    for path in allowed if only is None else filter(only.__contains__, allowed):
        try:
            status = os.lstat(folder + path)
        except (OSError, ValueError):
            found.append(path)
            continue
        if (stamp := _stamp(status, settled)) is not None:
            stamps[path] = stamp
        if stat.S_ISDIR(status.st_mode):
            others.append(path.rstrip("/"))
        elif stat.S_ISLNK(status.st_mode):
            if path.endswith(NAME):  # what it leads to is read
                unsure.add(path)
        else:
            found.append(path)
            if stamp is None or status.st_nlink > 1:
                unsure.add(path)
    return Look(Paths(found), is_cut, stamps, frozenset(unsure), others)


def _stamp(status: os.stat_result, settled: int) -> object:
    if (changed := status.st_mtime_ns) > settled or (moved := status.st_ctime_ns) > settled:
        return None
    return changed, moved, status.st_size, status.st_ino, status.st_dev


class Looks:
    """All looks at one tree. From the second one on a repository is watched, where that can be."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._lock = threading.Lock()
        self._last: Look | None = None
        self._watch: FolderWatch | None = None
        self._repository: Repository | None = None
        self._outside: list[Path] = []
        self._folders: set[str] = set()
        self._rules: object = None

    def look(self, read_lines: ReadLines, named: Collection[str] = ()) -> Look:
        """Those that are `named` are found also where not all files are listed."""
        with self._lock:
            try:
                found = self._again()
                self._last = found if found is not None else self._at_all(read_lines, named)
            except BaseException:
                self._disarm()  # what was told is lost
                raise
            return self._last

    def _again(self) -> Look | None:
        """The last look with what was touched since; None where files came or went."""
        last, watch = self._last, self._watch
        if last is None or watch is None or self._rules != self._rules_now():
            return None
        touched = watch.touched()
        if touched is None:
            return None
        if any(path.rpartition("/")[2] in _RULES for path in (*touched, *last.unsure)):
            return None
        for path, came in touched.items():
            there = path in last.stamps or (came and os.path.lexists(self.root / path))
            if there and path not in last.paths:  # a link that was there, or what is new
                return None
        again = last.unsure.union(last.paths.as_set.intersection(touched))
        if not again:
            return last
        stamps, unsure, settled = last.stamps.copy(), set[str](), time.time_ns() - _SETTLED_NS
        for path in again:
            try:
                status = os.lstat(self.root / path)
            except OSError:
                return None
            if not stat.S_ISREG(status.st_mode):
                return None
            stamps.pop(path, None)
            if (stamp := _stamp(status, settled)) is not None:
                stamps[path] = stamp
            if stamp is None or status.st_nlink > 1:
                unsure.add(path)
        return replace(last, stamps=stamps, unsure=frozenset(unsure))

    def _at_all(self, read_lines: ReadLines, named: Collection[str]) -> Look:
        watched = self._last is not None and self._arm(self._folders)
        listed, is_cut = listing(self.root, named)
        if self._last is not None and (folders := self._folders_of(listed)) != self._folders:
            watched = self._arm(folders)
            # What came into a folder before it was watched.
            listed, is_cut = listing(self.root, named)
            watched = watched and self._folders_of(listed) == folders
        if not watched:
            self._disarm()
        return _look(self.root, listed, is_cut, read_lines)

    def _arm(self, folders: set[str]) -> bool:
        self._disarm()
        self._folders, self._rules = folders, self._rules_now()
        try:
            self._watch = FolderWatch(self.root, sorted(folders)) if folders else None
        except OSError:
            return False
        return self._watch is not None

    def _disarm(self) -> None:
        if self._watch is not None:
            self._watch.close()
            self._watch = None

    def _rules_now(self) -> object:
        """The times of what git lists files by and that is in no folder of the tree."""
        repo, above = self._repository, self.root
        if repo is None:
            return None
        read = [repo.git_dir / "index", *self._outside]
        while above not in (repo.root, above.parent):
            above = above.parent
            read.append(above / ".gitignore")
        return [_time_of(one) for one in read]

    def _folders_of(self, listed: Sequence[str]) -> set[str]:
        """All folders in which a file would be listed, empty ones too; none outside of git."""
        try:
            self._repository = repo = find_repository(self.root)
            self._outside = [] if repo is None else ignore_sources(repo)
            return set() if repo is None else _with_empty(self.root, listed, repo)
        except (OSError, SparkError):
            return set()


def _time_of(path: Path) -> object:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


def _with_empty(root: Path, listed: Sequence[str], repo: Repository) -> set[str]:
    every, found = {path.rstrip("/") for path in listed}, {""}
    for path in every:
        while (path := path.rpartition("/")[0]) not in found:
            found.add(path)
    to_look = sorted(found)
    while to_look:
        inside = list[str]()
        for folder in to_look:
            try:
                with os.scandir(root / folder) as items:
                    folders = [one.name for one in items if one.is_dir(follow_symlinks=False)]
            except FileNotFoundError:
                found.discard(folder)
                continue
            inside += [f"{folder}/{name}" if folder else name for name in folders if name != ".git"]
        found.update(every.intersection(inside))  # a repository inside, which may cease to be one
        new = [path for path in inside if path not in found]
        out = ignored(replace(repo, root=root), new)
        to_look = [path for path in new if path not in out]
        found.update(to_look)
    return found
