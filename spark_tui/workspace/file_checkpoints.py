"""Checkpoints in a private folder, for trees outside git and repositories that cannot be written to.

Each checkpoint is one JSON file; each content is stored once, compressed, under its hash.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import zlib
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from spark_tui.errors import MalformedInput, SparkError
from spark_tui.workspace.checkpoints import (
    ChangedContents,
    ChangedFile,
    Checkpoint,
    CheckpointNote,
    from_json,
    in_order,
    next_number,
    safe_session,
    to_json,
)
from spark_tui.workspace.disk import opened_folder
from spark_tui.workspace.files import hash_of


class FileCheckpoints:
    """A `CheckpointStore` in `folder`: `sessions/<session>/<number>.json` and `objects/<hash>`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def save(self, session: str, note: CheckpointNote, sides: ChangedContents) -> Checkpoint:
        with self._lock():
            return self._record(safe_session(session), note, sides.files(self._put))

    def _record(self, session: str, note: CheckpointNote, files: tuple[ChangedFile, ...]) -> Checkpoint:
        data = to_json(note, files).encode("utf-8", "surrogateescape")
        folder = self.folder / "sessions" / session
        folder.mkdir(parents=True, exist_ok=True)
        while True:
            number = next_number(int(path.stem) for path in folder.glob("*.json") if path.stem.isdigit())
            try:
                _write_once(folder / f"{number}.json", data)
                return Checkpoint(session, number, note, files)
            except FileExistsError:
                continue

    @contextlib.contextmanager
    def _lock(self) -> Iterator[None]:
        """Hold the store, so that no contents are removed before their record is written."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with opened_folder(self.folder) as fd:
            with contextlib.suppress(OSError):  # a file system without locks
                fcntl.flock(fd, fcntl.LOCK_EX)
            yield

    def _put(self, data: bytes) -> str:
        """Keep the bytes; their key."""
        key = hash_of(data)
        target = self.folder / "objects" / key
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            with contextlib.suppress(FileExistsError):
                _write_once(target, zlib.compress(data, 6))
        return key

    def list(self, session: str = "", *, everywhere: bool = False) -> list[Checkpoint]:
        del everywhere  # each working tree has a folder of its own
        pattern = f"{safe_session(session) if session else '*'}/*.json"
        found = []
        for path in (self.folder / "sessions").glob(pattern):
            if path.stem.isdigit():
                # A record that cannot be read does not hide the others.
                with contextlib.suppress(SparkError, OSError):
                    found.append(from_json(path.parent.name, int(path.stem), path.read_text("utf-8")))
        return in_order(found)

    def blobs(self, keys: Collection[str]) -> dict[str, bytes]:
        return {key: self._blob(key) for key in keys}

    def _blob(self, key: str) -> bytes:
        try:
            data = zlib.decompress((self.folder / "objects" / key).read_bytes())
        except (OSError, zlib.error) as error:
            raise MalformedInput("a checkpoint's content is missing", where=key) from error
        if hash_of(data) != key:
            raise MalformedInput("a checkpoint's content is damaged", where=key)
        return data

    def sizes(self, keys: Sequence[str]) -> dict[str, int]:
        return {key: len(self._blob(key)) for key in keys}

    def remove(self, checkpoints: Sequence[Checkpoint]) -> None:
        with self._lock():
            for checkpoint in checkpoints:
                session = self.folder / "sessions" / checkpoint.session
                (session / f"{checkpoint.number}.json").unlink(missing_ok=True)
            needed = {key for item in self.list() for key in item.keys}
            objects = self.folder / "objects"
            for path in objects.iterdir() if objects.is_dir() else ():
                if path.name not in needed:
                    path.unlink(missing_ok=True)


def _write_once(target: Path, data: bytes) -> None:
    """Write a file that exists in full or not at all. Raises FileExistsError rather than replace one."""
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
