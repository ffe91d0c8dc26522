"""A turn that a signal or a time limit stops."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator

from spark_tui.session.stop_signals import sets, stopped_by


@contextlib.contextmanager
def stopped_after(seconds: float, stop: threading.Event, ran_out: Callable[[], None]) -> Iterator[None]:
    """Ctrl+C and the time limit, if it is more than 0, set the stop flag; a second Ctrl+C ends the process
    immediately. `ran_out` is called before the limit stops anything."""

    def on_timeout() -> None:
        ran_out()
        stop.set()

    timer = threading.Timer(seconds, on_timeout) if seconds > 0 else None
    if timer:
        timer.daemon = True
        timer.start()
    try:
        with stopped_by(sets(stop)):
            yield
    finally:
        if timer:
            timer.cancel()
