"""Runs a transaction under the journal's lock, and ends those that a killed process left unfinished."""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from spark_tui.workspace.disk import Disk
from spark_tui.workspace.transaction import FileChange, RecoveryResult, Transaction

_LOCK, _WRITER = "lock", "writer"


def run(root: Path, entries: Sequence[FileChange], journal_dir: Path, disk: Disk) -> None:
    """Make all changes. After an exception the tree is as it was, or `recover` will make it so."""
    journal_dir.mkdir(parents=True, exist_ok=True)
    with _locked(journal_dir / _LOCK):
        _recover_all(root, journal_dir, disk)
        Transaction(root, journal_dir, disk).run(entries)


def recover(root: Path, journal_dir: Path, disk: Disk) -> tuple[RecoveryResult, ...]:
    """End every transaction that a dead process left behind in this journal."""
    if not journal_dir.is_dir():
        return ()
    with _locked(journal_dir / _LOCK):
        return _recover_all(root, journal_dir, disk)


@contextlib.contextmanager
def one_writer(journal_dir: Path) -> Iterator[None]:
    """Wait until no other process plans and writes in this tree. It holds from the comparison with the disk
    to the last rename, so a plan made inside is still true when it is written. Not reentrant."""
    journal_dir.mkdir(parents=True, exist_ok=True)
    with _locked(journal_dir / _WRITER):
        yield


@contextlib.contextmanager
def _locked(file: Path) -> Iterator[None]:
    """Hold a file lock, which the kernel releases when its holder dies."""
    fd = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX)
        yield
    finally:
        os.close(fd)


def _recover_all(root: Path, journal_dir: Path, disk: Disk) -> tuple[RecoveryResult, ...]:
    found = []
    for folder in sorted(path for path in journal_dir.iterdir() if path.is_dir()):
        outcome = Transaction(root, journal_dir, disk, folder.name).recover()
        if outcome is not None:
            found.append(outcome)
    return tuple(found)
