"""A decision can be changed until it is written, and lines that are being left out are not forgotten."""

from __future__ import annotations

import pytest
from support.fake_session import CART, FakeSession
from support.workbench_app import SIZE, answered, bench, press, screen_text

from spark_tui.tui.app import SparkApp
from spark_tui.workspace.apply import ChangedMeanwhile, ConflictedFile


def states(app: SparkApp) -> list[str]:
    return [hunk.state for hunk in bench(app).controller.turn_state.in_view()]


async def test_r_rejects_an_accepted_hunk_and_a_accepts_a_rejected_one(
    session: FakeSession, app: SparkApp
) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await answered(pilot)
        await press(pilot, "tab", "a", "p", "r")
        assert states(app) == ["rejected", "closed"]
        await press(pilot, "p", "a")
        assert states(app) == ["accepted", "closed"]
        assert [call[2] for call in session.calls if call[0] == "decide"] == [
            "accepted",
            "rejected",
            "accepted",
        ]


async def test_the_keys_for_all_hunks_of_a_file_leave_what_is_decided(app: SparkApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await answered(pilot)
        await press(pilot, "tab", "a", "R")
        assert states(app) == ["accepted", "rejected"]


async def test_a_written_hunk_is_not_rejected(app: SparkApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await answered(pilot)
        await press(pilot, "tab", "a", "p", "w")
        await press(pilot, "r")
        assert states(app) == ["written", "closed"]
        assert "nothing to reject here" in screen_text(app)


async def test_lines_of_an_accepted_hunk_can_be_left_out_and_are_not_written_meanwhile(
    session: FakeSession, app: SparkApp
) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await answered(pilot)
        await press(pilot, "tab", "a", "p", "down", "space")
        assert "a accept the rest   Esc cancel" in screen_text(app)
        await press(pilot, "n", "w")
        assert session.texts["cart.py"] == CART
        assert "first a to accept these lines, or Esc for all of them" in screen_text(app)
        await press(pilot, "a")
        assert states(app)[0] == "edited"
        await press(pilot, "w")
        assert session.texts["cart.py"] != CART


async def test_a_conflict_leads_to_its_hunk_which_r_rejects(
    session: FakeSession, app: SparkApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused() -> None:
        raise ConflictedFile([ChangedMeanwhile("cart.py", ())])

    async with app.run_test(size=SIZE) as pilot:
        await answered(pilot)
        await pilot.press("tab", "a", "a")
        monkeypatch.setattr(session, "check_write", refused)
        await press(pilot, "enter")
        assert "w would write nothing" in screen_text(app)
        await pilot.press("escape")
        monkeypatch.setattr(session, "write", refused)
        monkeypatch.setattr(session, "in_conflict", lambda paths: {1} if "cart.py" in paths else set())
        await press(pilot, "w")
        assert bench(app).navigation.current_id == 1
        assert "Reject the hunk" in screen_text(app)
        monkeypatch.undo()
        await press(pilot, "r", "w")
        assert states(app) == ["rejected", "written"]
