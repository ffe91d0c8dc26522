"""`/test`: a codemod writes file, import and calls; a connected model fills in what is checked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.fakes import BuiltIn, FakeBackend
from support.small_repositories import uncommitted
from support.workbench_app import app_for, bench, press, running, screen_text, settle

from spark_tui.config.settings import Settings
from spark_tui.session.session import Session
from spark_tui.tui.messages import Submitted

CART = "def add(left, right):\n    return left + right\n\n\ndef other():\n    return 1\n"


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    root = uncommitted(tmp_path / "shop", {"cart.py": CART})
    made = Session(root, FakeBackend(["Done."]), Settings(), tmp_path / "state")
    yield made
    made.close()


async def test_a_connected_model_is_given_the_skeleton_to_complete(session: Session) -> None:
    app = app_for(session)
    async with running(app) as pilot:
        bench(app).post_message(Submitted("/test add"))
        await settle(pilot)
        asked = session.backend.requests[-1].instruction  # type: ignore[attr-defined]
        assert asked.startswith("Write these tests into the new file test_cart.py, and complete them: ")
        skeleton = asked.partition("```python\n")[2].removesuffix("\n```")
        compile(skeleton, "skeleton", "exec")
        assert "from cart import add\n" in skeleton
        assert "    result = add(..., ...)\n    assert result is not None" in skeleton


async def test_without_a_connected_model_the_skeleton_is_the_edit(session: Session) -> None:
    session.use(BuiltIn())
    app = app_for(session)
    async with running(app) as pilot:
        bench(app).post_message(Submitted("/test add"))
        await settle(pilot)
        assert "from cart import add" in screen_text(app)
        assert "result = add(..., ...)" in screen_text(app)


async def test_the_function_of_the_selected_lines_is_tested_where_none_is_named(session: Session) -> None:
    session.use(BuiltIn())
    app = app_for(session)
    async with running(app) as pilot:
        await bench(app).open_file.show_file("cart.py")
        await settle(pilot)
        bench(app).code.focus()
        await pilot.press("down", "down", "down", "down", "down", "shift+down")
        bench(app).post_message(Submitted("/test"))
        await settle(pilot)
        await press(pilot, "enter")
        assert "def test_other()" in screen_text(app)


async def test_a_whole_file_gets_the_tests_of_its_functions(session: Session) -> None:
    session.use(BuiltIn())
    app = app_for(session)
    async with running(app) as pilot:
        bench(app).post_message(Submitted("/test cart.py"))
        await settle(pilot)
        shown = screen_text(app)
        assert "from cart import add, other" in shown
        assert "def test_add" in shown and "def test_other" in shown
