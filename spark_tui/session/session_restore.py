"""A kept session as its turns: what the journal shows, and what was kept beside it to go on.

Comes in: the folder of a session. Goes out: one `PastTurn` a turn, oldest first. Must not know: models, the
tree.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from spark_tui import events
from spark_tui.backends.base import Request
from spark_tui.context.shown_context import ContextRequest
from spark_tui.events import Event
from spark_tui.session import journal
from spark_tui.session.turn_storage import Leg, StoredTurn, stored_turns

_SAID = (events.Prose, events.HunkOpened, events.HunkText, events.HunkClosed, events.HunkFailed)
"""What a parser gives."""


@dataclass(slots=True)
class PastTurn:
    """One turn of a kept session."""

    turn_id: str
    started: events.TurnStarted
    kept: StoredTurn
    shown: list[Event] = field(default_factory=list)

    @property
    def tokens(self) -> int:
        return sum(isinstance(event, events.Token) for event in self.shown)

    @property
    def said_behind_last_token(self) -> int:
        """How many of the events that the last token gives are in the journal."""
        count = 0
        for event in reversed(self.shown):
            if isinstance(event, events.Token):
                break
            count += isinstance(event, _SAID)
        return count

    @property
    def reason(self) -> str:
        """How it ended; empty where the process was killed before it could end."""
        reason = ""
        for event in self.shown:
            if isinstance(event, events.Finished):
                reason = event.reason
            elif isinstance(event, events.Failed):
                reason = "failed"
            elif isinstance(
                event, (events.TurnStarted, events.Steered, events.PrefillProgress, events.Token)
            ):
                reason = ""
        return reason

    @property
    def leg(self) -> Leg | None:
        """The last leg that counts: a steer that was never journaled does not. Of two that claim the same
        place the later one was asked."""
        steers = sum(isinstance(event, events.Steered) for event in self.shown)
        tokens = self.tokens
        counting = [leg for leg in self.kept.legs if leg.steers <= steers and leg.tokens <= tokens]
        return counting[-1] if counting else None

    def tokens_of(self, leg: Leg) -> list[events.Token]:
        """What came since that leg began."""
        return [event for event in self.shown if isinstance(event, events.Token)][leg.tokens :]


def same_model(told: str, name: str) -> bool:
    """Whether two names of backends are of one model, whatever server has it and at whatever pace. A
    recording takes the place of any other."""
    told, name = (one.partition(" at ")[0] for one in (told, name))
    if told.startswith("replay") and name.startswith("replay"):
        return True
    return told.rpartition("/")[2] == name.rpartition("/")[2]


def past_turns(folder: Path) -> list[PastTurn]:
    """Raises MalformedInput where the journal is damaged."""
    kept = stored_turns(folder)
    out: list[PastTurn] = []
    for entry in journal.read(folder / "journal.jsonl"):
        event = entry.event
        if isinstance(event, events.TurnStarted):
            known = kept.get(event.turn_id) or StoredTurn(
                (Request(event.prompt),), ContextRequest(event.prompt)
            )
            out.append(PastTurn(event.turn_id, event, known))
        if out:
            out[-1].shown.append(event)
    return out
