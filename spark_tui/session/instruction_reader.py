"""Reads what a person says without a language model: the edits it may ask for, planned on the repository."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from spark_tui.codemods.registry import render
from spark_tui.context.mentions import without_files
from spark_tui.context.shown_context import ContextRequest
from spark_tui.intent.answer import Answer, Way, answer
from spark_tui.intent.situation import Done, Situation
from spark_tui.intent.symbol_roles import repository_roles
from spark_tui.session.exact_edits import ExactEdits
from spark_tui.session.exact_turn import PlannedEdit

if TYPE_CHECKING:
    from spark_tui.intent.reader import Reader

Ending = Literal["stop", "choices", "no_edit", "cannot"]
_ENDINGS: dict[str, Ending] = {
    "edit": "stop",
    "choices": "choices",
    "nothing": "no_edit",
    "cannot": "cannot",
    "question": "cannot",
    "chat": "cannot",
}


@dataclass(frozen=True)
class ReadWay:
    """One edit that may be meant, and what a follow-up has to know of it."""

    title: str
    planned: PlannedEdit
    done: Done | None


@dataclass(frozen=True)
class ReadInstruction:
    """What was made of an instruction. `ways`: the edit, or the choices."""

    ending: Ending
    ways: tuple[ReadWay, ...] = ()
    sentence: str = ""
    seconds: float = 0.0
    amends: bool = False
    """Whether it takes the place of the earlier edit."""


class InstructionReader:
    """The learned reader of a session."""

    @cached_property
    def _reader(self) -> Reader:
        from spark_tui.intent.reader import Reader

        return Reader.load()

    def read(
        self, ask: ContextRequest, edits: ExactEdits, earlier: Done | None = None
    ) -> ReadInstruction | None:
        """What is meant; None where it is for a language model to write."""
        begun = time.monotonic()
        situation = Situation(
            repo=edits.repo,
            path=ask.in_view or (ask.files[0] if ask.files else ""),
            selection=ask.selection,
            cursor=ask.cursor or None,
            earlier=earlier,
            instruction=ask.instruction,
        )
        opened = (situation.path,) if situation.path else ()
        roles = repository_roles(edits.repo.index, opened)
        found = answer(without_files(ask.instruction), self._reader, situation, roles)
        if found.kind == "write":
            return None
        return _read(ask.instruction, found, edits, time.monotonic() - begun)


def _read(instruction: str, found: Answer, edits: ExactEdits, seconds: float) -> ReadInstruction:
    ways = tuple(_way(instruction, one, edits, seconds) for one in found.ways)
    amends = any(one.from_before for one in found.ways)
    return ReadInstruction(_ENDINGS[found.kind], ways, found.reason, seconds, amends)


def _way(instruction: str, way: Way, edits: ExactEdits, seconds: float) -> ReadWay:
    hunks = edits.hunks(way.plan)
    as_read = {hunk.path: edits.files.tree.file(hunk.path) for hunk in hunks}
    shown = "; ".join(render(call) for call in way.calls)
    planned = PlannedEdit(instruction, shown, way.plan, hunks, as_read, seconds, guessed=way.marked)
    return ReadWay(way.title, planned, way.done)
