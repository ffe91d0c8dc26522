"""What is answered to an instruction: an edit, a choice of edits, or a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from spark_tui.codemods.plan import Plan
from spark_tui.codemods.registry import Operation
from spark_tui.intent.situation import Done

Kind = Literal["edit", "choices", "nothing", "cannot", "write", "question", "chat", "undo"]
UNSURE = "it may be meant otherwise"
"""The mark of an edit that nothing else speaks against."""


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
