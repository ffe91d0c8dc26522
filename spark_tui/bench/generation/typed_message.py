"""The first token of a message about a file that was not read before, in a session: typed, or sent at once.

While a person types, the session reads the file ahead (`session/model/cache_warmer.py`). What is measured
begins at Enter.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event as StopFlag

from spark_tui.backends.local.backend import LocalBackend
from spark_tui.config.settings import Settings
from spark_tui.context.shown_context import ContextRequest
from spark_tui.engine import Engine
from spark_tui.events import Token
from spark_tui.session.session import Session

_MESSAGE = "return early where the list is empty"
_FILE = "module.py"


def first_tokens(engine: Engine, texts: Iterable[str], typed_seconds: float) -> list[float]:
    """Seconds from Enter to the first token, of one session for each text of a file. No two files may begin
    alike: the engine keeps what it has read."""
    found = []
    with TemporaryDirectory(prefix="spark-bench-") as scratch:
        for number, text in enumerate(texts):
            root = Path(scratch) / str(number)
            root.mkdir()
            (root / _FILE).write_text(text, encoding="utf-8")
            settings = Settings(exact=False, max_tokens=1)
            session = Session(root, LocalBackend(engine), settings, Path(scratch) / "state" / str(number))
            try:
                if typed_seconds:
                    _type(session, typed_seconds)
                found.append(_first_token(session))
            finally:
                session.close()
    return found


def _type(session: Session, seconds: float) -> None:
    for end in range(1, len(_MESSAGE) + 1):
        session.warmer.draft(ContextRequest(_MESSAGE[:end], _FILE))
        time.sleep(seconds / len(_MESSAGE))


def _first_token(session: Session) -> float:
    begun, found = time.perf_counter(), 0.0
    for event in session.turn(_MESSAGE, in_view=_FILE, stop=StopFlag()):
        if isinstance(event, Token):
            found = found or time.perf_counter() - begun
    return found or time.perf_counter() - begun
