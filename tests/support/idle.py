"""When the workbench has nothing left to do: asked of its loop, and not of a clock.

Textual's pilot waits after every key for twice a fiftieth of a second in which the process did little. That
is long where nothing was to be done, and too short on a machine that had no time for the process.
"""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from asyncio.base_events import BaseEventLoop
from types import FrameType
from typing import Any

import pytest

HORIZON_SECONDS = 0.05
"""What is due so soon belongs to what was done: a frame, a batch of text."""
LONGEST_SECONDS = 1.0
"""What never rests is waited for no longer: only what was slept counts, for a process that is not run does
nothing."""
LEAST_SECONDS = 0.01
"""What is due already counts as much."""
LOOK_SECONDS, LOOKS, LITTLE = 0.004, 5, 0.1
"""Threads are looked at so often; they do little where the process did no more in so many looks."""
_away: set[asyncio.Future[Any]] = set()
"""Calls that were given to other threads."""


async def until_idle(min_sleep: float = 0.0, max_sleep: float = LONGEST_SECONDS) -> None:
    """Until nothing is ready to run, nothing is due soon and nobody else is at work for the loop.

    A thread may be held by a test or a server: where one is at work, it is enough that the whole process does
    little.
    """
    del min_sleep
    loop = asyncio.get_running_loop()
    slept, waited = 0.0, False
    while slept < max_sleep:
        await asyncio.sleep(0)
        due = _next_due(loop)
        if _ready(loop):
            continue
        if due < loop.time() + HORIZON_SECONDS:
            pause = max(due - loop.time(), 0.0)
            await asyncio.sleep(pause)
            slept += max(pause, LEAST_SECONDS)
        elif not waited and _others_at_work():
            await _others_to_rest(max_sleep)
            waited = True
        elif not _ready(loop):
            return


def count_calls(patch: pytest.MonkeyPatch) -> None:
    """Calls to other threads are known from now on, and the pilot waits for them."""
    begin = BaseEventLoop.run_in_executor

    def counted(self: BaseEventLoop, executor: Any, func: Any, *args: Any) -> asyncio.Future[Any]:
        future = begin(self, executor, func, *args)
        _away.add(future)
        future.add_done_callback(_away.discard)
        return future

    _away.clear()
    patch.setattr(BaseEventLoop, "run_in_executor", counted)
    for module in ("textual.pilot", "textual.app"):
        patch.setattr(f"{module}.wait_for_idle", until_idle)


def _ready(loop: Any) -> bool:
    return bool(loop._ready)


def _next_due(loop: Any) -> float:
    return min((timer._when for timer in loop._scheduled if not timer._cancelled), default=float("inf"))


async def _others_to_rest(longest: float) -> None:
    """Until no thread is at work, or the process did little for a while."""
    end = time.monotonic() + longest
    while _others_at_work() and time.monotonic() < end:
        busy = time.process_time()
        for _ in range(LOOKS):
            await asyncio.sleep(LOOK_SECONDS)
            if not _others_at_work():
                return
        if time.process_time() - busy < LITTLE * LOOKS * LOOK_SECONDS:
            return


def _others_at_work() -> bool:
    """A thread that waits for its next call is not at work."""
    if _away:
        return True
    frames = sys._current_frames()
    return any(
        thread.name.startswith(("spark-", "next-edit"))
        and not thread.name.startswith("spark-executor")
        and not _waits(frames.get(thread.ident or 0))
        for thread in threading.enumerate()
    )


def _waits(frame: FrameType | None) -> bool:
    """Whether the thread whose newest frame this is waits for another one, which has not woken it yet; or for
    a time that is not soon."""
    if frame is None or frame.f_code is not threading.Condition.wait.__code__:
        return False
    names = frame.f_locals
    longest = names["timeout"]
    soon = longest is not None and longest < HORIZON_SECONDS
    return not soon and names.get("waiter") in names["self"]._waiters
