"""Runs a function on a thread that does not keep the process alive."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from threading import Thread
from typing import TypeVar

T = TypeVar("T")


def in_daemon(work: Callable[[], T], name: str) -> Future[T]:
    """Start it. The future gets its result, or what it raises; it cannot be cancelled."""
    future: Future[T] = Future()
    future.set_running_or_notify_cancel()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:
            future.set_exception(error)

    Thread(target=run, name=name, daemon=True).start()
    return future
