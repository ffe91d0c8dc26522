"""Runs `spark --screen-reader`: lines from the terminal to the speaker, and Ctrl+C."""

from __future__ import annotations

import queue
import signal
import threading
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TextIO

from spark_tui.errors import visible
from spark_tui.events import Event
from spark_tui.session.stop_signals import stopped_by
from spark_tui.tui.killed_sessions import notes_of_killed
from spark_tui.tui.screen_reader.speaker import LineSpeaker
from spark_tui.tui.settings.live_settings import LiveSettings

if TYPE_CHECKING:
    from spark_tui.session.session import Session


def run_screen_reader(
    session: Session,
    source: TextIO,
    out: TextIO,
    preferences: LiveSettings | None = None,
    in_view: str = "",
    past: Sequence[Event] = (),
) -> int:
    """Until the person quits. Ctrl+C stops a turn; when nothing runs it leaves. `past`: what happened in a
    stored session."""
    speaker = LineSpeaker(session, out, preferences, in_view, past)
    try:
        for note in notes_of_killed(session):
            print(f"{visible(note)}. The command spark sessions lists it.", file=out, flush=True)
        # Ctrl+C stops the turn; when none runs, or it has been asked to stop already, it leaves. What ends a
        # program from outside does both.
        with stopped_by(lambda number: speaker.stop() and number == signal.SIGINT):
            return speaker.run(_lines(source, speaker))
    except KeyboardInterrupt:
        return 130
    finally:
        session.close()


def _lines(source: TextIO, speaker: LineSpeaker) -> Iterator[str]:
    """The lines as they are typed; `stop` takes effect immediately, even while a turn occupies the loop."""
    typed: queue.Queue[str | None] = queue.Queue()

    def listen() -> None:
        for line in source:
            if not speaker.handle(line):
                typed.put(line)
        typed.put(None)

    threading.Thread(target=listen, name="spark-ears", daemon=True).start()
    while (line := typed.get()) is not None:
        yield line
