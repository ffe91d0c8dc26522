"""What came of reading an instruction: the edits that may be meant, or a sentence."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from spark_tui.pysource.repository import Repository
from spark_tui.session.exact.exact_turn import PlannedEdit
from spark_tui.session.reader.reader_edit import ReaderEdit
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
    takes_back: bool = False
    """Whether it is the last edit taken back."""


def told_apart(ways: Iterable[ReadWay]) -> tuple[ReadWay, ...]:
    """Each edit once, as several calls may come to the same in the files; of those that are called the same,
    each with its first line."""
    once: dict[object, ReadWay] = {}
    for way in ways:
        hunks = (replace(hunk, id=0) for hunk in way.planned.hunks)
        once.setdefault((*hunks, *(record.turn_id for record in way.replaced)), way)
    titles = [way.title for way in once.values()]
    return tuple(
        replace(way, title=f"{way.title}, line {way.planned.hunks[0].old_start}")
        if titles.count(way.title) > 1
        else way
        for way in once.values()
    )


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

    @property
    def is_sure(self) -> bool:
        """Whether it is an edit without a mark, which leaves nothing open, or takes the last one back."""
        if self.withdrawn:
            return True
        planned = self.ways[0].planned if self.ending == "stop" and self.ways else None
        return planned is not None and not (planned.doubts or planned.left or planned.guessed)

    def had_in(self, seconds: float) -> ReadInstruction:
        """The same, had after so long."""
        ways = (replace(way, planned=replace(way.planned, seconds=seconds)) for way in self.ways)
        return replace(self, ways=tuple(ways), seconds=seconds)
