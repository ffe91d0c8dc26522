"""Write several files, all of them or none, and never over a change that was made since they were read.

`plan` compares and merges and writes nothing; `apply` writes. A caller takes a checkpoint in between.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shlex
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Protocol

from spark_tui.errors import NothingToDo, Refused, TreeChanged
from spark_tui.workspace.disk import Disk
from spark_tui.workspace.files import MOST_BYTES, TEXT_ONLY, FileText, Tree, is_binary
from spark_tui.workspace.path_guard import check_path
from spark_tui.workspace.transaction import FileChange, Transaction, missing_folders


class MergeConflict(Protocol):
    """Two versions of the same lines."""

    @property
    def line(self) -> int: ...
    @property
    def ours(self) -> Sequence[bytes]: ...
    @property
    def theirs(self) -> Sequence[bytes]: ...


Merge = Callable[[bytes, bytes, bytes], "tuple[bytes | None, Sequence[MergeConflict]]"]
"""(base, on the disk, wanted) → merged bytes, or None and the clashes."""
Ignored = Callable[[Sequence[str]], set[str]] | None
"""Which of the paths git ignores; None: none is refused for that."""


@dataclass(frozen=True, slots=True)
class WantedFile:
    """A file as it was when the change was decided, and as it is to become. None: it does not exist."""

    path: str
    base: bytes | None
    target: bytes | None
    mode: int | None = None
    """Permission bits to have; None keeps what is there (0644 for a new file)."""
    itself: bool = False
    """Whether a symbolic link itself is meant, not the file that it points to."""
    stays: str = ""
    """The folder that is not removed with the file, though nothing else is in it."""


@dataclass(frozen=True, slots=True)
class ApplyPlan:
    root: Path
    changes: tuple[FileChange, ...]

    @property
    def paths(self) -> tuple[str, ...]:
        return tuple(change.path for change in self.changes)

    @property
    def made(self) -> tuple[str, ...]:
        """Folders that are not there yet, outermost first."""
        return tuple(missing_folders(self.root, self.changes))

    @property
    def merged(self) -> tuple[str, ...]:
        """Files that had changed elsewhere since they were read."""
        return tuple(change.path for change in self.changes if change.merged)


@dataclass(frozen=True, slots=True)
class ChangedMeanwhile:
    """A file that someone else changed in the same lines, with both versions to show."""

    path: str
    clashes: tuple[MergeConflict, ...]
    gone: bool = False
    """Whether the file is not there any more."""


class ConflictedFile(TreeChanged):
    """Nothing was written; `disagreements` holds both versions. `what` and `hint` replace the message;
    `since` says what the file was before it changed."""

    def __init__(
        self,
        disagreements: Sequence[ChangedMeanwhile],
        *,
        what: str = "",
        hint: str = "",
        since: str = "it was read",
    ) -> None:
        self.disagreements = tuple(disagreements)
        first = self.disagreements[0]
        others = len(self.disagreements) - 1
        more = f" (and {others} more file{'s' if others > 1 else ''})" if others else ""
        where = f"{first.path}:{first.clashes[0].line}" if first.clashes else first.path
        same_lines = f"the file changed on disk in the same lines since {since}"
        another = f"the file was {'deleted or moved' if first.gone else 'added or replaced'} since {since}"
        super().__init__(
            (what or (same_lines if first.clashes else another)) + more,
            where=where,
            hint=hint or "Nothing was written. Reject the hunk, or send the instruction again.",
        )

    def as_dict(self) -> dict[str, object]:
        files = [
            {
                "path": disagreement.path,
                "clashes": [
                    {"line": clash.line, "disk": _shown(clash.ours), "edit": _shown(clash.theirs)}
                    for clash in disagreement.clashes
                ],
            }
            for disagreement in self.disagreements
        ]
        return {**super().as_dict(), "files": files}


def _shown(lines: Sequence[bytes]) -> str:
    return b"".join(lines).decode("utf-8", "replace")


def read_only(path: str) -> Refused:
    hint = f"Nothing was written. Make it writable first: chmod u+w {shlex.quote(path)}"
    return Refused("the file is read-only", where=path, hint=hint)


def plan(
    root: Path,
    wanted: Iterable[WantedFile],
    merge: Merge,
    *,
    ignored: Ignored = None,
    most_bytes: int = MOST_BYTES,
) -> ApplyPlan:
    """Compare the disk with what was read, merge where it differs, check every rule. Writes nothing.

    Raises Refused, ConflictedFile, or NothingToDo where all files are as wanted already.
    """
    tree = Tree(root, most_bytes=most_bytes)
    changes: list[FileChange] = []
    disagreements: list[ChangedMeanwhile] = []
    reals: dict[str, str] = {}
    for want in wanted:
        with check_path(tree.root, want.path, follow=not want.itself) as spot:
            real = spot.real
        if real in reals:
            raise Refused(f"the edits change one file under two names: {reals[real]}", where=want.path)
        reals[real] = want.path
        now = tree.now(want.path, follow=not want.itself)
        change, clashes = _change(want, real, now, merge)
        if clashes is not None:
            disagreements.append(ChangedMeanwhile(want.path, tuple(clashes), gone=now is None))
        elif change is not None:
            if change.after is not None and len(change.after) > most_bytes:
                raise Refused(f"the file would have {len(change.after)} bytes", where=want.path)
            if change.after is not None and is_binary(change.after) and not is_binary(change.before or b""):
                # It could be neither read again nor undone.
                raise Refused("the file would be binary: the edit has a NUL", where=want.path, hint=TEXT_ONLY)
            mode = change.before_mode
            if change.before is not None and not stat.S_ISLNK(mode) and not stat.S_IMODE(mode) & 0o222:
                raise read_only(want.path)
            changes.append(change)
    if disagreements:
        raise ConflictedFile(disagreements)
    if not changes:
        raise NothingToDo("every file already has these edits")
    if ignored is not None and (hidden := ignored([change.real for change in changes])):
        hint = "Nothing was written. To edit it anyway: spark patch --ignored."
        raise Refused("git ignores this file", where=min(hidden), hint=hint)
    _check_folders(changes)
    return ApplyPlan(tree.root, tuple(changes))


def _change(
    want: WantedFile, real: str, now: FileText | None, merge: Merge
) -> tuple[FileChange | None, Sequence[MergeConflict] | None]:
    before = None if now is None else now.data
    before_mode = 0o644 if now is None else now.mode
    mode = before_mode if want.mode is None else want.mode
    after, merged = want.target, False
    if before != want.base and before != want.target:
        if before is None or want.base is None or want.target is None or stat.S_ISLNK(before_mode):
            # Added, deleted or moved on one side and changed on the other, or a link: there are no lines to
            # merge.
            return None, ()
        after, clashes = merge(want.base, before, want.target)
        if after is None:
            return None, clashes
        merged = True
    if before == after and (before is None or before_mode == mode):
        return None, None
    return FileChange(want.path, real, before, after, before_mode, mode, merged, want.stays), None


def _check_folders(changes: Sequence[FileChange]) -> None:
    """Refuse a file whose path another file of the plan needs as a folder."""
    files = {change.real for change in changes if change.after is not None}
    for real in files:
        if not files.isdisjoint(folder.as_posix() for folder in PurePosixPath(real).parents):
            raise Refused("one file of this change would be a folder of another", where=real)


def apply(ready: ApplyPlan, journal_dir: Path, *, disk: Disk | None = None) -> tuple[str, ...]:
    """Write the plan: all files change or none does. If this process is killed, `recover` at the next start
    finishes the plan or rolls it back. Returns the paths.

    Raises TreeChanged where a file changed since the plan, Refused where one cannot be written.
    """
    disk = disk or Disk()
    with _locked(journal_dir, "lock"):
        _recover_all(ready.root, journal_dir, disk)
        Transaction(ready.root, journal_dir, disk).run(ready.changes)
    return ready.paths


def recover(root: Path, journal_dir: Path, *, disk: Disk | None = None) -> None:
    """Finish or roll back applies that were killed. Call it before anything else is read or written."""
    if journal_dir.is_dir():
        with _locked(journal_dir, "lock"):
            _recover_all(root.resolve(), journal_dir, disk or Disk())


def _recover_all(root: Path, journal_dir: Path, disk: Disk) -> None:
    for folder in sorted(path for path in journal_dir.iterdir() if path.is_dir()):
        Transaction(root, journal_dir, disk, folder.name).recover()


def unfinished(journal_dir: Path) -> bool:
    """Whether an apply was killed and waits for `recover`."""
    return journal_dir.is_dir() and any(path.is_dir() for path in journal_dir.iterdir())


def one_writer(journal_dir: Path) -> contextlib.AbstractContextManager[None]:
    """Wait until no other process plans and writes in this tree. It holds from the comparison with the disk
    to the last rename, so a plan made inside is still true when it is written. Not reentrant."""
    return _locked(journal_dir, "writer")


@contextlib.contextmanager
def _locked(journal_dir: Path, name: str) -> Iterator[None]:
    """Hold a file lock, which the kernel releases when its holder dies."""
    journal_dir.mkdir(parents=True, exist_ok=True)
    fd = os.open(journal_dir / name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX)
        yield
    finally:
        os.close(fd)
