from __future__ import annotations

from fake_session import CART, FakeSession, Pause, guard
from rich.cells import cell_len
from settling import Settle, app_for, bench, screen_text

from spark_tui import events
from spark_tui.tui.board import Board
from spark_tui.tui.keys import keymap
from spark_tui.tui.tour import ASK, STEER, STEPS, Tour

STARTED = events.TurnStarted("t", ASK, "fake", "lines")
HUNK = events.HunkClosed(1, "f", 1, (), ("x",))


def test_each_step_is_done_by_doing_it() -> None:
    board, tour = Board(lambda: 0.0), Tour(keymap())
    seen = [tour.sentence]
    for batch in (
        [STARTED, events.Token(1, "x")],
        [events.Steered(STEER), HUNK],
        [events.Interrupted(3), events.Finished("interrupted")],
        [events.Decided(1, "accepted")],
        [events.Applied(("f",), "c", (1,))],
        [events.Undone(("f",), "c")],
        [STARTED],
    ):
        board.apply(batch)
        tour.see(board)
        seen.append(tour.sentence)
    assert [text[:4] for text in seen[:-1]] == [f"{n}/7 " for n in range(1, 8)]
    assert seen[-1] == ""


def test_a_turn_that_ended_by_itself_skips_what_can_no_longer_be_done() -> None:
    board, tour = Board(lambda: 0.0), Tour(keymap())
    board.begin()
    board.apply([STARTED, HUNK, events.Finished("stop")])
    tour.see(board)
    assert tour.sentence.startswith("4/7")


def test_sentences_name_the_keys_in_force_and_fit_a_small_screen() -> None:
    tour = Tour(keymap({"accept": "y"}))
    tour._at = 3
    assert "y accepts" in tour.sentence
    for at in range(len(STEPS)):
        tour._at = at
        assert cell_len(tour.sentence) <= 86


async def test_the_tour_fills_the_prompt_and_says_what_to_do(settle: Settle) -> None:
    pause = Pause()
    app = app_for(FakeSession({"cart.py": CART}, {ASK: guard(pause_inside=pause)}), tour=True)
    async with app.run_test(size=(100, 32)) as pilot:
        await settle(pilot)
        assert bench(app).prompt.text == ASK
        assert "1/7 Enter sends" in screen_text(app)
        await pilot.press("enter")
        await pause.come()
        while bench(app).prompt.text != STEER:
            await pilot.pause(0.01)
        assert "2/7" in screen_text(app)
        await pilot.press("enter")
        await settle(pilot)
        assert "4/7 Tab goes to the hunks" in screen_text(app)
