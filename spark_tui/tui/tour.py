"""The tour of `spark --demo`: one sentence at a time above the transcript, each done by doing it.

Nothing waits for the tour and nothing is locked by it: who does something else is met by the step that fits. Comes
in: what the board shows. Goes out: the sentence of the moment, and what to put into an empty prompt.
Must not know: widgets, recordings.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from spark_tui.events import Finished
from spark_tui.tui.board import Board
from spark_tui.tui.hunks import TAKEN
from spark_tui.tui.keys import Keymap

ASK = "simplify `revenue` and `by_day` in report.py"
STEER = "no, use a defaultdict in by_day instead"
PACE = "40"
"""Tokens a second where the person has not said another pace: slow enough to be stopped by hand."""


@dataclass(frozen=True, slots=True)
class Step:
    """`done` says that the person has done it, or that it can no longer be done."""

    says: str
    done: Callable[[Board], bool]
    prompt: str = ""


def _stopped(board: Board) -> bool:
    return isinstance(board.last, Finished) and not board.busy


STEPS = (
    Step("{submit} sends what stands in the prompt", lambda board: board.turn > 0, ASK),
    Step(
        "It writes into the file itself. Say something else meanwhile: {submit} steers it",
        lambda board: any(line.speaker == "steer" for line in board.lines) or _stopped(board),
        STEER,
    ),
    Step("{stop} stops it, at once; what is whole stays", _stopped),
    Step("{queue} goes to the hunks; {accept} accepts one", lambda board: board.count(*TAKEN, "undone") > 0),
    Step("{write} writes what is accepted to the files", lambda board: board.count("written", "undone") > 0),
    Step("{undo} takes it out of them again", lambda board: board.count("undone") > 0),
    Step("That was all. {help} shows every key, and this copy is yours to play with", lambda board: board.turn > 1),
)
_KEYS = ("submit", "stop", "queue", "accept", "write", "undo", "help")


class Tour:
    """Goes on as its steps are done; `sentence` is empty when it is over."""

    def __init__(self, keymap: Keymap) -> None:
        self._keys = {action: keymap.shown(action) for action in _KEYS}
        self._at = 0

    def see(self, board: Board) -> str | None:
        """Look at the board. A new step gives what the prompt should hold now; None: the step is still the same."""
        before = self._at
        while self._at < len(STEPS) and STEPS[self._at].done(board):
            self._at += 1
        if self._at == before:
            return None
        return STEPS[self._at].prompt if self._at < len(STEPS) else ""

    @property
    def first_prompt(self) -> str:
        return STEPS[0].prompt

    @property
    def sentence(self) -> str:
        if self._at >= len(STEPS):
            return ""
        return f"{self._at + 1}/{len(STEPS)} " + STEPS[self._at].says.format(**self._keys)
