"""A session that is opened again looks as it did."""

from __future__ import annotations

import threading

from support.fake_session import FakeSession
from support.workbench_app import SIZE, answered, app_for, bench, press, running, screen_text, settle

from spark_tui import events
from spark_tui.context.shown_context import ContextRequest
from spark_tui.events import Decided, Event, Finished, Timing, Token, TurnStarted
from spark_tui.tui.app import SparkApp
from spark_tui.tui.settings.startup import Startup

BEFORE: list[Event] = [
    TurnStarted("t", "before", "m", "lines"),
    *(Token(n, "x") for n in range(9)),
    Finished("stop"),
]


async def test_what_was_refused_in_the_last_turn_is_shown_and_that_turn_alone_is_counted(
    session: FakeSession,
) -> None:
    past = [*session.start(ContextRequest("guard it"), stop=threading.Event()), Decided(1, "rejected")]
    session.review.reject(1)
    app = app_for(session, [*BEFORE, *past])
    async with running(app):
        turn_state = bench(app).controller.turn_state
        assert {hunk.id: hunk.state for hunk in turn_state.hunks.values()} == {1: "rejected", 2: "closed"}
        assert turn_state.metrics.tokens == sum(isinstance(event, Token) for event in past)
        assert (turn_state.metrics.first_token, turn_state.metrics.rate(turn_state.clock())) == (None, None)


async def test_a_hunk_that_is_accepted_and_not_written_is_in_view(session: FakeSession) -> None:
    past = [*session.start(ContextRequest("guard it"), stop=threading.Event())]
    session.review.reject(1)
    session.review.accept(2)
    app = app_for(session, [*BEFORE, *past, Decided(1, "rejected"), Decided(2, "accepted")])
    async with running(app, (100, 16)) as pilot:
        await settle(pilot)
        assert bench(app).navigation.current_id == 2
        assert "✓" in "".join(line for line in screen_text(app).splitlines() if "▌" in line)


async def test_the_first_token_is_what_the_end_of_the_turn_says_of_it(session: FakeSession) -> None:
    past = [*BEFORE[:-1], Finished("stop", timing=Timing(first_token=0.25))]
    app = app_for(session, past)
    async with running(app):
        assert bench(app).controller.turn_state.metrics.first_token == 0.25


async def test_the_key_undoes_as_long_as_something_stands(session: FakeSession, app: SparkApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await answered(pilot)
        await press(pilot, "tab", "a", "w")
        # Of another turn, which was written at once with this one.
        session.undo_stack.insert(0, (dict(session.texts), events.Applied(("cart.py",), "c9")))
        for left in (1, 0):
            await press(pilot, "u")
            assert len(session.undo_stack) == left
        await press(pilot, "u")
        assert "nothing to undo here" in screen_text(app)


async def test_a_key_that_needs_the_session_says_that_it_is_still_opening(session: FakeSession) -> None:
    gate = threading.Event()

    def opened() -> FakeSession:
        assert gate.wait(60)
        return session

    app = SparkApp(Startup(session.root, session.settings, opened), environ={})
    async with app.run_test(size=SIZE) as pilot:
        try:
            await pilot.press("tab", "u")
            await pilot.pause()
            assert "the session is still opening" in screen_text(app)
        finally:
            gate.set()
        await settle(pilot)
