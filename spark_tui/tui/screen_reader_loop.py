"""Runs `spark --screen-reader`: lines from the terminal to the speaker, and Ctrl+C."""

from __future__ import annotations

import queue
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from spark_tui.tui.live_settings import LiveSettings
from spark_tui.tui.screen_reader import LineSpeaker

if TYPE_CHECKING:
    from spark_tui.session.session import Session


def run_screen_reader(
    session: Session, source: TextIO, out: TextIO, preferences: LiveSettings | None = None
) -> int:
    """Until the person quits. Ctrl+C stops a turn; when nothing runs it leaves."""
    speaker = LineSpeaker(session, out, preferences)
    try:
        with _interrupts(speaker):
            return speaker.run(_lines(source, speaker))
    except KeyboardInterrupt:
        return 130
    finally:
        session.close()


def _lines(source: TextIO, speaker: LineSpeaker) -> Iterator[str]:
    """Lines as they come; `stop` counts at once, while a turn still holds the loop."""
    heard: queue.Queue[str | None] = queue.Queue()

    def listen() -> None:
        for line in source:
            if not speaker.handle(line):
                heard.put(line)
        heard.put(None)

    threading.Thread(target=listen, name="spark-ears", daemon=True).start()
    while (line := heard.get()) is not None:
        yield line


@contextmanager
def _interrupts(speaker: LineSpeaker) -> Iterator[None]:
    """Ctrl+C stops the turn; when none runs, or it has been asked to stop already, it leaves."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def on_interrupt(*_: object) -> None:
        if not speaker.stop():
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, on_interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
