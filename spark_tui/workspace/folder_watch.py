"""Which names in some folders were touched, as Linux tells (inotify).

A change is told in the moment it is made, so a look after it finds it. Where that does not hold, there is no
watch: other systems, disks that others write to as well, more folders than the system lets one watch. What is
written through a mapping of a file in memory, or by a name outside that a file gets later, is not told.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import struct
import sys
import weakref
from collections.abc import Iterable
from pathlib import Path

_TOLD_OF = 0x2 | 0x4 | 0x8 | 0x40 | 0x80 | 0x100 | 0x200 | 0x400 | 0x800
"""Written, its status, closed, moved from and to, made, removed; the folder itself removed or moved."""
_ONLY_FOLDERS, _NO_LINKS = 0x01000000, 0x02000000
_OF_FOLDERS = 0x400 | 0x800 | 0x2000 | 0x4000 | 0x8000 | 0x40000000
"""The folder, the disk or the watch is gone, some was lost, or the name is a folder's."""
_COMES = 0x80 | 0x100
_MOUNTS = Path("/proc/self/mountinfo")
_HEAD = struct.Struct("iIII")
_MOST_BYTES = 1 << 20
_LOCAL = {0xEF53, 0x58465342, 0x9123683E, 0x01021994, 0xF2F52010, 0x2FC12FC1, 0xCA451A4E, 0x794C7630}
"""ext, xfs, btrfs, tmpfs, f2fs, zfs, bcachefs, overlay: what is written there is written by this system."""


class FolderWatch:
    """Raises OSError where the folders cannot be watched, all of them and for certain."""

    def __init__(self, root: Path, folders: Iterable[str]) -> None:
        if sys.platform != "linux":
            raise OSError("no inotify")
        libc = ctypes.CDLL(None, use_errno=True)
        status = ctypes.create_string_buffer(1024)
        known = libc.statfs(os.fsencode(root), status) == 0
        if not known or int.from_bytes(status.raw[:8], sys.byteorder) not in _LOCAL:
            raise OSError("not a local disk")
        self._fd = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if self._fd < 0:
            raise OSError(ctypes.get_errno(), "no inotify")
        self.close = weakref.finalize(self, os.close, self._fd)
        self._folders: dict[int, str] = {}
        self._root, self._status = root, root.stat()
        for folder in folders:
            name = os.fsencode(root / folder)
            number = libc.inotify_add_watch(self._fd, name, _TOLD_OF | _ONLY_FOLDERS | _NO_LINKS)
            if number < 0:
                raise OSError(ctypes.get_errno(), "not watched", str(folder))
            self._folders[number] = f"{folder}/" if folder else ""
        if not self._is_whole():
            raise OSError("another disk is mounted there")

    def _is_whole(self) -> bool:
        """Whether the folder is still there, and no part of it is mounted: what is written to a file that is
        mounted on another one is told where it comes from."""
        inside = os.fsencode(self._root).rstrip(b"/").replace(b"\\", rb"\134").replace(b" ", rb"\040") + b"/"
        try:
            mounts = [line.split(b" ")[4] for line in _MOUNTS.read_bytes().splitlines()]
            is_there = os.path.samestat(self._root.stat(), self._status)
        except OSError:
            return False
        return is_there and not any(map(self._is_of, (one for one in mounts if one.startswith(inside))))

    def _is_of(self, mount: bytes) -> bool:
        """Whether a place is a folder that is watched, or a file, or has a name that is not told as it is."""
        place = Path(os.fsdecode(mount))
        name = f"{os.path.relpath(place, self._root)}/"
        return name in self._folders.values() or b"\\" in mount or not place.is_dir()

    def touched(self) -> dict[str, bool] | None:
        """The names that were touched since the last call, and whether one came there. None where that cannot
        be told, or a folder came or went."""
        found: dict[str, bool] = {}
        if not self._is_whole():
            return None
        with contextlib.suppress(BlockingIOError):
            while data := os.read(self._fd, _MOST_BYTES):
                at = 0
                while at < len(data):
                    number, what, _, length = _HEAD.unpack_from(data, at)
                    name = os.fsdecode(data[at + _HEAD.size : at + _HEAD.size + length].rstrip(b"\0"))
                    at += _HEAD.size + length
                    if what & _OF_FOLDERS:
                        return None
                    path = self._folders[number] + name
                    found[path] = found.get(path, False) or bool(what & _COMES)
        return found
