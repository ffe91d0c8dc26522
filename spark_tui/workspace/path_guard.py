"""Keep every path inside the root: the only place where a path from a model becomes a place on the disk.

A `CheckedPath` is an open folder and a name in it, with no link left to follow.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from spark_tui.errors import IsFolder, Refused
from spark_tui.workspace.disk import open_folder, status

_MOST_LINKS = 20
_DRIVE = re.compile(r"[A-Za-z]:[/\\]")
_IGNORED_BY_HFS = dict.fromkeys(
    [*range(0x200C, 0x2010), *range(0x202A, 0x202F), *range(0x206A, 0x2070), 0xFEFF], None
)


@dataclass(frozen=True, slots=True)
class CheckedPath:
    """`name` in the folder `folder_fd` (-1: the folder is not there yet), and the real path relative to the
    root."""

    path: str
    """As it was asked for."""
    real: str
    """Links followed; this is what is read and written."""
    folder_fd: int
    name: str


def checked_parts(path: str) -> tuple[str, ...]:
    """The parts of a relative path. Raises Refused for anything that could lead elsewhere."""
    shown = path or "(no path)"
    if not path or "\0" in path or path.startswith("/") or "\\" in path or _DRIVE.match(path):
        raise Refused("this is not a path inside the tree", where=shown, hint="Use a relative path with '/'.")
    if path.endswith("/"):
        raise Refused("this names a folder", where=shown)
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        raise Refused("this path is not valid text", where=ascii(path)) from None
    parts = tuple(part for part in path.split("/") if part not in ("", "."))
    if ".." in parts or not parts:
        raise Refused("this path leads out of the tree", where=shown)
    for part in parts:
        if is_git_folder(part):
            raise Refused("spark does not change files under .git", where=shown)
        if len(os.fsencode(part)) > 255:
            raise Refused("a name in this path is too long", where=shown)
    return parts


def is_git_folder(part: str) -> bool:
    """`.git`, also as other file systems would read it: any case, ignored characters, trailing dots,
    `git~1`."""
    plain = part.translate(_IGNORED_BY_HFS).rstrip(" .").split(":", 1)[0].casefold()
    return plain in (".git", "git~1")


@contextmanager
def check_path(root: Path, path: str, *, follow: bool = True) -> Iterator[CheckedPath]:
    """Open the folder that really contains the path, link by link, never leaving the root."""
    walker = _Walker(root, path, follow)
    try:
        yield walker.walk()
    finally:
        os.close(walker.fd)


class _Walker:
    """Steps from the root to the folder of one path, one open folder at a time."""

    def __init__(self, root: Path, path: str, follow: bool) -> None:
        self.root = root
        self.follow = follow
        self.path = path
        self.pending = list(checked_parts(path))
        self.done: list[str] = []
        self.links = 0
        self.fd = self._root()

    def _root(self) -> int:
        try:
            return open_folder(self.root)
        except OSError as error:
            raise Refused(f"cannot open the root: {error.strerror}", where=str(self.root)) from None

    def walk(self) -> CheckedPath:
        while len(self.pending) > 1 or self.pending[0] == ".." or self._leads_on(self.pending[0]):
            name = self.pending.pop(0)
            if name == "..":
                self._up()
            elif self._is_link(name):
                self._follow(name)
            elif self._status(name) is not None:
                self._enter(name)
            else:
                real = "/".join([*self.done, name, *self.pending])
                return CheckedPath(self.path, real, -1, self.pending[-1])
            if not self.pending:
                raise IsFolder("this is a folder", where=self.path)
        return CheckedPath(self.path, "/".join([*self.done, self.pending[0]]), self.fd, self.pending[0])

    def _leads_on(self, name: str) -> bool:
        return self.follow and self._is_link(name)

    def _is_link(self, name: str) -> bool:
        found = self._status(name)
        return found is not None and stat.S_ISLNK(found.st_mode)

    def _status(self, name: str) -> os.stat_result | None:
        try:
            return status(self.fd, name)
        except OSError as error:
            raise Refused(f"cannot follow the path: {error.strerror}", where=self.path) from None

    def _enter(self, name: str) -> None:
        flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
        try:
            inner = os.open(name, flags, dir_fd=self.fd)
        except NotADirectoryError:
            raise Refused("a part of this path is a file, not a folder", where=self.path) from None
        except OSError as error:
            raise Refused(f"cannot open the folder: {error.strerror}", where=self.path) from None
        os.close(self.fd)
        self.fd = inner
        self.done.append(name)

    def _up(self) -> None:
        if not self.done:
            raise Refused("a link points outside the tree", where=self.path)
        self._restart(self.done[:-1])

    def _restart(self, parts: list[str]) -> None:
        """Back to the root, and down to where these parts (no links) lead."""
        os.close(self.fd)
        self.fd, self.done = self._root(), []
        for part in parts:
            self._enter(part)

    def _follow(self, name: str) -> None:
        self.links += 1
        if self.links > _MOST_LINKS:
            raise Refused("the links form a loop", where=self.path)
        target = os.readlink(name, dir_fd=self.fd)
        if target.startswith("/"):
            target = self._inside(target)
            self._restart([])
        parts = [part for part in PurePosixPath(target).parts if part != "."]
        if any(is_git_folder(part) for part in parts):
            raise Refused("spark does not change files under .git", where=self.path)
        self.pending[:0] = parts

    def _inside(self, target: str) -> str:
        """An absolute link, as a path from the root."""
        base = os.path.realpath(self.root)
        if target == base or target.startswith(base.rstrip("/") + "/"):
            return target[len(base) :].lstrip("/")
        raise Refused("a link points outside the tree", where=self.path, hint=f"It points to {target}.")
