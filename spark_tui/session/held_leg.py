"""How the events of a leg end, and those after a message, which are held back until it is known that the
message leads to an edit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from spark_tui import events
from spark_tui.events import Event

_EDITS = (events.HunkOpened, events.HunkClosed, events.HunkFailed)
_NOTHING_MADE = (
    "No edit was made of this message. What was written of the edit before it stays: it can be resumed, and"
    " the message can be said in other words.\n"
)


def until_an_edit(leg: Iterator[Event]) -> Iterator[Event]:
    """All events from the first edit on, with those before it; of a leg without an edit only that it ended,
    as if it had been stopped at once."""
    held: list[Event] = []
    for event in leg:
        if isinstance(event, (events.Interrupted, events.Failed)):
            held = []
        elif isinstance(event, events.Finished):
            yield events.Interrupted(0)
            yield events.Prose(_NOTHING_MADE)
            yield replace(event, reason="interrupted")
            return
        elif not isinstance(event, _EDITS):
            held.append(event)
            continue
        yield from (*held, event)
        yield from leg


def ends_leg(event: Event) -> bool:
    """Whether there would be no such event if the answer went on."""
    ends = (events.Interrupted, events.Finished, events.Failed)
    return isinstance(event, ends) or (isinstance(event, events.HunkClosed) and event.partial)
