"""The replay backend: plays a recorded stream at its own, a given, or unlimited pace.

It serves demos, docs, bug reports and tests. Each recorded piece is one token, and a set stop flag takes
effect within one token. Its name says `replay`, and an instruction without a recording is an error.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from threading import Event as StopFlag

from spark_tui.backends.base import Request
from spark_tui.backends.recording import Recording
from spark_tui.errors import ConfigError, NoBackend
from spark_tui.events import Event, Token

MACHINES = ("wafer", "h100")
"""Paces that are another machine's: `backends.paced` keeps them, and a recording plays without one of its
own."""
_WORD = re.compile(r"\w+")


def parse_pace(text: str) -> float | None:
    """None: as it comes, or was recorded. 0: nothing is held back. Else tokens per second."""
    if text == "recorded":
        return None
    if text in ("unlimited", "off", *MACHINES):
        return 0.0
    try:
        rate = float(text)
    except ValueError:
        rate = -1.0
    if not 0 < rate <= 1e6:
        raise ConfigError(
            f"the pace cannot be {text!r}",
            where="model.pace",
            hint="Use recorded, off, tokens per second, wafer or h100.",
        )
    return rate


class ReplayBackend:
    """Plays the recording whose instruction is closest to the request's; a single recording answers every
    request.
    """

    window = 0
    takes_splices = True

    def __init__(self, recordings: Sequence[Recording], pace: float | None = None) -> None:
        if not recordings:
            raise NoBackend("no recording to play", hint="Name a file with --replay.")
        self._recordings = tuple(recording for recording in recordings if recording.format != "fill")
        self._fills = tuple(recording for recording in recordings if recording.format == "fill")
        self.fills_from = 0.0 if self._fills else None
        self._pace = pace
        self.name = "replay" if len(recordings) > 1 else f"replay {recordings[0].name}"

    def format_for(self, request: Request) -> str:
        return self._choose(request).format

    def stream(self, request: Request, stop: StopFlag) -> Iterator[Event]:
        """Play the recording. A request with `emitted` resumes after that many pieces; a steer starts its own
        recording.
        """
        recording = self._filled(request) if request.kind == "fill" else self._choose(request)
        if recording is None:
            return
        first = 0 if request.steer else len(request.emitted)
        pieces = recording.pieces[first : first + request.max_tokens]
        started = time.monotonic()
        offset = pieces[0].t if first and pieces else 0.0
        for index, piece in enumerate(pieces):
            if self._pace is None:
                due = piece.t - offset
            else:
                due = index / self._pace if self._pace else 0.0
            wait = started + due - time.monotonic()
            if stop.is_set() or (wait > 0 and stop.wait(wait)):
                return
            yield Token(id=first + index, text=piece.text)

    def count_tokens(self, text: str) -> int:
        return len(_WORD.findall(text))

    def close(self) -> None:
        """Nothing is held."""

    def _filled(self, request: Request) -> Recording | None:
        """The recorded ghost text for the line before the cursor."""
        fitting = [fill for fill in self._fills if request.prefix.endswith(fill.instruction)]
        return max(fitting, key=lambda item: len(item.instruction), default=None)

    def _choose(self, request: Request) -> Recording:
        last = request.spliced[-1].message if request.spliced else request.instruction
        asked = request.steer or last
        if not self._recordings:
            raise NoBackend("this recording has only ghost text", where=self.name)
        if len(self._recordings) == 1:
            return self._recordings[0]
        best = max(self._recordings, key=lambda r: _likeness(asked, r.instruction))
        if _likeness(asked, best.instruction) < 0.5:
            known = "; ".join(f"“{r.instruction}”" for r in self._recordings)
            raise NoBackend(
                "no recording matches this prompt", where=self.name, hint=f"Recorded prompts: {known}"
            )
        return best


def _likeness(a: str, b: str) -> float:
    """Dice likeness of the two sets of words: 1 for the same words in any order, 0 for none shared."""
    left, right = set(_WORD.findall(a.lower())), set(_WORD.findall(b.lower()))
    return 2 * len(left & right) / (len(left) + len(right)) if left and right else 0.0
