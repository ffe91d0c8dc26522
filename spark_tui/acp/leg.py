"""Runs one leg of a turn in a thread and sends its events, as fast as the client reads."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass, field
from threading import Event as StopFlag
from typing import Any, TypeVar

from spark_tui import events
from spark_tui.acp.job_turns import PlanChanged
from spark_tui.acp.updates import TurnUpdates, joined
from spark_tui.events import Event
from spark_tui.workspace.daemon_threads import in_daemon

T = TypeVar("T")
Told = Event | PlanChanged
Make = Callable[[StopFlag], Iterable[Told]]
"""Runs until it ends by itself or its stop is set."""


@dataclass
class LegEnd:
    """How a leg ended. `author` is the backend of its turn; `failed` is what broke it."""

    reason: str = ""
    author: str = ""
    usage: events.Usage = field(default_factory=events.Usage)
    failed: events.Failed | None = None


async def in_thread(work: Callable[[], T]) -> T:
    """Run something that blocks, in a thread of its own. It is waited for even when the caller is cancelled,
    so that nothing is left half done."""
    done = asyncio.wrap_future(in_daemon(work, "acp-turn"))
    try:
        return await asyncio.shield(done)
    except asyncio.CancelledError:
        if not done.done():
            with contextlib.suppress(Exception):
                await done
        raise


class Leg:
    """A leg and what it told so far."""

    def __init__(self, updates: TurnUpdates, send: Callable[[Any], Awaitable[None]], stop: StopFlag) -> None:
        self._updates, self._send, self._stop = updates, send, stop
        self._events: list[Told] = []
        self._lock = threading.Lock()
        self._more = asyncio.Event()
        self.end = LegEnd()

    async def run(self, make: Make) -> LegEnd:
        """Raises what the leg raises. Where the client is gone, the leg is stopped first."""
        loop = asyncio.get_running_loop()

        def work() -> None:
            for event in make(self._stop):
                with self._lock:
                    first = not self._events
                    self._events.append(event)
                if first:
                    loop.call_soon_threadsafe(self._more.set)

        running = asyncio.ensure_future(in_thread(work))
        running.add_done_callback(lambda _: self._more.set())
        try:
            while not running.done():
                await self._more.wait()
                self._more.clear()
                await self._tell()
            await self._tell()
        except BaseException:
            self._stop.set()
            # Also where it is cancelled meanwhile: the session is closed next, and must not be in use.
            while not running.done():
                with contextlib.suppress(asyncio.CancelledError):
                    await asyncio.wait({running})
            if not running.cancelled():
                running.exception()  # taken, so that asyncio does not warn of one that nobody asked for
            raise
        running.result()
        return self.end

    async def _tell(self) -> None:
        with self._lock:
            batch, self._events = self._events, []
        for update in joined(self._translated(batch)):
            await self._send(update)

    def _translated(self, batch: Iterable[Told]) -> Iterator[Any]:
        for event in batch:
            if isinstance(event, events.Finished):
                self.end.reason, self.end.usage = event.reason, event.usage
            elif isinstance(event, events.Failed):
                self.end.failed = event
            elif isinstance(event, events.TurnStarted):
                self.end.author = event.backend
            yield from self._updates.of(event)
