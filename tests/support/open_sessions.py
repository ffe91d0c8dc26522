"""Opens sessions and closes them at the end of the test."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from spark_tui.backends.base import Backend
from spark_tui.config.settings import Settings
from spark_tui.session.session import Session

DEFAULTS = Settings()


class OpenOne(Protocol):
    """Opens a session, or a stored one by its id."""

    def __call__(self, backend: Backend, settings: Settings = DEFAULTS, session_id: str = "") -> Session: ...


@contextlib.contextmanager
def open_sessions(root: Path, state: Path) -> Iterator[OpenOne]:
    """A function that opens sessions of this tree; all are closed in the end."""
    with contextlib.ExitStack() as opened:

        def open_one(backend: Backend, settings: Settings = DEFAULTS, session_id: str = "") -> Session:
            session = Session(root, backend, settings, state, session_id=session_id)
            opened.callback(session.close)
            return session

        yield open_one
