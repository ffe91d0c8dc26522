"""Every operation that changes the disk, in one small class, so that tests can fail or kill each of them."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from spark_tui.errors import FULL, NoPlace, Refused, SparkError, is_full, remedy
from spark_tui.workspace.daemon_threads import in_daemon

BeforeStep = Callable[[str, str], None]
"""Called with an operation and a name before it happens."""


_MOST_TOGETHER = 64
"""Files that are open at a time to be synced."""


class Disk:
    """File operations, each announced first. Names are relative to an open folder."""

    def __init__(self, before: BeforeStep = lambda *_: None) -> None:
        self.before = before
        self._waiting: dict[tuple[int, int], int] | None = None
        """Open files and folders that are to be synced together, by device and number."""

    @contextlib.contextmanager
    def synced_together(self) -> Iterator[None]:
        """Sync what is written inside at its end, side by side: file systems write many files in the time of
        one, and a folder counts once. Raises OSError where a file cannot be synced."""
        self._waiting = {}
        try:
            yield
            self._sync_waiting()
        finally:
            waiting, self._waiting = self._waiting, None
            for fd in waiting.values():
                os.close(fd)

    def _sync(self, fd: int) -> None:
        if self._waiting is None:
            _sync_one(fd)
            return
        found = os.fstat(fd)
        if (key := (found.st_dev, found.st_ino)) not in self._waiting:
            self._waiting[key] = os.dup(fd)
        if len(self._waiting) >= _MOST_TOGETHER:
            self._sync_waiting()

    def _sync_waiting(self) -> None:
        waiting = self._waiting or {}
        tasks = [in_daemon(partial(_sync_one, fd), "sync") for fd in [*waiting.values()][1:]]
        try:
            for fd in [*waiting.values()][:1]:
                _sync_one(fd)
        finally:
            errors = [task.exception() for task in tasks]
        for fd in waiting.values():
            os.close(fd)
        waiting.clear()
        for error in filter(None, errors):
            raise error

    def write_new(
        self, folder_fd: int, name: str, data: bytes, mode: int, like: os.stat_result | None = None
    ) -> None:
        """Create a file, complete and synced, with exact permission bits. Fails where the name exists."""
        self.before("create", name)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        fd = os.open(name, flags, 0o600, dir_fd=folder_fd)
        try:
            self.before("write", name)
            view = memoryview(data)
            while view:
                view = view[os.write(fd, view) :]
            if like is not None:
                _give_to(fd, like)
            self.before("chmod", name)
            os.fchmod(fd, mode)
            self.before("fsync", name)
            self._sync(fd)
        finally:
            os.close(fd)

    def make_link(self, folder_fd: int, name: str, target: bytes) -> None:
        """Create a symbolic link. Fails where the name exists."""
        self.before("symlink", name)
        os.symlink(target, os.fsencode(name), dir_fd=folder_fd)

    def replace(self, folder_fd: int, source: str, target: str) -> None:
        """Atomic: the target is the old file or the new one, never a part."""
        self.before("rename", target)
        os.rename(source, target, src_dir_fd=folder_fd, dst_dir_fd=folder_fd)

    def place_new(self, folder_fd: int, source: str, target: str) -> None:
        """Give a finished file its name, unless something has that name by now (FileExistsError)."""
        self.before("link", target)
        try:
            os.link(source, target, src_dir_fd=folder_fd, dst_dir_fd=folder_fd, follow_symlinks=False)
        except OSError as error:
            if error.errno not in (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK):
                raise
            # A file system without hard links: look, then rename.
            if status(folder_fd, target) is not None:
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), target) from None
            os.rename(source, target, src_dir_fd=folder_fd, dst_dir_fd=folder_fd)
            return
        self.before("unlink", source)
        os.unlink(source, dir_fd=folder_fd)

    def remove(self, folder_fd: int, name: str) -> None:
        self.before("unlink", name)
        os.unlink(name, dir_fd=folder_fd)

    def chmod(self, folder_fd: int, name: str, mode: int) -> None:
        self.before("chmod", name)
        os.chmod(name, mode, dir_fd=folder_fd)

    def make_folder(self, folder_fd: int, name: str) -> None:
        self.before("mkdir", name)
        os.mkdir(name, dir_fd=folder_fd)

    def remove_folder(self, folder_fd: int, name: str) -> None:
        self.before("rmdir", name)
        os.rmdir(name, dir_fd=folder_fd)

    def sync_folder(self, folder_fd: int) -> None:
        """Sync the names in the folder. An error is ignored: some file systems cannot do this."""
        self.before("fsync", ".")
        self._sync(folder_fd)


def _sync_one(fd: int) -> None:
    try:
        os.fsync(fd)
    except OSError:
        if not stat.S_ISDIR(os.fstat(fd).st_mode):
            raise


def _give_to(fd: int, like: os.stat_result) -> None:
    """Give a file the owner and the group of another, or the group alone: a member may do that."""
    made = os.fstat(fd)
    for owner in (like.st_uid, -1):
        if (made.st_uid, made.st_gid) == (like.st_uid, like.st_gid):
            return
        with contextlib.suppress(OSError):
            os.fchown(fd, owner, like.st_gid)
            return


def cannot_write(error: OSError, what: str, where: str, nothing: str) -> SparkError:
    """The error for files that could not be written. `nothing` says what was not done."""
    no_room = is_full(error) or error.errno == errno.EFBIG
    return (NoPlace if no_room else Refused)(
        FULL if is_full(error) else f"{what}: {error.strerror}",
        where=where,
        hint=f"{nothing} {remedy(error, 'Check the permissions')}, then do it again.",
    )


def replace_file(path: Path, data: bytes, mode: int = 0o600) -> None:
    """Write all of a file or nothing, even if the process is killed. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(mode)
        Path(temporary).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(temporary).unlink()
        raise


def status(folder_fd: int, name: str) -> os.stat_result | None:
    try:
        return os.stat(name, dir_fd=folder_fd, follow_symlinks=False)
    except FileNotFoundError:
        return None


def open_folder(path: Path) -> int:
    """An open folder; the caller closes it."""
    return os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)


@contextlib.contextmanager
def opened_folder(path: Path) -> Iterator[int]:
    """The same, closed at the end."""
    fd = open_folder(path)
    try:
        yield fd
    finally:
        os.close(fd)
