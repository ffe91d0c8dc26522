"""The scripted model of `spark bench ui`, which writes at a fixed rate, and the texts that it writes."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from threading import Event as StopFlag

from spark_tui.backends.base import Request, WithoutModel
from spark_tui.events import Event, Token

PIECES = (
    "+",
    "    ",
    "value",
    "_{:06d}",
    " =",
    " compute",
    "(",
    "total",
    ", ",
    "name",
    "=",
    '"n"',
    ")",
    "\n",
)
"""One line of the answer, as tokens; its number says when it was written."""
LINES_A_HUNK = 40
WORDS = (
    "The",
    " total",
    " of",
    " value",
    "_{:06d}",
    " is",
    " computed",
    " again",
    " from",
    " here",
    ".",
    "\n",
)


def edits(lines: int) -> Iterator[str]:
    """Insertions all over a file of 400 lines, in the `lines` format."""
    yield "*** big.py\n"
    for number in range(lines):
        if number % LINES_A_HUNK == 0:
            at = (number // LINES_A_HUNK * 7) % 390 + 1
            yield f"@@ {at},{at}\n"
        for piece in PIECES:
            yield piece.format(number)


def prose(lines: int) -> Iterator[str]:
    """Sentences and no edit: every batch goes to the transcript."""
    for number in range(lines):
        for piece in WORDS:
            yield piece.format(number)


def replacement(lines: int) -> Iterator[str]:
    """One hunk that replaces a file of this many lines by as many others."""
    yield f"*** big.py\n@@ 1,{lines + 1}\n"
    for number in range(lines):
        yield f"+value_{number:06d} = {number}\n"


class ScriptedModel(WithoutModel):
    """A backend that keeps to its rate whatever becomes of the text. A rate of 0 holds nothing back."""

    name = "writer"
    window = 8192

    def __init__(self, pieces: Iterable[str], rate: float) -> None:
        self._pieces, self._rate = pieces, rate
        self.began = 0.0
        self.took = 0.0
        self.count = 0
        self.written: list[float] = []
        """When the number of each line was handed over."""

    def stream(self, request: Request, stop: StopFlag) -> Iterator[Event]:
        del request
        self.began = time.monotonic()
        for number, text in enumerate(self._pieces):
            wait = self.began + number / self._rate - time.monotonic() if self._rate else 0.0
            if wait > 0:
                stop.wait(wait)
            if stop.is_set():
                return
            if text[:1] == "_":
                self.written.append(time.monotonic())
            yield Token(number, text)
            self.count = number + 1
            self.took = time.monotonic() - self.began
