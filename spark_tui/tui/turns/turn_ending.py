"""How the last turn ended: whether it can be resumed, and whether a message is about it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeGuard

from spark_tui.events import CUT_OFF, Failed, Finished
from spark_tui.tui.code.hunk_view import OPEN, HunkView

Ending = Finished | Failed
_UNFINISHED = ("interrupted", *CUT_OFF)
_CONTRADICTS = re.compile(r"\s*(?:no|nope|not|wait|actually|rather|instead)\b", re.IGNORECASE)


def is_unfinished(last: Ending | None) -> TypeGuard[Ending]:
    """Whether more of the turn may come."""
    return isinstance(last, Failed) or (last is not None and last.reason in _UNFINISHED)


class TurnEnding:
    """`last` is None while a turn runs, and where nothing can be said of one."""

    def __init__(self) -> None:
        self.last: Ending | None = None
        self._before: Ending | None = None
        """How the turn ended that a leg may go on with, or another model."""

    def begin(self) -> None:
        """A turn or a leg was asked for."""
        self.last, self._before = None, self.last or self._before

    def forget(self) -> None:
        """Another turn began: the one before cannot be resumed."""
        self._before = None

    def refuse(self) -> None:
        """What was asked for did not begin: a turn that could be resumed still can."""
        if self.last is None and is_unfinished(self._before):
            self.last = self._before

    def change_model(self, resumes: bool) -> None:
        """Another model answers; whether it can go on with the last turn."""
        self._before = self.last or self._before
        self.last = self._before if resumes else None


def steers(text: str, last: Ending | None, hunks: Sequence[HunkView]) -> bool:
    """Whether a message steers a turn with these hunks: it was stopped and is not fully decided, or nothing
    of it is decided, or there is nothing to decide and the message contradicts it."""
    if not isinstance(last, Finished):
        return False
    if last.reason == "interrupted":
        return not hunks or any(hunk.state in OPEN for hunk in hunks)
    return bool(_CONTRADICTS.match(text)) and all(hunk.state in OPEN for hunk in hunks)
