"""The check on the workbench: its problems behind F9, a jump to the place, and a question to the model."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.fake_session import CART, FakeSession, guard
from support.workbench_app import SIZE, Settle, app_for, ask, bench, screen_text

from spark_tui.config.settings import Settings


@pytest.fixture
def session(tmp_path: Path) -> FakeSession:
    return FakeSession({"cart.py": CART}, {})


async def test_without_a_command_f9_says_how_to_name_one(session: FakeSession, settle: Settle) -> None:
    app = app_for(session)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("f9")
        await settle(pilot)
        assert "/check pytest -q" in screen_text(app)


async def test_the_problems_of_a_check_are_listed_and_enter_goes_to_the_place(
    session: FakeSession, settle: Settle, tmp_path: Path
) -> None:
    session.root = tmp_path
    (session.root / "cart.py").write_text(CART)
    app = app_for(session)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        bench(app).check_list.said("/check echo cart.py:2:1: E501 line too long; exit 1")
        await settle(pilot)
        assert "cart.py:2:1  line too long [E501]" in screen_text(app)
        await pilot.press("enter")
        await settle(pilot)
        assert bench(app).code.file.path == "cart.py"
        assert "line too long [E501]" in screen_text(app)
        marked = [line.split("│", 1)[-1] for line in screen_text(app).split("\n") if "✗" in line]
        assert [line.split()[:2] for line in marked] == [["✗", "2"]]
        bench(app).check_list.said("/check true")
        await settle(pilot)
        await pilot.press("escape")
        await settle(pilot)
        assert "✗" not in screen_text(app)


async def test_hunks_that_are_not_written_are_checked_in_a_copy(
    session: FakeSession, settle: Settle, tmp_path: Path
) -> None:
    session.root, session.copy = tmp_path / "tree", tmp_path / "copy"
    for folder, name in ((session.root, "as_it_is"), (session.copy, "as_it_would_be")):
        folder.mkdir()
        (folder / name).write_text("")
        (folder / "cart.py").write_text(CART)
    app = app_for(session)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        bench(app).check_list.said("/check echo cart.py:2:1: E501 `ls as*`; exit 1")
        await settle(pilot)
        assert "cart.py:2:1  as_it_would_be [E501]" in screen_text(app)
        await pilot.press("enter")
        await settle(pilot)
        assert bench(app).code.file.path == "cart.py"
        session.copy = None
        bench(app).check_list.said("/check")
        await settle(pilot)
        assert "cart.py:2:1  as_it_is [E501]" in screen_text(app)


async def test_a_fix_is_asked_for_with_the_message_and_the_place(
    session: FakeSession, settle: Settle, tmp_path: Path
) -> None:
    session.root = tmp_path
    (session.root / "cart.py").write_text(CART)
    app = app_for(session)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        bench(app).check_list.said("/check echo cart.py:2:1: E501 line too long; exit 1")
        await settle(pilot)
        await pilot.press("ctrl+f")
        await settle(pilot)
    asked = [call[1] for call in session.calls if call[0] == "turn"]
    assert len(asked) == 1 and asked[0].startswith("Fix what `echo cart.py:2:1:")
    assert asked[0].endswith("in @cart.py:\ncart.py:2:1: line too long [E501]")


async def test_after_a_write_the_check_runs_by_itself_where_it_is_wanted(
    settle: Settle, tmp_path: Path
) -> None:
    settings = Settings(check_command="echo cart.py:14:1: E501 too long; exit 1", check_on_write=True)
    session = FakeSession({"cart.py": CART}, {"guard it": guard()}, settings)
    session.root = tmp_path
    (session.root / "cart.py").write_text(CART)
    app = app_for(session)
    async with app.run_test(size=(140, 32)) as pilot:
        await settle(pilot)
        await ask(pilot)
        await settle(pilot)
        assert "✗" not in screen_text(app)
        await pilot.press("tab", "a", "w")
        await settle(pilot)
        assert "✗ 14 def add" in " ".join(screen_text(app).split())
        assert "1 problem" in screen_text(app)
        assert "F9 lists them" in screen_text(app)
