"""From a failing check to its fix by keys, with the real session and the built-in model."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.fakes import FakeBackend
from support.workbench_app import SIZE, Settle, bench, screen_text

from spark_tui.config.settings import Settings
from spark_tui.session.session import Session
from spark_tui.tui.app import SparkApp
from spark_tui.tui.startup import Startup

CHECK = f"{sys.executable} shop.py"


class BuiltIn(FakeBackend):
    """Makes exact edits only."""

    small_window = (512, 512)


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    root = tmp_path / "shop"
    root.mkdir()
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    made = Session(root, BuiltIn(["x"]), Settings(), tmp_path / "state")
    yield made
    made.close()


async def test_a_sure_fix_is_a_hunk_and_the_check_passes_with_it(session: Session, settle: Settle) -> None:
    (session.root / "shop.py").write_text("import sys\n\nprint(json.dumps(sys.argv[1:]))\n")
    app = SparkApp(Startup(session.root, session.settings, lambda: session), environ={})
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        bench(app).check_list.said(f"/check {CHECK}")
        await settle(pilot)
        await pilot.press("f")
        await settle(pilot)
        text = screen_text(app)
        assert "import json" in text and "1 hunk in shop.py" in text
        assert "passed, no problems" in text
        assert "json" not in (session.root / "shop.py").read_text().partition("print")[0]


async def test_of_several_fixes_one_is_chosen_and_the_check_runs_behind_it(
    session: Session, settle: Settle
) -> None:
    text = "prices, pieces = [1], [2]\nprint(sum(pices))\n"
    (session.root / "shop.py").write_text(text)
    app = SparkApp(Startup(session.root, session.settings, lambda: session), environ={})
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        bench(app).check_list.said(f"/check {CHECK}")
        await settle(pilot)
        await pilot.press("f")
        await settle(pilot)
        assert "1  pices → p" in screen_text(app) and "2  pices → p" in screen_text(app)
        assert "passed" not in screen_text(app)
        await pilot.press("1")
        await settle(pilot)
        assert "1 hunk in shop.py" in screen_text(app)
        assert "passed, no problems" in screen_text(app)


async def test_without_a_known_fix_that_is_said(session: Session, settle: Settle) -> None:
    (session.root / "shop.py").write_text("raise SystemError('this is odd')\n")
    app = SparkApp(Startup(session.root, session.settings, lambda: session), environ={})
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        bench(app).check_list.said(f"/check {CHECK}")
        await settle(pilot)
        await pilot.press("f")
        await settle(pilot)
        assert "No exact fix of this problem is known" in screen_text(app)
