"""Checkpoints in a private folder, for trees outside of git or repositories that cannot be written to.

Comes in: contents of touched files, and a folder. Goes out: a record a checkpoint, and each content once,
compressed, under its hash. Must not know: git.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from spark_tui.errors import MalformedInput, SparkError
from spark_tui.workspace.checkpoints import (
    ChangedFile,
    Checkpoint,
    CheckpointNote,
    FileContent,
    from_json,
    safe_session,
    to_json,
)
from spark_tui.workspace.files import hash_of


class FileCheckpoints:
    """A `Store` in `folder`: `sessions/<session>/<number>.json` and `objects/<hash>`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def save(
        self,
        session: str,
        note: CheckpointNote,
        before: Mapping[str, FileContent],
        after: Mapping[str, FileContent],
        base: Mapping[str, bytes] | None = None,
    ) -> Checkpoint:
        with self._alone():
            return self._save(safe_session(session), note, before, after, base or {})

    def _save(
        self,
        session: str,
        note: CheckpointNote,
        before: Mapping[str, FileContent],
        after: Mapping[str, FileContent],
        bases: Mapping[str, bytes],
    ) -> Checkpoint:
        files = tuple(
            ChangedFile(
                path,
                self._put(before[path].data),
                self._put(after[path].data),
                before[path].mode,
                after[path].mode,
                self._put(bases.get(path)),
            )
            for path in before
        )
        data = to_json(note, files).encode("utf-8", "surrogateescape")
        folder = self.folder / "sessions" / session
        folder.mkdir(parents=True, exist_ok=True)
        while True:
            number = max(self._numbers(folder), default=0) + 1
            try:
                _write_once(folder / f"{number}.json", data)
                return Checkpoint(session, number, note, files)
            except FileExistsError:
                continue

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """Nobody forgets contents here whose record is still to be written."""
        self.folder.mkdir(parents=True, exist_ok=True)
        fd = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            with contextlib.suppress(OSError):  # a file system without locks
                fcntl.flock(fd, fcntl.LOCK_EX)
            yield
        finally:
            os.close(fd)

    def _put(self, data: bytes | None) -> str:
        if data is None:
            return ""
        key = hash_of(data)
        target = self.folder / "objects" / key
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            with contextlib.suppress(FileExistsError):
                _write_once(target, zlib.compress(data, 6))
        return key

    @staticmethod
    def _numbers(folder: Path) -> list[int]:
        return [int(path.stem) for path in folder.glob("*.json") if path.stem.isdigit()]

    def list(self, session: str = "") -> list[Checkpoint]:
        pattern = f"{safe_session(session) if session else '*'}/*.json"
        found = []
        for path in (self.folder / "sessions").glob(pattern):
            if path.stem.isdigit():
                # A record that cannot be read does not hide the others.
                with contextlib.suppress(SparkError, OSError):
                    found.append(from_json(path.parent.name, int(path.stem), path.read_text("utf-8")))
        return sorted(found, key=lambda one: (one.session, one.number))

    def blob(self, key: str) -> bytes:
        try:
            data = zlib.decompress((self.folder / "objects" / key).read_bytes())
        except (OSError, zlib.error) as error:
            raise MalformedInput("a checkpoint's content is missing", where=key) from error
        if hash_of(data) != key:
            raise MalformedInput("a checkpoint's content is damaged", where=key)
        return data

    def sizes(self, keys: Sequence[str]) -> dict[str, int]:
        return {key: len(self.blob(key)) for key in keys}

    def remove(self, checkpoints: Sequence[Checkpoint]) -> None:
        with self._alone():
            self._remove(checkpoints)

    def _remove(self, checkpoints: Sequence[Checkpoint]) -> None:
        for one in checkpoints:
            (self.folder / "sessions" / one.session / f"{one.number}.json").unlink(missing_ok=True)
        needed = {
            key
            for one in self.list()
            for file in one.files
            for key in (file.before, file.after, file.base)
            if key
        }
        objects = self.folder / "objects"
        for path in objects.iterdir() if objects.is_dir() else ():
            if path.name not in needed:
                path.unlink(missing_ok=True)


def _write_once(target: Path, data: bytes) -> None:
    """A file that is there in full or not at all, and never replaces another."""
    temporary = target.with_name(f".{target.name}.{os.getpid()}.new")
    fd = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    try:
        with os.fdopen(fd, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.link(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)
