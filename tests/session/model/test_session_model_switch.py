"""Another model in the middle of a session: what was said stays; what one wrote is not gone on with by
another."""

import threading

import pytest
from support.fakes import FakeBackend
from support.scripted_backend import Scripted, after, run

from spark_tui import events
from spark_tui.config.settings import Settings
from spark_tui.context.shown_context import ContextRequest
from spark_tui.errors import UsageError

FIRST = "*** shop/cart.py\n@@ 1,2\n+first\n@@ 3,3\n+second\n"
OTHER = "*** shop/cart.py\n@@ 1,2\n+other\n"


@pytest.fixture
def session(open_in_shop):
    return open_in_shop({"one": FIRST, "x": ""})


def test_the_next_turn_asks_the_other_model_with_what_was_said_before(session):
    run(session.turn, "one")
    session.decisions.decide(1, "accepted")
    other = Scripted({"two": OTHER})
    before = session.use(other)
    before.close()
    run(session.turn, "two")
    request = other.requests[-1]
    assert [said.instruction for said in request.history] == ["one"]
    assert "accepted" in request.history[0].outcome
    assert request.emitted == ()
    assert session.decisions.review.state(1) == "accepted", "hunks and decisions stay"


def test_a_turn_that_another_model_wrote_is_neither_resumed_nor_gone_back_into(session):
    run(session.turn, "one", until=after(30))
    assert session.turns.can_resume
    session.use(Scripted({"more": OTHER})).close()
    assert not session.turns.can_resume
    with pytest.raises(UsageError, match="was written by"):
        run(session.turns.resume)
    with pytest.raises(UsageError, match="was written by"):
        run(session.turns.branch_at, 1, "more")


def test_a_steer_after_another_models_turn_becomes_a_turn_of_its_own(session):
    run(session.turn, "one", until=after(30))
    other = Scripted({"more": OTHER})
    session.use(other).close()
    seen = run(session.turns.steer, "more")
    assert isinstance(seen[0], events.Decided) and seen[0].decision == "dropped"
    assert isinstance(seen[1], events.TurnStarted)
    assert other.requests[-1].spliced == ()


def test_while_a_turn_runs_the_model_stays(session):
    other, refused = FakeBackend([OTHER]), []
    for event in session.turn("one", stop=threading.Event()):
        if isinstance(event, events.Token) and not refused:
            with pytest.raises(UsageError, match="running"):
                session.use(other)
            refused.append(event)
    assert refused
    assert session.backend is not other


def test_reading_ahead_is_of_the_model_in_use(session):
    session.warmer.drafts.quiet_seconds = 0.0
    session.warmer.drafts.draft(ContextRequest("x", in_view="shop/cart.py"))
    assert session.warmer.drafts.settle(20)
    other = Scripted({"x": ""})
    first = session.use(other)
    session.warmer.drafts.draft(ContextRequest("x", in_view="shop/cart.py"))
    assert session.warmer.drafts.settle(20)
    assert [request.kind for request in first.requests] == ["warm"]
    assert [request.kind for request in other.requests] == ["warm"]


def test_settings_that_change_count_from_the_next_turn_on(session):
    session.adopt(Settings(max_tokens=7))
    run(session.turn, "one")
    assert session.backend.requests[-1].max_tokens == 7
