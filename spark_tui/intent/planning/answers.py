"""What is answered to an instruction: an edit, a choice of edits, or a sentence."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from spark_tui.codemods.families.files import ReplaceLines
from spark_tui.codemods.plan import Plan
from spark_tui.codemods.registry import Operation, render
from spark_tui.intent.context.situation import Done
from spark_tui.intent.words.doubts import SEVERAL, is_of

Kind = Literal["edit", "choices", "nothing", "cannot", "write", "question", "chat", "undo"]
UNSURE = "the reader is not sure that this is meant"
"""The mark of an edit that nothing else speaks against."""
FOLLOW_UP = "read as being about the last edit: check that this is meant"
"""The same after an edit, where it is not known how sure the reader is."""
_FILE = re.compile(r"([^\s(,]+)::")


@dataclass(frozen=True)
class Way:
    """One way to do what was asked: the calls, what they would change, and why to be careful."""

    calls: tuple[Operation, ...]
    plan: Plan
    confidence: float
    marked: tuple[str, ...]
    """Why a person should look at it; empty for an edit without a mark."""
    title: str
    done: Done | None = None
    """What a follow-up needs to know of it."""
    from_before: bool = False
    """Whether the plan is for the repository before the earlier answer, which it replaces."""
    evidence: Mapping[str, float] = field(default_factory=dict)
    """What the confidence was computed from."""
    may_be_unmarked: bool = False
    """Whether nothing but the confidence speaks for a mark."""


def marked_with(doubt: str, way: Way) -> Way:
    """The way with one more reason to look at it."""
    return replace(way, marked=tuple(dict.fromkeys((*way.marked, doubt))), evidence={})


def is_about_choice(mark: str) -> bool:
    """Whether a mark only says that another edit may be meant."""
    return mark in (UNSURE, FOLLOW_UP) or is_of(mark, *SEVERAL)


def titles_apart(ways: Sequence[Way]) -> tuple[str, ...]:
    """The titles of some ways; those that are the same get a line that only they write, or else the file that
    their call names."""
    titles = [way.title for way in ways]
    written = [[*dict.fromkeys(_lines(way))] for way in ways]
    for at, title in enumerate([*titles]):
        others = [lines for place, lines in enumerate(written) if place != at and ways[place].title == title]
        own = [line for line in written[at] if others and not any(line in lines for lines in others)]
        titles[at] = f"{title}, then {own[0]}" if len(own) == 1 else title
    files = [_FILE.search("; ".join(map(render, way.calls))) for way in ways]
    return tuple(
        f"{title} in {file[1]}" if file is not None and titles.count(title) > 1 else title
        for title, file in zip(titles, files, strict=True)
    )


def _lines(way: Way) -> list[str]:
    texts = (call.text for call in way.calls if isinstance(call, ReplaceLines))
    return [line.strip() for text in texts for line in text.splitlines()]


@dataclass(frozen=True)
class Answer:
    """What is done about an instruction. `ways`: one for an edit, two or three for choices."""

    kind: Kind
    ways: tuple[Way, ...] = ()
    reason: str = ""
    """For nothing and cannot: a sentence for the person; for write: what to say if the model has no edit; for
    an edit: why a part of the instruction was left."""
    best: Way | None = None
    """The likeliest edit of several, or one that was too unlikely to be offered."""
    idle: str = ""
    """For nothing: why, without the sentence around it."""
    closed: bool = False
    """For write: whether a model would do harm, such as remove what is used or define a name twice."""
