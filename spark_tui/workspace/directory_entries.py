"""What a name in an open folder holds, without following links: its hash, its status, its attributes."""

from __future__ import annotations

import contextlib
import os
import stat

from spark_tui.workspace.disk import Disk, status
from spark_tui.workspace.files import LINK_MODE, hash_of


def stat_entry(folder_fd: int, name: str) -> tuple[str, int]:
    """Digest and permission bits of the entry. The digest is empty where there is none, and `?` where it is
    neither a regular file nor a link."""
    try:
        fd = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder_fd)
    except FileNotFoundError:
        return "", 0
    except OSError:
        return _look_at_link(folder_fd, name)
    with os.fdopen(fd, "rb") as file:
        try:
            return hash_of(file.read()), os.fstat(fd).st_mode & 0o7777
        except OSError:
            return "?", 0


def _look_at_link(folder_fd: int, name: str) -> tuple[str, int]:
    try:
        return digest(os.fsencode(os.readlink(name, dir_fd=folder_fd)), LINK_MODE), LINK_MODE
    except OSError:
        return "?", 0


def digest(data: bytes | None, mode: int) -> str:
    """Empty for nothing; a link's never equals a file's."""
    if data is None:
        return ""
    return "link:" + hash_of(data) if stat.S_ISLNK(mode) else hash_of(data)


def copy_attributes(folder_fd: int, source: str, target: str) -> None:
    """Extended attributes of the old file, as far as this process may set them."""
    with contextlib.suppress(OSError):
        old = os.open(source, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder_fd)
        try:
            names = os.listxattr(old)
            if not names:
                return
            new = os.open(target, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder_fd)
            try:
                for name in names:
                    with contextlib.suppress(OSError):
                        os.setxattr(new, name, os.getxattr(old, name))
            finally:
                os.close(new)
        finally:
            os.close(old)


def remove_quietly(disk: Disk, folder_fd: int, name: str) -> None:
    if status(folder_fd, name) is not None:
        disk.remove(folder_fd, name)
