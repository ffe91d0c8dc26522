"""Words that are for a language model."""

from __future__ import annotations

from dataclasses import dataclass

from spark_tui.context.shown_context import ContextRequest


@dataclass(frozen=True)
class ForModel:
    """`sentence`: what to say if it has no edit either. `chosen` of `choices`: the number with which the
    person asked for it; 0 where nobody did."""

    ask: ContextRequest
    sentence: str = ""
    chosen: int = 0
    choices: int = 0
    may_offer: bool = False
    """Whether the reader may offer what it is not sure of, where the model has no edit."""
    unread: str = ""
    """What of the repository was not looked at yet, as a sentence."""
