"""The session of the workbench, available once it is open, and called on its own thread."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from spark_tui.errors import SparkError
from spark_tui.events import Failed
from spark_tui.tui.background_work import call_on_loop
from spark_tui.tui.text.error_hints import WORKBENCH, reworded

if TYPE_CHECKING:
    from spark_tui.session.session import Session

P = ParamSpec("P")
T = TypeVar("T")
FAILED = object()
"""The result of a call that ended in an error, which has been shown."""


class SessionAccess:
    """What the parts of the turn controller share. `say` shows a message; its flag marks problems."""

    def __init__(self, say: Callable[[str, bool], None]) -> None:
        self._say = say
        self._session: Session | None = None
        self._opened = asyncio.Event()
        # One thread, so that a decision is journaled before the write that rests on it.
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="spark-executor")
        self._closed = threading.Event()

    @property
    def opening(self) -> bool:
        return self._session is None

    @property
    def session(self) -> Session:
        if self._session is None:
            raise RuntimeError("the session is still opening")
        return self._session

    async def opened(self) -> Session:
        """Waits for it; what fails to open ends the app."""
        await self._opened.wait()
        return self.session

    async def open(self, opener: Callable[[], Session]) -> Session:
        """Raises the SparkError that opening ended in."""
        session = self._session = await self.call(opener)
        self._opened.set()
        self.load_reader()
        return session

    def load_reader(self) -> None:
        """Read the repository in the background, where the built-in reader answers."""
        threading.Thread(target=self._load_reader, name="spark-index", daemon=True).start()

    def _load_reader(self) -> None:
        with contextlib.suppress(SparkError):  # it is said where the reader is asked
            self.session.load_reader(self._closed)

    async def call(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a function off the event loop, after the calls that are queued."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._pool, lambda: function(*args, **kwargs))

    async def ask(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | object:
        """Like `call`, but a SparkError becomes a message, and `FAILED` the result."""
        try:
            return await self.call(function, *args, **kwargs)
        except SparkError as error:
            self._say(one_line_error(error), True)
            return FAILED

    def say_soon(self) -> Callable[[str], None]:
        """Shows a message from another thread than that of the event loop, on which this is called."""
        loop = asyncio.get_running_loop()
        return lambda text: call_on_loop(loop, self._say, text, False)

    def close(self) -> None:
        self._closed.set()
        self._pool.shutdown(wait=True)  # what waits is finished too: decisions are never lost
        if self._session is not None:
            self._session.close()


def one_line_error(error: SparkError | Failed, words: dict[str, str] = WORKBENCH) -> str:
    """The error on one line, for the status line. `words` are those of a surface, for the hint."""
    where = f"{error.where}: " if error.where else ""
    return f"{where}{error.what}" + (f" — {reworded(error.hint, words)}" if error.hint else "")
