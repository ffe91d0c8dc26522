"""The far side of `spark bench ui`: the real workbench over a real session, with a backend that writes at a rate.

Comes in: a folder, a rate and a number of seconds. Goes out: JSON with the lateness of the event loop, in a file.
Must not know: what the near side makes of it.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Event as StopFlag

from spark_tui.backends.base import Request
from spark_tui.config import Settings
from spark_tui.events import Event, Token

PIECES = ("+", "    ", "value", "_{:06d}", " =", " compute", "(", "total", ", ", "name", "=", '"n"', ")", "\n")
"""One line of the answer, as tokens; its number says when it was written."""
LINES_A_HUNK = 40
PROBE_SECONDS = 0.005


def answer(lines: int) -> Iterator[str]:
    """Insertions all over a file of 400 lines, in the `lines` format."""
    yield "*** big.py\n"
    for number in range(lines):
        if number % LINES_A_HUNK == 0:
            at = (number // LINES_A_HUNK * 7) % 390 + 1
            yield f"@@ {at},{at}\n"
        for piece in PIECES:
            yield piece.format(number)


class Writer:
    """A backend that keeps to its rate whatever becomes of the text."""

    name = "writer"
    window = 8192

    def __init__(self, rate: float, seconds: float) -> None:
        self._rate, self._lines = rate, int(rate * seconds / len(PIECES))
        self.began = 0.0
        self.took = 0.0
        self.count = 0
        self.written: list[float] = []
        """When the number of each line was handed over."""

    def format_for(self, request: Request) -> str:
        del request
        return "lines"

    def stream(self, request: Request, stop: StopFlag) -> Iterator[Event]:
        del request
        self.began = time.monotonic()
        for number, text in enumerate(answer(self._lines)):
            wait = self.began + number / self._rate - time.monotonic()
            if wait > 0:
                stop.wait(wait)
            if stop.is_set():
                return
            if text[:1] == "_":
                self.written.append(time.monotonic())
            yield Token(number, text)
            self.count = number + 1
            self.took = time.monotonic() - self.began

    def count_tokens(self, text: str) -> int:
        return len(text) // 4

    def close(self) -> None:
        """Nothing is held."""


def main(folder: Path, rate: float, seconds: float) -> None:
    from spark_tui.session.session import Session
    from spark_tui.tui import collecting
    from spark_tui.tui.app import SparkApp
    from spark_tui.tui.start import Start

    root = folder / "tree"
    writer, settings, late = Writer(rate, seconds), Settings(), list[float]()

    class Measured(SparkApp):
        def on_mount(self) -> None:
            super().on_mount()
            asyncio.get_running_loop().create_task(self.measure())

        async def measure(self) -> None:
            bench = self.workbench
            while bench is None or bench.conductor.opening:
                await asyncio.sleep(0.02)
            await asyncio.sleep(0.5)
            cpu = time.process_time()
            bench.conductor.submit("write")
            while bench.conductor.running:
                begin = time.perf_counter()
                await asyncio.sleep(PROBE_SECONDS)
                late.append(time.perf_counter() - begin - PROBE_SECONDS)
            found = {
                "late": late,
                "written": writer.written,
                "rate": writer.count / writer.took,
                "cpu": (time.process_time() - cpu) / writer.took,
            }
            (folder / "found.json").write_text(json.dumps(found), encoding="utf-8")
            self.exit(0)

    def opening() -> Session:
        session = Session(root, writer, settings, folder / "state")
        collecting.go_on()
        return session

    Measured(Start(root, settings, opening)).run()


if __name__ == "__main__":
    main(Path(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3]))
