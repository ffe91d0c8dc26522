"""What a written file keeps of the one that it replaces, and how it gets to the disk."""

import contextlib
import errno
import os
from pathlib import Path

import pytest

from spark_tui.errors import Refused
from spark_tui.workspace.apply import WantedFile, apply, plan
from spark_tui.workspace.disk import Disk


def no_merge(base, ours, theirs):
    return None, ()


def planned(root, files):
    """A plan to change these files, and to delete the last one."""
    root.mkdir()
    for name in files:
        (root / name).write_bytes(b"old\n")
    wanted = [WantedFile(name, b"old\n", b"new\n") for name in files[:-1]]
    return plan(root, [*wanted, WantedFile(files[-1], b"old\n", None)], no_merge)


@pytest.mark.parametrize("fails", [False, True])
def test_the_owner_and_the_attributes_of_a_file_stay_also_where_it_is_taken_back(tmp_path, fails):
    root = tmp_path / "root"
    kept = root / "a.txt"
    ready = planned(root, ["a.txt", "c.txt"])
    has_attributes = False
    with contextlib.suppress(OSError, AttributeError):  # not every system has them
        os.setxattr(kept, "user.kept", b"1")
        has_attributes = True
    if os.geteuid() == 0:
        os.chown(kept, 1234, 2345)
    old = kept.stat()

    def step(operation, name):
        if fails and (operation, name) == ("unlink", "c.txt"):
            raise OSError(errno.EIO, os.strerror(errno.EIO), name)

    with contextlib.suppress(Refused):
        apply(ready, tmp_path / "journal", disk=Disk(step))
    assert kept.read_bytes() == (b"old\n" if fails else b"new\n")
    assert not has_attributes or os.getxattr(kept, "user.kept") == b"1"
    assert (kept.stat().st_uid, kept.stat().st_gid) == (old.st_uid, old.st_gid)


def test_a_member_of_a_files_group_keeps_the_group(tmp_path, monkeypatch):
    ready = planned(tmp_path / "root", ["a.txt", "c.txt"])
    asked = []

    def fchown(fd, owner, group):
        asked.append((owner, group))
        if owner != -1:
            raise PermissionError(errno.EPERM, "not yours")

    group = os.getegid()
    monkeypatch.setattr(os, "fchown", fchown)
    monkeypatch.setattr(os, "fstat", lambda fd, real=os.fstat: Owned(real(fd), group + 1))
    apply(ready, tmp_path / "journal")
    assert (os.geteuid(), group) in asked
    assert (-1, group) in asked


class Owned:
    """A status with another group."""

    def __init__(self, real, group):
        self.__dict__ = {name: getattr(real, name) for name in dir(real) if name.startswith("st_")}
        self.st_gid = group


def test_files_are_synced_together_and_an_error_of_any_is_raised(tmp_path, monkeypatch):
    root = tmp_path / "root"
    ready = planned(root, [f"f{n}.txt" for n in range(200)])
    real, synced = os.fsync, []

    def fsync(fd):
        synced.append(str(Path(f"/proc/self/fd/{fd}").readlink()))
        if synced[-1].endswith("-150.tmp"):
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        real(fd)

    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(Refused, match="Input/output error"):
        apply(ready, tmp_path / "journal")
    assert {path.read_bytes() for path in root.iterdir()} == {b"old\n"}
    assert len(list(root.iterdir())) == 200
    temporaries = [name for name in synced if name.endswith(".tmp")]
    assert len(set(temporaries)) > 150
    assert sum(name == str(root) for name in synced) < 20


def test_an_error_is_raised_where_a_folder_is_the_last_that_is_synced_with_others(tmp_path, monkeypatch):
    names = [f"{n}/f.txt" for n in range(40)]
    for name in names:
        (tmp_path / "root" / name).parent.mkdir(parents=True)
        (tmp_path / "root" / name).write_bytes(b"old\n")
    ready = plan(tmp_path / "root", [WantedFile(name, b"old\n", b"new\n") for name in names], no_merge)
    real = os.fsync

    def fsync(fd):
        if str(Path(f"/proc/self/fd/{fd}").readlink()).endswith("-20.tmp"):
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        real(fd)

    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(Refused, match="Input/output error"):
        apply(ready, tmp_path / "journal")
    assert {(tmp_path / "root" / name).read_bytes() for name in names} == {b"old\n"}


def test_what_is_taken_back_is_on_the_disk_before_it_has_its_name(tmp_path, monkeypatch):
    ready = planned(tmp_path / "root", ["a.txt", "b.txt", "c.txt"])
    real, synced, named = os.fsync, [], []

    def fsync(fd):
        synced.append(Path(f"/proc/self/fd/{fd}").readlink().name)
        real(fd)

    def step(operation, name):
        if (operation, name) == ("unlink", "c.txt"):
            raise OSError(errno.EIO, os.strerror(errno.EIO), name)
        if operation == "rename":
            named.append(sum(one.endswith(".back") for one in synced))

    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(Refused):
        apply(ready, tmp_path / "journal", disk=Disk(step))
    assert named[-2:] == [1, 2]
