"""One transaction: all of its files are changed, or none.

A transaction is a folder in the journal. `record.json` and the old bytes are written before the tree is
touched; then the new bytes go to temporary files beside their targets; then `commit` is written. Recovery
rolls a transaction back that has no `commit`, and finishes one that has (or rolls it back, where a file has
been changed since).
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, Literal

from spark_tui.errors import MalformedInput, NoPlace, Refused, SparkError, TreeChanged, is_full
from spark_tui.workspace.directory_entries import copy_attributes, digest, remove_quietly, stat_entry
from spark_tui.workspace.disk import Disk, cannot_write, opened_folder, status
from spark_tui.workspace.path_guard import check_path

_RECORD, _COMMIT = "record.json", "commit"


@dataclass(frozen=True, slots=True)
class FileChange:
    """One file: `real` is its path with links resolved. None bytes: it does not exist."""

    path: str
    real: str
    before: bytes | None
    after: bytes | None
    before_mode: int
    after_mode: int
    merged: bool = False
    """Whether `after` is the edit merged into a version that is newer than the one it was made for."""
    stays: str = ""
    """The folder that is not removed with the file, nor those above it, though nothing else is in them."""

    @property
    def folders(self) -> Iterator[str]:
        """Those that the file is in afterwards, from the innermost."""
        parents = PurePosixPath(self.real).parents if self.after is not None else ()
        return (folder.as_posix() for folder in parents)


def missing_folders(root: Path, changes: Sequence[FileChange]) -> list[str]:
    """The folders that some changes make, outermost first."""
    folders = {folder for change in changes for folder in change.folders}
    return sorted(folder for folder in folders if not os.path.lexists(root / folder))


@dataclass(frozen=True, slots=True)
class _Step:
    """What recovery needs to know of a file: hashes (empty where it does not exist), modes, copies."""

    real: str
    before: str
    after: str
    before_mode: int
    after_mode: int
    temporary: str
    backup: str
    stays: str = ""

    @property
    def is_link(self) -> bool:
        """Whether the path refers to a symbolic link itself."""
        return stat.S_ISLNK(self.before_mode) or stat.S_ISLNK(self.after_mode)


class Transaction:
    def __init__(self, root: Path, journal_dir: Path, disk: Disk, name: str = "") -> None:
        self.root = root
        self.disk = disk
        self.name = name or secrets.token_hex(6)
        self.journal_dir = journal_dir
        self.folder = journal_dir / self.name
        self.made: list[str] = []
        """Folders that did not exist before, outermost first."""

    # -- forwards

    def run(self, entries: Sequence[FileChange]) -> None:
        steps = [self._step(k, entry) for k, entry in enumerate(entries)]
        self.made = missing_folders(self.root, entries)
        committed = False
        try:
            self._write_record(steps, entries)
            self._write_temporaries(steps, entries)
            for step in steps:
                self._check_before(step)
            self._write(_COMMIT, b"")
            committed = True
            with self.disk.synced_together():
                for step in steps:
                    self._make(step)
        except BaseException as error:
            self._give_up(steps, committed)
            if isinstance(error, OSError):
                targets = {step.temporary: step.real for step in steps}
                where = str(error.filename or self.root)
                where = targets.get(where, where)
                raise cannot_write(error, "cannot write the files", where, "Nothing was changed.") from error
            raise
        self._tidy(steps)
        with contextlib.suppress(OSError):
            # A journal that stays is of no harm: every file is past its change, so recovery only drops it.
            self._forget()

    def _give_up(self, steps: Sequence[_Step], committed: bool) -> None:
        try:
            self._take_back(steps, committed)
            self._forget()
        except OSError as error:
            raise (NoPlace if is_full(error) else Refused)(
                f"the write failed and could not be rolled back: {error.strerror}",
                where=str(error.filename or self.root),
                hint="Start spark again when the disk works: it completes the rollback from the journal.",
            ) from error

    def _step(self, k: int, entry: FileChange) -> _Step:
        return _Step(
            entry.real,
            digest(entry.before, entry.before_mode),
            digest(entry.after, entry.after_mode),
            entry.before_mode,
            entry.after_mode,
            f".spark-{self.name}-{k}.tmp",
            f"before-{k}",
            entry.stays,
        )

    def _write_record(self, steps: Sequence[_Step], entries: Sequence[FileChange]) -> None:
        self.folder.mkdir()
        with opened_folder(self.folder) as fd, self.disk.synced_together():
            for step, entry in zip(steps, entries, strict=True):
                if entry.before is not None and step.before != step.after:
                    self.disk.write_new(fd, step.backup, entry.before, 0o600)
        record = {
            "root": str(self.root),
            "made": self.made,
            "steps": [{name: getattr(step, name) for name in _Step.__slots__} for step in steps],
        }
        self._write(_RECORD, json.dumps(record).encode("utf-8", "surrogateescape"))

    def _write(self, name: str, data: bytes) -> None:
        """Write a journal file that exists in full or not at all."""
        with opened_folder(self.folder) as fd:
            self.disk.write_new(fd, name + ".new", data, 0o600)
            self.disk.replace(fd, name + ".new", name)
            self.disk.sync_folder(fd)

    def _write_temporaries(self, steps: Sequence[_Step], entries: Sequence[FileChange]) -> None:
        for folder in self.made:
            with check_path(self.root, folder) as spot:
                self.disk.make_folder(spot.folder_fd, spot.name)
        with self.disk.synced_together():
            for step, entry in zip(steps, entries, strict=True):
                if entry.after is None or step.before == step.after:
                    continue
                with check_path(self.root, step.real, follow=not step.is_link) as spot:
                    self._same_place(step, spot.real, spot.folder_fd)
                    self._write_beside(
                        spot.folder_fd, spot.name, step.temporary, entry.after, entry.after_mode
                    )
                    self.disk.sync_folder(spot.folder_fd)

    def _write_beside(self, folder_fd: int, name: str, new: str, data: bytes, mode: int) -> None:
        """Write a file that is to take another's place, with its owner and its attributes."""
        like = status(folder_fd, name)
        if stat.S_ISLNK(mode):
            self.disk.make_link(folder_fd, new, data)
        elif like is None or stat.S_ISLNK(like.st_mode):
            self.disk.write_new(folder_fd, new, data, mode)
        else:
            self.disk.write_new(folder_fd, new, data, mode, like)
            copy_attributes(folder_fd, name, new)

    @staticmethod
    def _same_place(step: _Step, real: str, folder_fd: int) -> None:
        if real != step.real or folder_fd < 0:
            what = "a folder changed during the write"
            raise TreeChanged(what, where=step.real, hint="Nothing was written. Try again.")

    def _check_before(self, step: _Step) -> None:
        with check_path(self.root, step.real, follow=not step.is_link) as spot:
            found, mode = stat_entry(spot.folder_fd, spot.name) if spot.folder_fd >= 0 else ("", 0)
        if spot.real != step.real or found != step.before or (found and mode != step.before_mode):
            what = "the file changed during the write"
            raise TreeChanged(what, where=step.real, hint="Nothing was written. Try again.")

    def _make(self, step: _Step) -> None:
        """Change one file. The check right before keeps the window for a race as small as possible."""
        self._check_before(step)
        with check_path(self.root, step.real, follow=not step.is_link) as spot:
            self._same_place(step, spot.real, spot.folder_fd)
            try:
                self._change(step, spot.folder_fd, spot.name)
            except FileExistsError:
                what = "a file of this name was created during the write"
                raise TreeChanged(what, where=step.real) from None
            self.disk.sync_folder(spot.folder_fd)

    def _change(self, step: _Step, fd: int, name: str) -> None:
        if step.before == step.after:
            self.disk.chmod(fd, name, step.after_mode)
        elif not step.after:
            self.disk.remove(fd, name)
        elif not step.before:
            self.disk.place_new(fd, step.temporary, name)
        else:
            self.disk.replace(fd, step.temporary, name)

    def _tidy(self, steps: Sequence[_Step]) -> None:
        """Remove folders that became empty, as git does. Errors are ignored."""
        for step in steps:
            parts = step.real.split("/")[:-1]
            while not step.after and parts and "/".join(parts) != step.stays:
                try:
                    with check_path(self.root, "/".join(parts)) as spot:
                        self.disk.remove_folder(spot.folder_fd, spot.name)
                except (OSError, SparkError):
                    break
                parts.pop()

    def _forget(self) -> None:
        """Remove the journal, the record first: without it the rest means nothing."""
        if not self.folder.is_dir():
            return
        with opened_folder(self.folder) as fd:
            names = [_RECORD, *(path.name for path in self.folder.iterdir() if path.name != _RECORD)]
            for name in names:
                with contextlib.suppress(FileNotFoundError):
                    self.disk.remove(fd, name)
        with opened_folder(self.journal_dir) as parent:
            self.disk.remove_folder(parent, self.name)

    # -- backwards

    def _take_back(self, steps: Sequence[_Step], committed: bool) -> None:
        # One file after the other: one whose bytes were lost with the power would be neither old nor new.
        for step in reversed(steps):
            with contextlib.suppress(SparkError):
                self._take_back_one(step, committed)
        for folder in reversed(self.made):
            with contextlib.suppress(OSError, SparkError), check_path(self.root, folder) as spot:
                self.disk.remove_folder(spot.folder_fd, spot.name)

    def _take_back_one(self, step: _Step, committed: bool) -> None:
        with check_path(self.root, step.real, follow=not step.is_link) as spot:
            if spot.folder_fd < 0 or spot.real != step.real:
                return
            if committed and self._is_after(step, spot.folder_fd, spot.name):
                self._restore(step, spot.folder_fd, spot.name)
            remove_quietly(self.disk, spot.folder_fd, step.temporary)
            remove_quietly(self.disk, spot.folder_fd, step.temporary + ".back")

    def _restore(self, step: _Step, fd: int, name: str) -> None:
        if step.before == step.after:
            self.disk.chmod(fd, name, step.before_mode)
        elif not step.before:
            self.disk.remove(fd, name)
        else:
            data = (self.folder / step.backup).read_bytes()
            remove_quietly(self.disk, fd, step.temporary + ".back")
            self._write_beside(fd, name, step.temporary + ".back", data, step.before_mode)
            self.disk.replace(fd, step.temporary + ".back", name)
        self.disk.sync_folder(fd)

    @staticmethod
    def _is_after(step: _Step, fd: int, name: str) -> bool:
        found, mode = stat_entry(fd, name)
        return found == step.after and (step.before != step.after or mode == step.after_mode)

    def recover(self) -> None:
        """Finish or roll back. Raises MalformedInput, once, for a record that cannot be read."""
        try:
            record: dict[str, Any] = json.loads((self.folder / _RECORD).read_text("utf-8", "surrogateescape"))
            steps = [_Step(**step) for step in record["steps"]]
            self.root, self.made = Path(record["root"]), list(record["made"])
        except FileNotFoundError:
            self._forget()  # it died before it had changed anything
            return
        except (ValueError, KeyError, TypeError) as error:
            aside = self.journal_dir.with_name(f"{self.journal_dir.name}-damaged-{self.name}")
            self.folder.rename(aside)
            what = "the record of a killed write is damaged"
            hint = "It is set aside with the old bytes. See `spark checkpoints`, then start again."
            raise MalformedInput(what, where=str(aside), hint=hint) from error
        committed = (self.folder / _COMMIT).exists()
        if committed and self._goes_on(steps):
            with self.disk.synced_together():
                for step in steps:
                    self._finish(step)
            self._tidy(steps)
        else:
            self._take_back(steps, committed)
        self._forget()

    def _goes_on(self, steps: Sequence[_Step]) -> bool:
        """Whether a committed transaction is completed rather than rolled back."""
        states = [self._state(step) for step in steps]
        if "stuck" in states or "unmade" in states:
            return False
        return "old" not in states or "other" not in states[states.index("old") :]

    def _state(self, step: _Step) -> Literal["old", "new", "other", "unmade", "stuck"]:
        """`stuck` is an old file whose new bytes are lost, `unmade` an edited one whose new bytes still
        wait."""
        try:
            with check_path(self.root, step.real, follow=not step.is_link) as spot:
                if spot.folder_fd < 0 or spot.real != step.real:
                    return "other" if step.after else "new"
                if self._is_after(step, spot.folder_fd, spot.name):
                    return "new"
                found, _ = stat_entry(spot.folder_fd, spot.name)
                if found != step.before:
                    waits = bool(step.after) and status(spot.folder_fd, step.temporary) is not None
                    return "unmade" if waits else "other"
                has_bytes = not step.after or step.before == step.after
                has_bytes = has_bytes or stat_entry(spot.folder_fd, step.temporary)[0] == step.after
                return "old" if has_bytes else "stuck"
        except SparkError:
            return "other"

    def _finish(self, step: _Step) -> None:
        with check_path(self.root, step.real, follow=not step.is_link) as spot:
            if spot.folder_fd < 0:
                return
            if self._state(step) == "old":
                self._change(step, spot.folder_fd, spot.name)
            # A killed `link` leaves both names.
            remove_quietly(self.disk, spot.folder_fd, step.temporary)
            self.disk.sync_folder(spot.folder_fd)
