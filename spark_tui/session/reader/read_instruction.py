"""What came of reading an instruction: the edits that may be meant, or a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from spark_tui.pysource.repository import Repository
from spark_tui.session.exact.exact_turn import PlannedEdit
from spark_tui.session.reader.reader_edits import ReaderEdit
from spark_tui.session.review.turn_record import TurnRecord

Ending = Literal["stop", "choices", "no_edit", "cannot", "write", "interrupted"]


@dataclass(frozen=True)
class ReadWay:
    """One edit that may be meant, planned on the files of `disk`, the turns that it replaces, and what a
    follow-up needs to know."""

    title: str
    planned: PlannedEdit
    replaced: tuple[TurnRecord, ...] = ()
    edit: ReaderEdit | None = None
    disk: Repository | None = None


@dataclass(frozen=True)
class ReadInstruction:
    """The outcome of reading an instruction.

    `ways` is the edit, or the choices. `sentence` is for the user; if a language model has to write, it is
    shown only if that has no edit either.
    """

    ending: Ending
    ways: tuple[ReadWay, ...] = ()
    sentence: str = ""
    seconds: float = 0.0
    withdrawn: tuple[TurnRecord, ...] = ()
    """Turns whose undecided hunks are rejected with it."""
    final: bool = False
    """Whether no model is asked either."""
    unread: str = ""
    """What of the repository was not looked at yet, as a sentence."""
