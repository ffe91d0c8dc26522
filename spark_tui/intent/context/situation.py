"""What is known when an instruction comes in, and one way to do it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from spark_tui.codemods.registry import Operation
from spark_tui.intent.words.readings import CODE, Reading, Span
from spark_tui.pysource.repository import Repository


@dataclass(frozen=True)
class Done:
    """What the last answer did: its intent, the words of its slots, and the calls that were made of them."""

    intent: str
    slots: Mapping[str, tuple[Span, ...]]
    calls: tuple[Operation, ...]
    left_out: tuple[Span, ...] = ()
    everywhere: bool = False
    turned_down: tuple[str, ...] = ()
    """Calls, as text, that were offered before and not meant."""
    others: tuple[Operation, ...] = ()
    """Calls of the orders before it in the same instruction."""
    kind_only: bool = False
    """Whether nothing is known but the intent, from the syntax of what was written."""

    @property
    def reading(self) -> Reading:
        return Reading(self.intent, 1.0, self.slots, self.left_out, self.everywhere)


def detached(slots: Mapping[str, tuple[Span, ...]], instruction: str) -> dict[str, tuple[Span, ...]]:
    """Slots without their places in an instruction, for follow-ups; code in backticks is not quoted, and what
    is shown as the argument of a call stays code."""
    out = {}
    for slot, spans in slots.items():
        kept = []
        for span in spans:
            near = (
                *instruction[span.start : span.start + 1],
                *instruction[max(span.start - 1, 0) : span.start],
            )
            shown = span.start > 0 and instruction[span.start - 1 : span.end + 1] == f"({span.text})"
            at = CODE if shown or span.start == CODE else -1
            kept.append(Span(at, at, span.text, span.quoted and "`" not in near))
        out[slot] = tuple(kept)
    return out


@dataclass(frozen=True)
class Situation:
    """The repository with pending hunks, the open file, and where in it a person is. Lines count from 1."""

    repo: Repository
    path: str = ""
    selection: tuple[int, int] | None = None
    cursor: int | None = None
    earlier: Done | None = None
    before: Repository | None = None
    """The repository as it was before the earlier answer."""
    changed: tuple[str, ...] = ()
    """The files that the earlier answer changed; without any the open one."""
    written: Repository | None = None
    """The repository with the earlier answer, where that was turned down."""
    partial: bool = False
    """Whether the earlier answer was stopped, so that what it wrote is not all of it."""
    focused: bool = False
    """Whether the selection is not a person's, but the lines that the earlier answer wrote."""
    may_try: Callable[[], bool] = lambda: True
    """Whether code of the repository may be run now, to try repairs."""
    guessing: bool = False
    """Whether a condition whose words no rule reads is taken for the likeliest test."""
    several: bool = False
    """Whether the instruction has other orders besides."""
    whole: str = ""
    """The instruction with its other orders, where it has any; those are blanks in `instruction`."""
    taken: tuple[Operation, ...] = ()
    """Calls of other orders of the same instruction, of which none of this one may set the same thing."""

    @property
    def behind(self) -> Repository:
        """The repository with the earlier answer."""
        return self.written or self.repo

    instruction: str = ""
    asked: str = ""
    """The instruction that the earlier answer was for."""
    line: int | None = None
    """The line that the instruction names."""


@dataclass(frozen=True)
class Candidate:
    """One way to do an order: calls that are made one after the other.

    `doubts` are what was guessed. `weight` is how likely the guesses are right, given the reading. `refused`
    says why no call could be built."""

    calls: tuple[Operation, ...]
    reading: Reading
    doubts: tuple[str, ...] = ()
    weight: float = 1.0
    refused: str = ""
    nothing: bool = False
    """Whether there is no call because all is as asked for."""
    from_before: bool = False
    """Whether the calls are for the repository before the earlier answer."""


@dataclass(frozen=True, eq=False)
class Area:
    """Where something is looked for: a function, a class, or with `node` None a whole file."""

    path: str
    node: ast.AST | None = None
    qualname: str = ""
    weight: float = 1.0
    doubts: tuple[str, ...] = ()
    said: bool = True
    """False for an area that nobody named."""

    @property
    def place(self) -> str:
        return f"in {self.path}::{self.qualname}" if self.qualname else f"in {self.path}"


@dataclass(frozen=True)
class Option:
    """A text that a slot may stand for, with its likelihood and what was guessed."""

    text: str
    weight: float = 1.0
    doubts: tuple[str, ...] = ()


class Unresolved(Exception):
    """Words that mean nothing here, or that no call can be built of. The message is for people.

    `nothing`: because all is as asked for already."""

    def __init__(self, reason: str = "", nothing: bool = False) -> None:
        super().__init__(reason)
        self.nothing = nothing
