"""Reads the current state of a session's tree."""

from __future__ import annotations

import contextlib
import stat
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path

from spark_tui.errors import SparkError
from spark_tui.workspace import repository
from spark_tui.workspace.files import FileText, Tree, Unsaved


class TreeReader:
    """Gives readings of one tree. A reading caches what it was asked for: each turn takes a fresh one."""

    def __init__(self, root: Path, most_bytes: Callable[[], int]) -> None:
        """`most_bytes`: how large a file may be now."""
        self.root = root
        self._most_bytes = most_bytes
        self.as_read: Mapping[str, FileText | None] = {}
        """Files that `fresh` gives as they were, not as they are. What changed since is merged on write."""
        self.unsaved: Unsaved | None = None
        """Gives a file as an editor has it, for all others that `fresh` reads."""
        self._head_files: list[Path] = []
        self._head: list[tuple[int, int]] = []
        self._looked_at: dict[str, tuple[tuple[int, int, int] | None, set[int]]] = {}
        """The files that `written_files` was last asked about: their stamps and hunks then."""
        self._begun = time.time_ns()

    def fresh(self) -> Tree:
        """A reading for the next turn."""
        self._begun = time.time_ns()
        return Tree(self.root, most_bytes=self._most_bytes(), known=self.as_read, unsaved=self.unsaved)

    def with_files(self, known: Mapping[str, FileText | None]) -> Tree:
        """A reading in which these files have this content."""
        return Tree(self.root, most_bytes=self._most_bytes(), known=known)

    def now(self, path: str) -> FileText | None:
        """The file on disk; None if it does not exist."""
        return self.with_files({}).now(path)

    def read_lines(self, path: str) -> Sequence[str] | None:
        """The lines of the file on disk; None if it does not exist."""
        return self.with_files({}).read_lines(path)

    def stamp(self, path: str) -> tuple[int, int, int] | None:
        """What changes when the file does, or what a link points to; None where there is none."""
        try:
            found = (self.root / path).stat()
        except OSError:
            return None
        return found.st_mtime_ns, found.st_size, found.st_ino

    def read_only(self, paths: Iterable[str]) -> list[str]:
        """Those of the files that are there and that nobody may write."""
        return sorted(path for path in paths if is_read_only(self.root / path))

    def written_files(self, hunks: Mapping[str, Collection[int]]) -> set[str]:
        """Those of the files that changed on disk since the last call; one of which it did not name all of
        these hunks, since the last turn began to read."""
        before = self._looked_at
        self._looked_at = {path: (self.stamp(path), set(ids)) for path, ids in hunks.items()}
        written = set()
        for path, (stamp, ids) in self._looked_at.items():
            then, known = before.get(path, (stamp, set()))
            if then != stamp or (ids - known and stamp is not None and stamp[0] > self._begun):
                written.add(path)
        return written

    def branch(self) -> str:
        """Branch and state in a few words; empty outside of git."""
        found = repository.find_repository(self.root)
        self._head_files = [found.git_dir / "HEAD", found.git_dir / "logs" / "HEAD"] if found else []
        return found.place if found else ""

    def head_moved(self) -> bool:
        """Whether git wrote another branch or commit since the last call; known once `branch` was called."""
        before, self._head = self._head, []
        for path in self._head_files:
            with contextlib.suppress(OSError):
                found = path.stat()
                self._head.append((found.st_mtime_ns, found.st_ino))
        return self._head != before

    def dirty(self) -> bool:
        """Whether git sees uncommitted changes; False outside of git."""
        found = repository.find_repository(self.root)
        return bool(found and repository.dirty(found))


def same_file(tree: Tree, other: Tree, path: str) -> bool:
    """Whether two readings found the same content."""
    try:
        mine, theirs = tree.file(path), other.file(path)
    except SparkError:
        return False
    if mine is None or theirs is None:
        return mine is theirs
    return mine.data == theirs.data


def is_read_only(path: Path) -> bool:
    """Whether a write of this file is refused; a missing one is written."""
    return path.exists() and not stat.S_IMODE(path.stat().st_mode) & 0o222
