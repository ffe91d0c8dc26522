"""What the workbench shows of another branch that git has checked out outside of it."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Callable
from pathlib import Path

from support.fakes import FakeBackend
from support.small_repositories import uncommitted
from support.workbench_app import SIZE, bench, screen_text, settle_app

from spark_tui.config.settings import Settings
from spark_tui.session.session import Session
from spark_tui.tui.app import SparkApp
from spark_tui.tui.settings.startup import Startup

WHO = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org")


async def test_another_branch_is_shown_with_what_has_no_place_there(tmp_path: Path) -> None:
    files = {"shop/cart.py": "def twice(item):\n    return 2 * item\n"}
    root = uncommitted(tmp_path / "shop", files)

    def git(*words: str) -> None:
        subprocess.run(["git", *WHO, *words], cwd=root, check=True, capture_output=True)

    git("commit", "-q", "--allow-empty", "-m", "nothing")
    git("checkout", "-q", "-b", "other")
    git("add", "-A")
    git("commit", "-q", "-m", "all")
    session = Session(root, FakeBackend(["x"]), Settings(ghost=False), tmp_path / "state")
    app = SparkApp(Startup(root, session.settings, lambda: session), environ={})
    async with app.run_test(size=SIZE) as pilot:

        async def until(seen: Callable[[], object]) -> None:
            for _ in range(1_500):
                if seen():
                    return
                await pilot.pause()
                await asyncio.sleep(0.002)
            raise AssertionError("it never came to that\n" + screen_text(app))

        await until(lambda: not bench(app).controller.opening)
        state, review = bench(app).controller.turn_state, bench(app).controller.review
        assert bench(app).slash_command("/rename twice double")
        await until(state.open_hunks)
        await settle_app(pilot)
        await review.decide(state.open_hunks(), True)
        bench(app).edit_offers.look()
        await settle_app(pilot)
        git("checkout", "-q", "HEAD~1", "-b", "third")
        bench(app).edit_offers.look()
        await until(lambda: "now on third: shop/cart.py" in bench(app).message[0])
        assert "⎇ third" in screen_text(app)
        assert "Nothing was written" not in bench(app).message[0]
        git("checkout", "-q", "other")
        bench(app).edit_offers.look()
        await until(lambda: "⎇ other" in screen_text(app) and not bench(app).message[0])
