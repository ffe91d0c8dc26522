"""What is doubtful about an edit: a sentence for people, and the kind by which decisions are taken."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import TypeGuard


class DoubtKind(Enum):
    """What was guessed, or left undone. The values are stored with the edits of a session."""

    PLACES = "places"
    """Several places fit."""
    SYMBOLS = "symbols"
    """Several symbols have the name."""
    WHOLE_LINE = "whole line"
    """Several places on one line fit, and all are changed."""
    READ_AS = "read as"
    """A name was read as a similar one."""
    MEANT = "meant"
    """A thing that nothing names was assumed to be meant."""
    ASSUMED = "assumed"
    """A word or a value was assumed to mean something."""
    TRIED = "tried"
    """It is a repair that makes a test or an example pass."""
    TAKEN_FOR = "taken for"
    """A condition was taken for words, or words for a name."""
    MADE_UP = "made up"
    MESSAGE = "message"
    """The message of an error or of a log was made up."""
    DRAFTED = "drafted"
    """A docstring was made from a name, or a method whose work is not said."""
    COMPLETED = "completed"
    """What an instruction need not say was added: a default, or types."""
    NOT_SAID = "not said"
    """The instruction does not give what the edit needs, or the test does not say what the words do."""
    NOT_LEFT_OUT = "not left out"
    NOT_KEPT = "not kept"
    """What the last edit wrote goes."""
    UNSET = "unset"
    """A name may not be set where it is used now."""
    DROPPED = "dropped"
    """What the code did is not done any more."""
    UNUSED = "unused"
    """Words of the instruction are not used."""
    UNDONE = "undone"
    """A part of what was asked for is not done."""


SEVERAL = (DoubtKind.PLACES, DoubtKind.SYMBOLS)
"""Of these it is known how many fit."""


class Doubt(str):
    """A sentence about what is doubtful, with its kind. `number` is how many fit, of `SEVERAL`; `words` are
    those of the instruction that are left undone."""

    kind: DoubtKind
    number: int
    words: str

    def __new__(cls, sentence: str, kind: DoubtKind, number: int = 0, words: str = "") -> Doubt:
        made = super().__new__(cls, sentence)
        made.kind, made.number, made.words = kind, number, words
        return made


MESSAGE_MADE_UP = Doubt("the message was made up", DoubtKind.MESSAGE)
LOG_MADE_UP = Doubt("the text of the log was made up", DoubtKind.MESSAGE)


def places_fit(count: int) -> Doubt:
    """That so many places fit."""
    return Doubt(f"{count} places fit", DoubtKind.PLACES, count)


def assumed(sentence: str) -> Doubt:
    return Doubt(sentence, DoubtKind.ASSUMED)


def taken_for(what: str, words: str) -> Doubt:
    return Doubt(f"{what} was taken for {words}", DoubtKind.TAKEN_FOR)


def made_up(sentence: str) -> Doubt:
    return Doubt(sentence, DoubtKind.MADE_UP)


def drafted(sentence: str) -> Doubt:
    return Doubt(sentence, DoubtKind.DRAFTED)


def not_said(sentence: str) -> Doubt:
    return Doubt(sentence, DoubtKind.NOT_SAID)


def unused(words: str) -> Doubt:
    """That words of the instruction are not used."""
    return Doubt(f"not used: {words}", DoubtKind.UNUSED)


def is_of(doubt: str, *kinds: DoubtKind) -> TypeGuard[Doubt]:
    """Whether a doubt is of one of these kinds; a plain sentence is of none."""
    return isinstance(doubt, Doubt) and doubt.kind in kinds


def without(doubts: Iterable[str], *kinds: DoubtKind) -> tuple[str, ...]:
    """The doubts that are of none of these kinds."""
    return tuple(doubt for doubt in doubts if not is_of(doubt, *kinds))
