"""Calls that cannot be interrupted, such as the lookup of a name or a connect, and are given up instead."""

from __future__ import annotations

import threading
from collections.abc import Callable
from threading import Event as StopFlag
from typing import TypeVar

from spark_tui.backends.remote.transport import StoppedWaiting

_T = TypeVar("_T")
_STOP_POLL_SECONDS = 0.02


def call(work: Callable[[], _T], stop: StopFlag | None, discard: Callable[[_T], None]) -> _T:
    """What `work` gives or raises. If `stop` is set first, `StoppedWaiting`: `work` goes on in its thread,
    and what it gives then is discarded."""
    if stop is None:
        return work()
    done, lock = threading.Event(), threading.Lock()
    given: list[_T] = []
    failed: list[BaseException] = []
    left = False

    def run() -> None:
        try:
            result = work()
        except BaseException as error:
            failed.append(error)
        else:
            with lock:
                if not left:
                    given.append(result)
                    done.set()
                    return
            discard(result)
        done.set()

    threading.Thread(target=run, daemon=True, name="spark-connect").start()
    while not done.wait(_STOP_POLL_SECONDS):
        if stop.is_set():
            with lock:
                left = not given
            if left:
                raise StoppedWaiting
    if failed:
        raise failed[0]
    return given[0]
