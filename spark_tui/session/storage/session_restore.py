"""The turns of a stored session: what the journal shows of each, and what was stored for continuing it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from spark_tui import events
from spark_tui.backends.base import Request
from spark_tui.context.shown_context import ContextRequest
from spark_tui.session.storage.archive import JournaledTurn, turns_of
from spark_tui.session.storage.turn_storage import Leg, StoredTurn, stored_turns

_FROM_PARSER = (
    events.Prose,
    events.Reasoning,
    events.HunkOpened,
    events.HunkText,
    events.HunkClosed,
    events.HunkFailed,
    events.ToolCalled,
)


@dataclass(frozen=True, slots=True)
class PastTurn:
    """One turn of a stored session."""

    journaled: JournaledTurn
    stored: StoredTurn

    @property
    def tokens(self) -> list[events.Token]:
        return [event for event in self.journaled.all_events if isinstance(event, events.Token)]

    @property
    def parsed_after_last_token(self) -> int:
        """How many of the events that the last token leads to are in the journal."""
        count = 0
        for event in reversed(self.journaled.all_events):
            if isinstance(event, events.Token):
                break
            count += isinstance(event, _FROM_PARSER)
        return count

    @property
    def leg(self) -> Leg | None:
        """The last leg that counts: one that begins with a steer that was never journaled does not. Of two
        at the same place the later one was asked."""
        steers = sum(isinstance(event, events.Steered) for event in self.journaled.all_events)
        tokens = len(self.tokens)
        counting = [leg for leg in self.stored.legs if leg.steers <= steers and leg.tokens <= tokens]
        return counting[-1] if counting else None


def past_turns(folder: Path) -> list[PastTurn]:
    """Oldest first. Raises MalformedInput where the journal is damaged."""
    stored = stored_turns(folder)
    return [PastTurn(turn, stored.get(turn.turn_id) or _only_journaled(turn)) for turn in turns_of(folder)]


def _only_journaled(turn: JournaledTurn) -> StoredTurn:
    prompt = turn.started.prompt
    return StoredTurn((Request(prompt),), ContextRequest(prompt))
