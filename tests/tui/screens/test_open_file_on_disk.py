"""What is said of the file in view that another program makes binary or deletes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.fakes import FakeBackend
from support.small_repositories import uncommitted
from support.workbench_app import SIZE, app_for, bench, screen_text, settle, until

from spark_tui.config.settings import Settings
from spark_tui.session.session import Session
from spark_tui.tui.app import SparkApp


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    root = uncommitted(tmp_path / "shop", {"shop/cart.py": "def total(items):\n    return sum(items)\n"})
    made = Session(root, FakeBackend(["x"]), Settings(ghost=False), tmp_path / "state")
    yield made
    made.close()


@pytest.fixture
def app(session: Session) -> SparkApp:
    return app_for(session)


async def test_a_file_in_view_that_becomes_binary_stays_as_it_was(app: SparkApp, session: Session) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: not bench(pilot.app).controller.opening)
        await bench(app).open_file.show_file("shop/cart.py")
        (session.root / "shop/cart.py").write_bytes(b"\0binary")
        bench(app).disk_watch.look()
        await until(
            pilot, lambda: "changed on disk, this is its last text: this is a binary file" in screen_text(app)
        )
        assert "def total(items)" in screen_text(app)


async def test_a_binary_file_that_is_opened_did_not_change(app: SparkApp, session: Session) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: not bench(pilot.app).controller.opening)
        await settle(pilot)
        (session.root / "shop/logo.bin").write_bytes(b"\0binary")
        await bench(app).open_file.show_file("shop/logo.bin")
        bench(app).disk_watch.look()
        await settle(pilot)
        assert "shop/logo.bin: this is a binary file" in screen_text(app)
        assert "changed on disk" not in screen_text(app)


@pytest.mark.parametrize("looked", [True, False])
async def test_a_deleted_file_in_view_is_said_to_be_gone(
    app: SparkApp, session: Session, looked: bool
) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: not bench(pilot.app).controller.opening)
        await bench(app).open_file.show_file("shop/cart.py")
        if looked:
            bench(app).disk_watch.look()
            await settle(pilot)
        text = (session.root / "shop/cart.py").read_text()
        (session.root / "shop/cart.py").unlink()
        bench(app).disk_watch.look()
        await until(pilot, lambda: "shop/cart.py was deleted on disk" in screen_text(app))
        assert "def total(items)" in screen_text(app)
        (session.root / "shop/cart.py").write_text(text)
        bench(app).disk_watch.look()
        await until(pilot, lambda: "deleted on disk" not in screen_text(app))
