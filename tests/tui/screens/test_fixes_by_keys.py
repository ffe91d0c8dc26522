"""From a failing check to its fix by keys, with the real session and the built-in model."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from support.fakes import BuiltIn
from support.small_repositories import uncommitted
from support.workbench_app import app_for, command, press, running, screen_text
from textual.pilot import Pilot

from spark_tui.config.settings import Settings
from spark_tui.session.session import Session

CHECK = f"{sys.executable} shop.py"


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    made = Session(uncommitted(tmp_path / "shop", {}), BuiltIn(["x"]), Settings(), tmp_path / "state")
    yield made
    made.close()


@asynccontextmanager
async def fixes_of(session: Session, text: str) -> AsyncIterator[Pilot[Any]]:
    """The workbench with the fixes asked for of what the check says about a program of this text."""
    (session.root / "shop.py").write_text(text)
    app = app_for(session)
    async with running(app) as pilot:
        await command(pilot, f"/check {CHECK}")
        await press(pilot, "f")
        yield pilot


async def test_a_sure_fix_is_a_hunk_and_the_check_passes_with_it(session: Session) -> None:
    before = "import sys\n\nprint(json.dumps(sys.argv[1:]))\n"
    async with fixes_of(session, before) as pilot:
        text = screen_text(pilot.app)
        assert "import json" in text and "1 hunk in shop.py" in text
        assert "passed, no problems" in text
        assert "json" not in (session.root / "shop.py").read_text().partition("print")[0]


async def test_of_several_fixes_one_is_chosen_and_the_check_runs_behind_it(session: Session) -> None:
    before = "prices, pieces = [1], [2]\nprint(sum(pices))\n"
    async with fixes_of(session, before) as pilot:
        offered = screen_text(pilot.app)
        assert "1  pices → p" in offered and "2  pices → p" in offered
        assert "passed" not in offered
        await press(pilot, "1")
        assert "1 hunk in shop.py" in screen_text(pilot.app)
        assert "passed, no problems" in screen_text(pilot.app)


async def test_without_a_known_fix_that_is_said(session: Session) -> None:
    async with fixes_of(session, "raise SystemError('this is odd')\n") as pilot:
        assert "No exact fix of this problem is known" in screen_text(pilot.app)
