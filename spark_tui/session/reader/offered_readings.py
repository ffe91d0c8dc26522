"""The end of a model's turn that the reader passed on: the reader's remarks, and its offers if the model
has no edit."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from spark_tui import events
from spark_tui.context.shown_context import ContextRequest
from spark_tui.edits.hunk import Hunk
from spark_tui.errors import NoFileShown
from spark_tui.events import Event
from spark_tui.session.reader.no_hunk_reason import CAN_DO, DECLINED
from spark_tui.session.turn import Turn

_ENDED = (*DECLINED, "stop")
_STAYS = "No edit was made of this message. The edit before it stays.\n"
_UNSURE = "The built-in reader is not sure what is meant"
Offers = Callable[[float], Sequence[str]]
"""Titles to choose from, given how likely it is that there is anything to do."""
Hunks = Callable[[], Sequence[tuple[Hunk, str]]]
"""The hunks of the turn so far, and their states."""


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

    def without_model(self, error: NoFileShown) -> str:
        """What to say if no file can be shown to the model, so that it cannot be asked."""
        if self.sentence in ("", CAN_DO):
            return f"{error.what[:1].upper()}{error.what[1:]}. {error.hint}"
        said = self.sentence.partition(". ")[0].rstrip(".") + "."
        return " ".join(filter(None, (said, self.unread, "To let the model try, name a file: @path.")))


def with_readings(
    asked: ForModel, turn: Turn, stream: Iterator[Event], offers: Offers, hunks: Hunks
) -> Iterator[Event]:
    """The events of a model's turn, with the user's choice to ask it and the reader's remarks if the
    model declines or makes an edit that cannot be exact. A turn without an edit ends with the reader's
    offers; next to an edit they can be chosen. What has no place, or repeats what is there
    already, is none."""
    logprob = 0.0
    for event in stream:
        titles: Sequence[str] = ()
        if isinstance(event, events.Token):
            logprob += event.logprob
        elif isinstance(event, events.Finished) and event.reason in _ENDED:
            idle = event.reason == "no_edit" and not turn.changes
            titles = offers(1.0 - math.exp(min(logprob, 0.0)) if idle else 1.0)
        if isinstance(event, events.Finished) and _is_told(asked.sentence, event.reason, titles):
            why = _UNSURE if titles else asked.sentence.partition(". ")[0].rstrip(".")
            why += "; the model wrote this instead."
            yield events.Prose(f"{why if event.reason == 'stop' and hunks() else asked.sentence}\n")
            if event.reason == "no_edit":
                turn.reason = "cannot"  # as the sentence says
                event = replace(event, reason=turn.reason)
        if titles:
            yield events.Choices(tuple(titles))
        if isinstance(event, events.Finished) and titles and not turn.changes:
            turn.reason = "choices"
            event = replace(event, reason=turn.reason)
        yield event
        if isinstance(event, events.TurnStarted) and asked.chosen:
            yield events.Chosen(asked.chosen, asked.choices)


def keeping_edits(stream: Iterator[Event], turn: Turn, hunks: Hunks) -> Iterator[Event]:
    """The events after a message that the reader passed on. A small model that sees nothing to do in it has
    not turned the edit before it down: the reader knows the messages that do."""
    for event in stream:
        if (
            isinstance(event, events.Finished)
            and event.reason == "no_edit"
            and any(state == "open" for _, state in hunks())
        ):
            yield events.Prose(_STAYS)
            turn.reason = "cannot"  # as the sentence says
            event = replace(event, reason=turn.reason)
        yield event


def _is_told(sentence: str, reason: str, titles: Sequence[str]) -> bool:
    if not sentence or (sentence == CAN_DO and (titles or reason == "stop")):
        return False
    return reason == "stop" or (reason in DECLINED and not titles)
