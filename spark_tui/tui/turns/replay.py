"""Brings a turn state to where a stored session ended."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from spark_tui import events
from spark_tui.tui.code.hunk_view import STATE_OF, HunkView
from spark_tui.tui.turns.state import TurnState

if TYPE_CHECKING:
    from spark_tui.edits.review import Review


def replay(turn_state: TurnState, review: Review, past: Iterable[events.Event]) -> None:
    """Show what happened, with what was written and undone."""
    behind = list[events.Event]()
    for event in past:
        if isinstance(event, events.TurnStarted):
            turn_state.apply(behind)
            behind.clear()
        if isinstance(event, events.Decided) and event.decision == "split":
            turn_state.apply(behind)
            behind.clear()
            if event.hunk_id in turn_state.hunks:
                # The journal has only that it was split; the review has the parts.
                parts = [item for item in review.ids if review.source(item) == event.hunk_id]
                show_parts(turn_state, review, event.hunk_id, parts)
        else:
            behind.append(event)
    turn_state.apply(behind)
    bring_back(turn_state, review, review.ids_in(("open", "accepted", "edited")))
    take_states(turn_state, review)
    turn_state.settle(begins=False)
    turn_state.metrics.look_back(turn_state.last)
    turn_state.phase = "idle"


def show_parts(turn_state: TurnState, review: Review, whole_id: int, part_ids: Iterable[int]) -> None:
    """In the place of the whole."""
    for part_id in part_ids:
        turn_state.add_part(review.hunk(part_id), whole_id)
    del turn_state.hunks[whole_id]


def bring_back(turn_state: TurnState, review: Review, hunk_ids: Iterable[int]) -> None:
    """Show those of these hunks that went from view when a later turn began, and are wanted again."""
    for hunk_id in hunk_ids:
        if hunk_id not in turn_state.hunks and review.state(hunk_id) in ("open", "accepted", "edited"):
            view = HunkView(hunk := review.hunk(hunk_id))
            view.close(hunk.closed())
            turn_state.hunks[hunk_id] = view


def take_states(turn_state: TurnState, review: Review) -> None:
    """Take the written and undone hunks from the review, whatever the events named."""
    for hunk_id in review.ids:
        state = STATE_OF.get(review.state(hunk_id))
        if state and hunk_id in turn_state.hunks:
            turn_state.hunks[hunk_id].state = state
