"""While an instruction is typed, the status line says what Enter would come to."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.fake_reader import FakeReader
from support.fakes import BuiltIn
from support.small_repositories import uncommitted
from support.workbench_app import app_for, press, running, screen_text, until

from spark_tui.config.settings import Settings
from spark_tui.session.session import Session

RENAME, UNSURE = "rename qty to amount", "it may be qty or sku"
MEANS = {
    RENAME: (("rename", {"symbol": "qty", "new": "amount"}, 0.97),),
    UNSURE: (
        ("rename", {"symbol": "sku", "new": "may"}, 0.48),
        ("rename", {"symbol": "qty", "new": "may"}, 0.46),
    ),
}
PREVIEW = "↵ rename add.qty → amount"


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    root = uncommitted(tmp_path / "shop", {"cart.py": "def add(sku, qty=1):\n    return sku, qty\n"})
    made = Session(root, BuiltIn(["x"]), Settings(), tmp_path / "state", reader=FakeReader(MEANS))
    yield made
    made.close()


async def test_a_pause_shows_the_edit_and_enter_makes_it(session: Session) -> None:
    app = app_for(session)
    async with running(app) as pilot:
        await until(pilot, lambda: session.exact.indexed)
        await press(pilot, *RENAME)
        await until(pilot, lambda: PREVIEW in screen_text(app))
        assert f"{PREVIEW}  1 hunk" in screen_text(app)
        await press(pilot, "enter")
        await until(pilot, lambda: "1 hunk in cart.py" in screen_text(app))
        assert "↵" not in screen_text(app)


async def test_several_edits_are_a_choice_and_without_words_nothing_is_said(session: Session) -> None:
    app = app_for(session)
    async with running(app) as pilot:
        await until(pilot, lambda: session.exact.indexed)
        await press(pilot, *UNSURE)
        await until(pilot, lambda: "↵ 2 edits to choose from: rename add.sku → may" in screen_text(app))
        await press(pilot, "ctrl+u")
        await until(pilot, lambda: "↵" not in screen_text(app))
