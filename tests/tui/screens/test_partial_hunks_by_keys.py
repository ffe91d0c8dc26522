from __future__ import annotations

import pytest
from support.fake_session import BODY, CART, FakeSession, Pause, guard
from support.workbench_app import SIZE, app_for, ask, bench, halfway, press, running, screen_text
from textual.pilot import Pilot

from spark_tui import events
from spark_tui.edits.hunk import Hunk


async def test_escape_stops_and_leaves_a_partial_hunk_that_can_be_dropped() -> None:
    async with halfway() as (app, pilot, session, _):
        await press(pilot, "escape")
        assert bench(app).controller.turn_state.hunks[1].state == "partial"
        assert bench(app).focused is bench(app).prompt
        await press(pilot, "tab", "r")
        assert session.calls[-1] == ("decide", 1, "dropped", "")


async def stopped_inside(pilot: Pilot[None], pause: Pause) -> None:
    await ask(pilot)
    await pause.come()
    await press(pilot, "escape")
    await pilot.press("tab")


def truncating(old: tuple[str, ...] = BODY) -> tuple[FakeSession, Pause]:
    """A session whose turn is stopped where the last line of its hunk is half there."""
    pause = Pause()
    session = FakeSession({"cart.py": CART}, {"guard it": guard(pause_inside=pause)})
    session.cut_off = (14, old, ("        item = self.inv",))
    return session, pause


@pytest.mark.parametrize(
    "keys", [["a", "w"], ["A", "w"], ["ctrl+a", "w"], ["a", "n", "a", "w"], ["a", "escape", "w"]]
)
async def test_a_partial_hunk_is_not_accepted_by_one_key(keys: list[str]) -> None:
    session, pause = truncating()
    app = app_for(session)
    async with app.run_test(size=SIZE) as pilot:
        await stopped_inside(pilot, pause)
        await press(pilot, *keys)
        assert session.texts["cart.py"] == CART
        assert [call for call in session.calls if call[0] in ("decide", "write")] == []
        assert bench(app).controller.turn_state.hunks[1].state == "partial"


@pytest.mark.parametrize(
    ("old", "loss"),
    [
        (BODY, "hunk 1 is partial; a again keeps 1 line, deletes 4 lines: def add(self, sku, qty=1): …"),
        ((), "hunk 1 is partial; a again keeps 1 line, deletes none"),
    ],
)
async def test_a_partial_hunk_is_kept_by_a_second_key_once_its_loss_was_named(
    old: tuple[str, ...], loss: str
) -> None:
    session, pause = truncating(old)
    app = app_for(session)
    async with app.run_test(size=SIZE) as pilot:
        await stopped_inside(pilot, pause)
        assert "Ctrl+R resume   r drop   a keep as it is" in screen_text(app)
        await press(pilot, "a")
        assert loss in screen_text(app)
        await press(pilot, "a")
        assert session.calls[-2:] == [("decide", 1, "kept", ""), ("decide", 1, "accepted", "")]


async def test_a_kept_hunk_is_partial_again_when_its_decision_is_taken_back() -> None:
    session, pause = truncating()
    app = app_for(session)
    async with app.run_test(size=SIZE) as pilot:
        await stopped_inside(pilot, pause)
        await press(pilot, "a", "a", "o", "ctrl+a", "w")
        assert bench(app).controller.turn_state.hunks[1].state == session.review.state(1) == "partial"
        assert session.texts["cart.py"] == CART


async def test_accepting_all_leaves_partial_hunks_and_says_so() -> None:
    pause = Pause()
    whole = events.HunkClosed(7, "cart.py", 1, (), ("# whole",))
    session = FakeSession({"cart.py": CART}, {"guard it": [whole, *guard(pause_inside=pause)]})
    session.cut_off = (14, BODY, ("        item = self.inv",))
    app = app_for(session)
    async with app.run_test(size=SIZE) as pilot:
        await stopped_inside(pilot, pause)
        await press(pilot, "ctrl+a")
        assert "hunk 1 is partial and was not accepted" in screen_text(app)
        assert [bench(app).controller.turn_state.hunks[n].state for n in (7, 1)] == ["accepted", "partial"]


@pytest.mark.parametrize("key", ["e", "s", "space"])
async def test_a_partial_hunk_is_not_edited_split_or_taken_by_line(key: str) -> None:
    session, pause = truncating()
    app = app_for(session)
    async with app.run_test(size=SIZE) as pilot:
        await stopped_inside(pilot, pause)
        await press(pilot, key)
        assert "this hunk is partial: resume it, drop it or keep it first" in screen_text(app)
        assert bench(app).code.editor is None


async def test_a_partial_hunk_of_a_kept_session_is_not_accepted_by_one_key() -> None:
    session = FakeSession({"cart.py": CART}, {})
    cut = events.HunkClosed(1, "cart.py", 14, BODY, ("        item = self.inv",), partial=True)
    session.review.add(Hunk.of(cut))
    started = events.TurnStarted("t", "guard it", "model", "lines")
    past = [started, cut, events.Interrupted(3, 1), events.Finished("interrupted")]
    app = app_for(session, past)
    async with running(app) as pilot:
        await press(pilot, "tab", "a", "w")
        assert session.calls == [] and session.texts["cart.py"] == CART


async def test_a_long_hunk_is_looked_at_where_it_was_stopped() -> None:
    pause, lines = Pause(), tuple(f"line {number}" for number in range(80))
    script = [
        events.HunkOpened(1, "cart.py", 14, 1),
        *(events.HunkText(1, f"{line}\n") for line in lines),
        pause,
    ]
    session = FakeSession({"cart.py": CART}, {"guard it": script})
    session.cut_off = (14, (), lines)
    app = app_for(session)
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await pause.come()
        await press(pilot, "escape")
        assert "◐ stopped" in screen_text(app) and "line 79" in screen_text(app)
