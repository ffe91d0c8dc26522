"""An instruction that goes to a language model."""

from __future__ import annotations

from dataclasses import dataclass

from spark_tui.context.shown_context import ContextRequest


@dataclass(frozen=True)
class ForModel:
    """`sentence`: what to say if the model has no edit either. `chosen`: the number among `choices` with
    which the user asked for the model, or 0."""

    ask: ContextRequest
    sentence: str = ""
    chosen: int = 0
    choices: int = 0
    may_offer: bool = False
    """Whether the reader may offer uncertain edits if the model has none."""
    unread: str = ""
    """What of the repository was not looked at yet, as a sentence."""
