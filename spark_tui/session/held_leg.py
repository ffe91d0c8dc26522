"""How the events of a leg end, and those after a message, which are held back until it is known that the
message leads to an edit. What a leg begins with may be the rest of an edit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from spark_tui import events
from spark_tui.backends.base import Backend, takes_corrections
from spark_tui.events import Event

_EDITS = (events.HunkOpened, events.HunkClosed, events.HunkFailed)
_NOTHING_MADE = (
    "No edit was made of this message. What was written of the edit before it stays: it can be resumed, and"
    " the message can be said in other words.\n"
)
JOINED = "the answer broke off in this edit, and the model went on with it"


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


def joined(leg: Iterator[Event], in_edit: Callable[[], bool], backend: Backend) -> Iterator[Event]:
    """A leg that goes on inside of an edit, as long as it is in that one and in the same file. A chat model
    may begin the edit again there, or say something first: its hunks are doubted."""
    path, inside = "", True
    for event in leg:
        inside = inside and in_edit()
        if inside and isinstance(event, events.HunkClosed) and not event.partial:
            path = path or event.path
            if event.path == path and takes_corrections(backend):
                yield events.Doubt(event.hunk_id, 0.0, JOINED)
        inside = inside and not isinstance(event, events.HunkFailed)
        yield event


def ends_leg(event: Event) -> bool:
    """Whether there would be no such event if the answer went on."""
    ends = (events.Interrupted, events.Finished, events.Failed)
    return isinstance(event, ends) or (isinstance(event, events.HunkClosed) and event.partial)
