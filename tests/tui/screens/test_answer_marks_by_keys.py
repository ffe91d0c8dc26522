"""What an answer would break: marked when its check has ended, said where the hunk's state is said, and gone
to by a key."""

from __future__ import annotations

import threading

import pytest
from support.fake_session import CART, FakeSession, Pause, guard
from support.workbench_app import SIZE, answered, app_for, ask, bench, press, screen_text, settle, until

from spark_tui import events
from spark_tui.tui.code.code_layout import CodeLayout
from spark_tui.tui.turns.state import TurnState

USES = "".join(f"line {number}\n" for number in range(1, 80)) + "cart.add('tea')\n"
BREAKS = (
    events.Checked((1, 2)),
    events.Doubt(1, 0.0, "breaks tests.py:80: calls add() without qty", "tests.py", 80),
    events.Doubt(1, 0.0, "breaks cart.py:29: calls add() without qty", "cart.py", 29),
)


@pytest.fixture
def session() -> FakeSession:
    made = FakeSession({"cart.py": CART, "tests.py": USES}, {"guard it": guard()})
    made.checks = BREAKS
    return made


async def test_a_hunk_that_breaks_something_is_marked_and_says_what(session: FakeSession) -> None:
    app = app_for(session)
    async with app.run_test(size=SIZE) as pilot:
        await answered(pilot)
        hunks = bench(app).controller.turn_state.hunks
        assert [hunk.mark for hunk in hunks.values()] == ["?", "●"]
        assert "hunk 1 breaks tests.py:80: calls add() without qty" in screen_text(app)
        await press(pilot, "tab")
        status = screen_text(app).splitlines()[-2]
        assert "? breaks tests.py:80: calls add() without qty (and 1 more)" in status
        assert "F12 what breaks" in screen_text(app).splitlines()[-1]
        await press(pilot, "n")
        assert "breaks" not in screen_text(app).splitlines()[-2]
        assert "F12" not in screen_text(app).splitlines()[-1]


async def test_the_mark_of_an_earlier_hunk_is_not_said_of_the_next_turn(session: FakeSession) -> None:
    session.scripts["explain it"] = [events.Prose("It guards.\n")]
    app = app_for(session)
    async with app.run_test(size=SIZE) as pilot:
        await answered(pilot)
        await press(pilot, "tab", "escape")
        assert "? breaks tests.py:80" in screen_text(app).splitlines()[-2]
        session.checks = ()
        await answered(pilot, "explain it")
        assert "? breaks" not in screen_text(app).splitlines()[-2]
        await press(pilot, "tab")
        assert "? breaks tests.py:80" in screen_text(app).splitlines()[-2]


@pytest.mark.parametrize("key", ["f12", "ctrl+right_square_bracket"])
async def test_the_key_goes_to_each_place_and_back_to_the_hunk(session: FakeSession, key: str) -> None:
    app = app_for(session)
    async with app.run_test(size=SIZE) as pilot:
        await answered(pilot)
        code = bench(app).code
        await press(pilot, "tab", key)
        assert (code.file.path, code.row_at_cursor().number) == ("tests.py", 80)
        assert bench(app).navigation.current_id == 1
        assert "cart.add('tea')" in screen_text(app)
        assert "F12: the next place" in screen_text(app)
        await press(pilot, key)
        row = code.row_at_cursor()
        assert (code.file.path, row.number) == ("cart.py", 29)
        assert "F12: back to hunk 1" in screen_text(app)
        await press(pilot, key)
        assert code.row_at_cursor().hunk == 1
        await press(pilot, key, "a")
        assert session.calls[-1] == ("decide", 1, "accepted", "")


async def test_the_key_says_so_where_nothing_breaks(session: FakeSession) -> None:
    session.checks = (events.Checked((1, 2)),)
    app = app_for(session)
    async with app.run_test(size=SIZE) as pilot:
        await answered(pilot)
        await press(pilot, "tab", "f12")
        assert "nothing is known that this hunk would break" in screen_text(app)
        assert bench(app).code.file.path == "cart.py"


