"""The rows of a list to choose from."""

from __future__ import annotations

import pytest
from support.fake_session import FakeSession
from support.workbench_app import app_for, bench, press, running, screen_text, settle

from spark_tui.tui.screens.pickers.picker import ChoiceRow, Picker

LONG = "rename the parameter of every function that takes a percent"


@pytest.mark.parametrize(("detail", "cut"), [("Esc", False), ("a long remark about the row beside it", True)])
async def test_a_label_has_the_room_that_its_detail_leaves(
    session: FakeSession, detail: str, cut: bool
) -> None:
    app = app_for(session)
    async with running(app, (80, 24)) as pilot:
        bench(app).push_overlay(Picker("edit", [ChoiceRow(LONG, "1", detail)], bench(app).palette))
        await settle(pilot)
        assert (LONG not in screen_text(app)) is cut


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
async def test_what_commands_do_and_their_keys_stand_in_columns(
    session: FakeSession, size: tuple[int, int]
) -> None:
    async with running(app_for(session), size) as pilot:
        await press(pilot, "/")
        rows = screen_text(pilot.app).split("\n")
        about = {
            row.index(word) for row in rows for word in ("Switch to another", "Open another") if word in row
        }
        keys = {row.index(f" {key} ") for row in rows for key in ("F6", "F7") if f" {key} " in row}
        assert len(about) == len(keys) == 1


@pytest.mark.parametrize(("at", "stays"), [((60, 38), False), ((60, 3), True)])
async def test_a_click_beside_a_list_leaves_it(
    session: FakeSession, at: tuple[int, int], stays: bool
) -> None:
    app = app_for(session)
    async with running(app, (120, 40)) as pilot:
        await press(pilot, "/")
        assert isinstance(app.screen, Picker)
        await pilot.click(offset=at)
        await settle(pilot)
        assert isinstance(app.screen, Picker) is stays
