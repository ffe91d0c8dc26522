"""Writes by keys: what a part of an edit would break is said before, what is left to save after."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.fake_session import FakeSession
from support.fakes import FakeBackend
from support.small_repositories import uncommitted, written
from support.workbench_app import SIZE, answered, app_for, bench, command, press, running, screen_text, until

from spark_tui import events
from spark_tui.config.settings import Settings
from spark_tui.session.session import Session
from spark_tui.tui.app import SparkApp
from spark_tui.tui.screens.pickers.page import Page

RATES = "def load(path):\n    return path\n\n\ndef other():\n    return load('x')\n"
USES = "from shop.rates import load\n\nprint(load('y'))\n"
FILES = {"shop/__init__.py": "", "shop/rates.py": RATES, "shop/uses.py": USES}
BREAKS = "hunk 1 without the rest of its edit breaks shop/rates.py:6: nothing defines load"


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    root = uncommitted(tmp_path / "shop", FILES)
    made = Session(root, FakeBackend(["x"]), Settings(ghost=False), tmp_path / "state")
    yield made
    made.close()


@pytest.fixture
def app(session: Session) -> SparkApp:
    return app_for(session)


async def test_a_hunk_of_a_read_only_file_is_said_when_it_is_accepted(
    session: Session, app: SparkApp
) -> None:
    async with running(app) as pilot:
        assert bench(app).slash_command("/rename load read")
        await until(pilot, bench(app).controller.turn_state.open_hunks)
        (session.root / "shop/uses.py").chmod(0o444)
        bench(app).code.focus()
        await press(pilot, "a")
        assert "read-only" not in bench(app).message[0]
        await press(pilot, "ctrl+a")
        assert bench(app).message[0] == "shop/uses.py is read-only: w will be refused"


async def test_a_read_only_file_is_said_of_a_changed_decision_and_of_an_edit_by_hand(
    session: Session, app: SparkApp
) -> None:
    async with running(app) as pilot:
        await command(pilot, "/rename load read")
        (session.root / "shop/rates.py").chmod(0o444)
        bench(app).code.focus()
        await press(pilot, "r", "p")
        assert "read-only" not in bench(app).message[0]
        await press(pilot, "a")
        assert bench(app).message[0] == "shop/rates.py is read-only: w will be refused"
        await press(pilot, "p", "e", "#", "escape")
        assert "with your edit; shop/rates.py is read-only: w will be refused" in bench(app).message[0]


async def test_a_write_that_breaks_what_was_not_accepted_is_asked_about(
    session: Session, app: SparkApp
) -> None:
    async with running(app) as pilot:
        await command(pilot, "/rename shop/rates.py::load read_rates")
        hunks = bench(app).navigation.ordered()
        await press(pilot, "tab", "a")
        await press(pilot, *"r" * (len(hunks) - 1), "enter")
        assert isinstance(app.screen, Page) and BREAKS in screen_text(app)
        await press(pilot, "escape", "w")
        assert (session.root / "shop/rates.py").read_text() == RATES
        assert bench(app).message[0] == f"w again writes it: {BREAKS}"
        await press(pilot, "n", "w")
        assert (session.root / "shop/rates.py").read_text() == RATES
        await press(pilot, "w")
        assert "def read_rates" in (session.root / "shop/rates.py").read_text()


async def test_a_whole_edit_is_written_at_once(session: Session, app: SparkApp) -> None:
    async with running(app) as pilot:
        await command(pilot, "/rename shop/rates.py::load read_rates")
        await press(pilot, "tab", "ctrl+a", "w")
        assert "read_rates" in (session.root / "shop/uses.py").read_text()


async def test_the_list_shows_what_was_written_while_another_file_is_in_view() -> None:
    script = [
        events.HunkOpened(1, "a.py", 1, 1, "edit", ""),
        events.HunkClosed(1, "a.py", 1, ("x = 1",), ("y = 1",)),
        events.HunkOpened(2, "b.py", 1, 1, "edit", ""),
        events.HunkClosed(2, "b.py", 1, ("import x",), ("import y",)),
    ]
    app = app_for(FakeSession({"a.py": "x = 1\n", "b.py": "import x\n"}, {"go": script}))
    async with app.run_test(size=SIZE) as pilot:
        await answered(pilot, "go")
        await press(pilot, "tab", "n", "r", "a", "n", "w")
        assert bench(app).code.file.path == "b.py"
        # Rows are drawn again only where what they look like was told to the list.
        marks = [look[1] for look in bench(app).list._looks if isinstance(look, tuple)]
        assert marks == ["■", "✗"]


async def test_a_write_says_that_typed_text_is_not_saved() -> None:
    script = [
        events.HunkOpened(1, "a.py", 3, 1, "edit", ""),
        events.HunkClosed(1, "a.py", 3, ("z = 1",), ("y = 1",)),
    ]
    app = app_for(FakeSession({"a.py": "x = 1\n\nz = 1\n"}, {"go": script}))
    async with app.run_test(size=SIZE) as pilot:
        await answered(pilot, "go")
        await press(pilot, "tab", "a", "g", "i", "#", "escape", "w")
        assert bench(app).message[0] == "what you typed is not saved: Ctrl+S saves it"


@pytest.mark.parametrize("in_git", [True, False])
async def test_a_commit_is_offered_only_in_a_repository(tmp_path: Path, in_git: bool) -> None:
    root = (uncommitted if in_git else written)(tmp_path / "shop", FILES)
    session = Session(root, FakeBackend(["x"]), Settings(ghost=False), tmp_path / "state")
    app = app_for(session)
    async with app.run_test(size=(160, 30)) as pilot:
        await until(pilot, lambda: not bench(app).controller.opening)
        assert bench(app).slash_command("/rename load read")
        await until(pilot, bench(app).controller.turn_state.open_hunks)
        bench(app).code.focus()
        await press(pilot, "ctrl+a", "w")
        await until(pilot, lambda: " o reopen " in screen_text(app))
        assert (" C commit " in screen_text(app)) is in_git
    session.close()