async def test_a_check_that_still_runs_holds_up_neither_keys_nor_decisions_nor_the_next_turn() -> None:
    running, stopped = threading.Event(), threading.Event()

    class Slow(FakeSession):
        def check_answer(self, *, stop: threading.Event) -> tuple[events.Event, ...]:
            if not running.is_set():
                running.set()
                assert stop.wait(60)
                stopped.set()
                return ()
            return BREAKS

    session = Slow({"cart.py": CART, "tests.py": USES}, {"guard it": guard()})
    app = app_for(session)
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await until(pilot, running.is_set)
        assert not bench(app).controller.running
        await pilot.press("tab", "a")
        await until(pilot, lambda: ("decide", 1, "accepted", "") in session.calls)
        assert not stopped.is_set()
        await pilot.press("escape")
        await answered(pilot)
        assert stopped.is_set()
        assert sum(call[0] == "turn" for call in session.calls) == 2
        assert "breaks tests.py:80" in screen_text(app)


async def test_what_was_not_checked_is_said(session: FakeSession) -> None:
    session.checks = (events.Checked((1, 2), "only the changed files were checked"),)
    app = app_for(session)
    async with app.run_test(size=SIZE) as pilot:
        await answered(pilot)
        assert "only the changed files were checked" in screen_text(app)


async def test_nothing_is_checked_before_the_turn_has_ended() -> None:
    pause, checks = Pause(), []

    class Counting(FakeSession):
        def check_answer(self, *, stop: threading.Event) -> tuple[events.Event, ...]:
            checks.append(stop)
            return ()

    session = Counting({"cart.py": CART}, {"guard it": [*guard(), pause]})
    app = app_for(session)
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await pause.come()
        await pilot.pause()
        assert not checks
        pause.go()
        await settle(pilot)
        assert len(checks) == 1


def test_a_later_check_replaces_what_the_one_before_found_and_not_what_the_model_doubts() -> None:
    turn_state = TurnState(lambda: 0.0)
    closed = events.HunkClosed(1, "cart.py", 3, ("a",), ("b",))
    started = events.TurnStarted("t", "go", "fake", "lines")
    turn_state.apply([started, closed, events.Doubt(1, 0.3, "unsure"), events.Finished("stop")])
    turn_state.apply(BREAKS)
    hunk = turn_state.hunks[1]
    assert hunk.why_doubted == "breaks tests.py:80: calls add() without qty (and 1 more)"
    turn_state.apply([events.Checked((1,))])
    assert (hunk.breaks, hunk.why_doubted, hunk.mark) == ((), "unsure", "?")
    turn_state.apply([events.Checked((7,)), events.Doubt(7, 0.0, "breaks x.py", "x.py")])


def test_a_line_that_is_not_there_any_more_is_gone_to_as_near_as_can_be() -> None:
    rows = CodeLayout(["a", "b", "c"])
    assert [rows.row_of_number(number) for number in (1, 3, 9, 0)] == [0, 2, 2, 0]


@pytest.mark.parametrize(("key", "shown"), [("ctrl+a", "Ctrl+A"), ("A", "A")])
async def test_accept_all_leaves_out_marked_hunks_until_its_key_is_pressed_again(
    session: FakeSession, key: str, shown: str
) -> None:
    app = app_for(session)
    async with app.run_test(size=SIZE) as pilot:
        await answered(pilot)
        await press(pilot, "tab", key)
        hunks = bench(app).controller.turn_state.hunks
        assert [hunk.state for hunk in hunks.values()] == ["closed", "accepted"]
        assert f"1 marked hunk was not accepted (?); {shown} again accepts it too" in screen_text(app)
        assert bench(app).navigation.current_id == 1
        await press(pilot, key)
        assert [hunk.state for hunk in hunks.values()] == ["accepted", "accepted"]


@pytest.mark.parametrize("keys", [("ctrl+a", "n", "o", "ctrl+a"), ("A", "ctrl+a")])
async def test_another_key_withdraws_the_offer_to_accept_marked_hunks(
    session: FakeSession, keys: tuple[str, ...]
) -> None:
    app = app_for(session)
    async with app.run_test(size=SIZE) as pilot:
        await answered(pilot)
        await press(pilot, "tab", *keys)
        hunks = bench(app).controller.turn_state.hunks
        assert hunks[1].state == "closed"
        assert "1 marked hunk was not accepted" in screen_text(app)
