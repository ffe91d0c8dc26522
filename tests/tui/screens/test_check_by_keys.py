"""The check on the workbench: its problems after F9, a jump to the place, and a question to the model."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.fake_session import CART, FakeSession, guard
from support.fakes import FakeBackend
from support.workbench_app import (
    answered,
    app_for,
    bench,
    command,
    press,
    running,
    screen_text,
    settle,
    until,
)

from spark_tui.config.settings import Settings
from spark_tui.session.session import Session
from spark_tui.tui.screens.pickers.picker import Picker


@pytest.fixture
def session(tmp_path: Path) -> FakeSession:
    return FakeSession({"cart.py": CART}, {})


async def test_without_a_command_f9_says_how_to_name_one(session: FakeSession) -> None:
    app = app_for(session)
    async with running(app) as pilot:
        await press(pilot, "f9")
        assert "/check pytest -q" in screen_text(app)


async def test_the_problems_of_a_check_are_listed_and_enter_goes_to_the_place(
    session: FakeSession, tmp_path: Path
) -> None:
    session.root = tmp_path
    (session.root / "cart.py").write_text(CART)
    app = app_for(session)
    async with running(app) as pilot:
        await command(pilot, "/check echo cart.py:2:1: E501 line too long; exit 1")
        assert "cart.py:2:1  line too long [E501]" in screen_text(app)
        await press(pilot, "enter")
        assert bench(app).code.file.path == "cart.py"
        assert "line too long [E501]" in screen_text(app)
        rows = [line.partition("│") for line in screen_text(app).split("\n") if "│" in line]
        assert [code.split()[:2] for _, _, code in rows if "✗" in code] == [["✗", "2"]]
        assert [beside.split()[:5] for beside, _, _ in rows if "✗" in beside] == [
            ["✗", "cart.py:2", "line", "too", "long"]
        ]
        await command(pilot, "/check true")
        await until(pilot, lambda: app.screen is bench(app))  # nothing to choose from is left by itself
        assert "passed, no problems" in screen_text(app)
        assert "✗" not in screen_text(app)


async def test_a_list_that_is_not_needed_before_its_first_frame_closes(session: FakeSession) -> None:
    app = app_for(session)
    async with running(app) as pilot:
        picker = Picker("check", (), bench(app).palette)
        bench(app).push_overlay(picker, lambda _: None)
        picker.close_list()
        await until(pilot, lambda: app.screen is bench(app))


async def test_the_output_is_shown_while_it_comes_and_where_it_has_no_problem(
    session: FakeSession, tmp_path: Path
) -> None:
    session.root = tmp_path
    app = app_for(session)
    async with running(app) as pilot:
        bench(app).slash_command("/check echo begun; sleep 60")
        await until(pilot, lambda: re.search(r"▏ +begun", screen_text(app)))
        await press(pilot, "escape")
        await command(pilot, "/check echo the disk is full; exit 3")
        shown = screen_text(app)
        assert "▸ the disk is full" in shown and "exit code 3" in shown
        await press(pilot, "f")
        assert not session.calls


async def test_hunks_that_are_not_written_are_checked_in_a_copy(session: FakeSession, tmp_path: Path) -> None:
    session.root, session.copy = tmp_path / "tree", tmp_path / "copy"
    for folder, name in ((session.root, "as_it_is"), (session.copy, "as_it_would_be")):
        folder.mkdir()
        (folder / name).write_text("")
        (folder / "cart.py").write_text(CART)
    app = app_for(session)
    async with running(app) as pilot:
        await command(pilot, "/check echo cart.py:2:1: E501 `ls as*`; exit 1")
        assert "cart.py:2:1  as_it_would_be [E501]" in screen_text(app)
        await press(pilot, "enter")
        assert bench(app).code.file.path == "cart.py"
        session.copy = None
        await command(pilot, "/check")
        assert "cart.py:2:1  as_it_is [E501]" in screen_text(app)


async def test_a_fix_is_asked_for_with_the_message_and_the_place(
    session: FakeSession, tmp_path: Path
) -> None:
    session.root = tmp_path
    (session.root / "cart.py").write_text(CART)
    app = app_for(session)
    async with running(app) as pilot:
        await command(pilot, "/check echo cart.py:2:1: E501 line too long; exit 1")
        await press(pilot, "f")
    asked = [call[1] for call in session.calls if call[0] == "turn"]
    assert len(asked) == 1 and asked[0].startswith("Fix what `echo cart.py:2:1:")
    assert asked[0].endswith("in @cart.py:\ncart.py:2:1: line too long [E501]")


async def test_problems_beside_the_hunks_are_reached_by_keys_and_the_check_runs_behind_the_fix(
    session: FakeSession, tmp_path: Path
) -> None:
    session.root = tmp_path
    (session.root / "cart.py").write_text(CART)
    check = "echo x >> runs; echo cart.py:2:1: E501 too long; echo cart.py:4:1: F401 unused; exit 1"
    app = app_for(session)
    async with running(app) as pilot:
        await command(pilot, f"/check {check}")
        await pilot.press("escape")
        session.scripts[bench_request(check)] = guard()
        bench(app).list.focus()
        await press(pilot, "down", "down", "enter")
        assert "unused [F401]" in screen_text(app)
        assert "Enter show   f fix" in screen_text(app)
        assert (tmp_path / "runs").read_text() == "x\n"
        bench(app).list.focus()
        await press(pilot, "down", "down", "f")
        asked = [call[1] for call in session.calls if call[0] == "turn"]
        assert asked == [bench_request(check)]
        assert (tmp_path / "runs").read_text() == "x\nx\n"
        assert "failed wit" in screen_text(app)


def bench_request(command: str) -> str:
    return f"Fix what `{command}` reports in @cart.py:\ncart.py:4:1: unused [F401]"


async def test_after_a_write_the_check_runs_by_itself_where_it_is_wanted(tmp_path: Path) -> None:
    settings = Settings(check_command="echo cart.py:14:1: E501 too long; exit 1", check_on_write=True)
    session = FakeSession({"cart.py": CART}, {"guard it": guard()}, settings)
    session.root = tmp_path
    (session.root / "cart.py").write_text(CART)
    app = app_for(session)
    async with running(app, (140, 32)) as pilot:
        await answered(pilot)
        assert "✗" not in screen_text(app)
        await press(pilot, "tab", "a", "w")
        assert "✗ 14 def add" in " ".join(screen_text(app).split())
        assert "1 problem" in screen_text(app)
        assert "F9 lists them" in screen_text(app)


async def test_saving_what_was_typed_runs_the_check_too(tmp_path: Path) -> None:
    root = tmp_path / "shop"
    root.mkdir()
    (root / "cart.py").write_text(CART)
    settings = Settings(check_command="cat cart.py >> ../seen", check_on_write=True)
    session = Session(root, FakeBackend(["x"]), settings, tmp_path / "state")
    app = app_for(session)
    async with running(app) as pilot:
        await bench(app).open_file.show_file("cart.py")
        bench(app).code.focus()
        await pilot.press("i", "#", "ctrl+s")
        seen = tmp_path / "seen"
        # The check is a process that begins after the save.
        await until(pilot, lambda: seen.exists() and seen.read_text())
        await settle(pilot)
        assert seen.read_text() == f"#{CART}"
    session.close()
