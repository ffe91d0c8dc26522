"""What the workbench shows of another branch that git has checked out outside of it."""

from __future__ import annotations

import subprocess
from pathlib import Path

from support.fakes import FakeBackend
from support.small_repositories import uncommitted
from support.workbench_app import SIZE, app_for, bench, screen_text, settle, until

from spark_tui.config.settings import Settings
from spark_tui.session.session import Session

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
    app = app_for(session)
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: not bench(app).controller.opening)
        state, review = bench(app).controller.turn_state, bench(app).controller.review
        assert bench(app).slash_command("/rename twice double")
        await until(pilot, state.open_hunks)
        await settle(pilot)
        await review.decide(state.open_hunks(), True)
        bench(app).disk_watch.look()
        await settle(pilot)
        git("checkout", "-q", "HEAD~1", "-b", "third")
        bench(app).disk_watch.look()
        await until(pilot, lambda: "now on third: shop/cart.py" in bench(app).message[0])
        assert "⎇ third" in screen_text(app)
        assert "Nothing was written" not in bench(app).message[0]
        git("checkout", "-q", "other")
        bench(app).disk_watch.look()
        await until(pilot, lambda: "⎇ other" in screen_text(app) and not bench(app).message[0])
