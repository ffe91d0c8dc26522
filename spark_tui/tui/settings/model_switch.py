"""Loads another model on a thread while the workbench runs. A model that the person no longer wants is closed
on the thread that loaded it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from spark_tui.config.settings import Settings
from spark_tui.errors import SparkError
from spark_tui.workspace.daemon_threads import in_daemon

if TYPE_CHECKING:
    from spark_tui.backends.base import Backend

T = TypeVar("T")
Progress = Callable[[int, int], None]
Open = Callable[[Settings, Progress], "Backend"]


def open_ready(settings: Settings, progress: Progress) -> Backend:
    """Open what the settings name, and find out that it answers."""
    from spark_tui.session.session_opener import open_backend

    backend = open_backend(settings, progress=progress)
    try:
        model_greeting(backend)
    except BaseException:
        backend.close()
        raise
    return backend


def full_address(text: str) -> str:
    """`desk:8000` → `http://desk:8000/v1`; the name of a preset stays. Raises a SparkError where it is not
    an address."""
    from spark_tui.backends.remote import presets
    from spark_tui.backends.remote.transport import parse_address

    text = text.strip()
    if presets.find(text):
        return text.lower()
    address = text if "://" in text else f"http://{text}"
    if address.partition("://")[2].strip("/"):
        address = address.rstrip("/")
    if not address.partition("://")[2].partition("/")[2]:
        address += "/v1"
    parse_address(address)
    return address


def model_greeting(backend: Backend) -> None:
    """Let one that is far away open its connection before the first turn needs it. Seconds may pass."""
    warm_up = getattr(backend, "warm_up", None)
    if warm_up is not None:
        warm_up()


async def run_in_daemon(function: Callable[[], T], too_late: Callable[[T], None] = lambda _: None) -> T:
    """Call it on a thread that does not keep the process alive, because an address may take long to
    answer. `too_late` gets the result, on a thread, if nobody waits for it any more."""
    running = in_daemon(function, "spark-aside")
    try:
        return await asyncio.wrap_future(running)
    except asyncio.CancelledError:
        in_daemon(lambda: too_late(running.result()), "spark-closing")
        raise


class ModelLoading:
    """One model that is being opened. `done` and `total` are bytes of its weights; 0 where nothing is
    counted."""

    def __init__(self, name: str, settings: Settings, open_it: Open = open_ready) -> None:
        self.name, self.settings = name, settings
        self.done = self.total = 0
        self._open = open_it
        self._work: asyncio.Task[Backend] | None = None

    async def backend(self) -> Backend | None:
        """The open backend, None when it was given up. Raises the SparkError that opening it ended in."""
        self._work = asyncio.ensure_future(
            run_in_daemon(lambda: self._open(self.settings, self._progress), lambda backend: backend.close())
        )
        try:
            return await self._work
        except asyncio.CancelledError:
            return None
        except SparkError:
            raise
        except Exception as error:
            raise SparkError(f"{type(error).__name__}: {error}", where=self.name) from error

    def give_up(self) -> None:
        """Stop loading it; a backend that opens nevertheless is closed."""
        if self._work is not None:
            self._work.cancel()

    def _progress(self, done: int, total: int) -> None:
        self.done, self.total = done, total
