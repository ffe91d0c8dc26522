"""Which turns of a session take back an edit by words, for other processes too."""

from __future__ import annotations

import contextlib
from pathlib import Path

from spark_tui.errors import SparkError
from spark_tui.session.storage.turn_storage import write_atomically


class UndoTurns:
    """Each is an empty file in this folder, which is there before the turn has a hunk."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: set[str] = set()

    def add(self, turn_id: str) -> None:
        self._known.add(turn_id)
        with contextlib.suppress(SparkError):  # on a full disk the turn itself says so
            write_atomically(self._path(turn_id), b"")

    def __contains__(self, turn_id: object) -> bool:
        return turn_id in self._known or self._path(turn_id).exists()

    def _path(self, turn_id: object) -> Path:
        return self._folder / f"{turn_id}.undo"
