"""What of earlier hunks and attempts is in view once more came."""

from __future__ import annotations

import asyncio
from unittest.mock import Mock

import pytest

from spark_tui import events
from spark_tui.edits.hunk import Hunk
from spark_tui.edits.review import Review
from spark_tui.tui.turns.replay import bring_back, replay, take_states
from spark_tui.tui.turns.review_controller import ReviewController
from spark_tui.tui.turns.state import TurnState

FIRST, SECOND = Hunk(1, "cart.py", 5, ("a",), ("b",)), Hunk(2, "cart.py", 5, ("a",), ("b", "c"))
DONE = events.Finished("stop")


def started(name: str) -> events.TurnStarted:
    return events.TurnStarted(name, name, "fake", "lines")


def three_turns() -> tuple[Review, list[events.Event]]:
    """The second turn replaces the accepted hunk of the first; the third makes nothing."""
    review = Review()
    review.extend([FIRST, SECOND])
    review.accept(1)
    review.replace(1, [2])
    one = [started("one"), FIRST.closed(), DONE, events.Decided(1, "accepted")]
    two = [started("two"), SECOND.closed(), events.Decided(1, "rejected", "2"), DONE]
    return review, [*one, *two, started("three"), events.Prose("Hm."), DONE]


def test_a_hunk_that_is_back_is_in_view_again_and_can_be_decided() -> None:
    review, past = three_turns()
    state = TurnState(lambda: 0.0)
    state.apply(past)
    assert list(state.hunks) == [2]
    review.reject(2)
    review.accept(1)
    bring_back(state, review, [1])
    take_states(state, review)
    assert [(hunk.id, hunk.state, hunk.new) for hunk in state.taken()] == [(1, "accepted", ["b"])]


def test_a_session_that_is_opened_again_shows_what_is_back() -> None:
    review, past = three_turns()
    review.reject(2)
    review.accept(1)
    state = TurnState(lambda: 0.0)
    replay(state, review, [*past, events.Decided(2, "rejected"), events.Decided(1, "accepted")])
    assert {hunk.id: hunk.state for hunk in state.in_view()} == {1: "accepted", 2: "rejected"}


def _attempt(step: int, *made: events.Event, failed: bool = False) -> list[events.Event]:
    called = events.ToolCalled(f"c{step}", "edit", step)
    return [called, *made, events.ToolFinished(f"c{step}", "edit", "{}", "", failed)]


def test_an_edit_that_did_not_fit_goes_once_the_model_wrote_it_again() -> None:
    misfit = events.HunkFailed(1, "cart.py", "the edit does not match", 3, 5)
    state = TurnState(lambda: 0.0)
    state.apply([started("one"), *_attempt(1, misfit, failed=True)])
    assert [hunk.state for hunk in state.in_view()] == ["failed"]
    state.apply([*_attempt(2, SECOND.closed()), DONE])
    assert [(hunk.id, hunk.state) for hunk in state.in_view()] == [(2, "closed")]


def test_an_edit_that_nothing_stands_in_for_stays_and_repeats_of_it_are_shown_once() -> None:
    misfits = [events.HunkFailed(at, "cart.py", "the edit does not match", 3, 5) for at in (1, 2)]
    state = TurnState(lambda: 0.0)
    attempts = [event for at, one in enumerate(misfits, 1) for event in _attempt(at, one, failed=True)]
    state.apply([started("one"), *attempts, DONE])
    assert [(hunk.id, hunk.state) for hunk in state.in_view()] == [(2, "failed")]


@pytest.mark.parametrize(
    ("decided", "others", "said"),
    [
        ((2, "accepted"), [(1, "rejected", "2")], "hunk 1 is rejected: hunk 2 takes its lines"),
        ((2, "rejected"), [(1, "accepted", "")], "hunk 1 is accepted instead of hunk 2"),
        ((2, "rejected"), [(1, "rejected", "3")], "hunk 1 is rejected: hunk 3 takes its lines"),
        ((2, "accepted"), [(1, "accepted", "")], "hunk 1 is accepted again"),
    ],
)
def test_the_person_is_told_what_became_of_other_hunks_and_why(decided, others, said) -> None:
    state, review = TurnState(lambda: 0.0), Review()
    hunks = [FIRST, SECOND, Hunk(3, "cart.py", 5, ("a",), ("d",))]
    state.apply([started("one"), *(hunk.closed() for hunk in hunks), DONE])
    review.extend(hunks)
    made = [events.Decided(*other) for other in others]

    async def decide(*_asked: object) -> tuple[events.Decided, ...]:
        for one in (events.Decided(*decided), *made):
            (review.accept if one.decision == "accepted" else review.reject)(one.hunk_id)
        return tuple(made)

    access = Mock(ask=decide)
    access.session.decisions.review = review
    controller = ReviewController(access, state, Mock(), Mock())
    chosen, decision = decided
    asyncio.run(controller.change(state.hunks[chosen], decision == "accepted"))
    assert state.lines[-1].text == said
