"""A session that is opened again looks as it did."""

from __future__ import annotations

import threading

from support.fake_session import FakeSession
from support.workbench_app import SIZE, Settle, bench

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
    session: FakeSession, settle: Settle
) -> None:
    past = [*session.start(ContextRequest("guard it"), stop=threading.Event()), Decided(1, "rejected")]
    session.review.reject(1)
    app = SparkApp(
        Startup(session.root, session.settings, lambda: session, past=lambda: [*BEFORE, *past]), environ={}
    )
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        turn_state = bench(app).controller.turn_state
        assert {hunk.id: hunk.state for hunk in turn_state.hunks.values()} == {1: "rejected", 2: "closed"}
        assert turn_state.metrics.tokens == sum(isinstance(event, Token) for event in past)
        assert (turn_state.metrics.first_token, turn_state.metrics.rate(turn_state.clock())) == (None, None)


async def test_the_first_token_is_what_the_end_of_the_turn_says_of_it(
    session: FakeSession, settle: Settle
) -> None:
    past = [*BEFORE[:-1], Finished("stop", timing=Timing(first_token=0.25))]
    app = SparkApp(Startup(session.root, session.settings, lambda: session, past=lambda: past), environ={})
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        assert bench(app).controller.turn_state.metrics.first_token == 0.25
