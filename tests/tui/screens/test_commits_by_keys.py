"""Commits by keys: what is said while git makes one, and to who quits meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from threading import Event

from support.fake_session import CART, FakeSession, Pause, guard
from support.workbench_app import SIZE, answered, app_for, bench, press, screen_text, settle, until

from spark_tui.errors import Refused
from spark_tui.tui.app import SparkApp
from spark_tui.tui.messages import Intent
from spark_tui.tui.screens.pickers.page import Page


async def test_a_commit_whose_hook_takes_long_is_said_and_its_failure_comes_first() -> None:
    pause, begun = Pause(), []

    class Slow(FakeSession):
        def commit(self, message: str | None = None, says: Callable[[str], None] | None = None) -> str:
            begun.append(message)
            pause.wait(Event())
            raise Refused("git commit failed; nothing was committed", hint="lint error 1: bad\n" * 9)

    app = app_for(Slow({"cart.py": CART}, {"guard it": guard()}))
    async with app.run_test(size=SIZE) as pilot:
        await answered(pilot)
        await press(pilot, "tab", "a", "w")
        await pilot.press("C")
        await pause.come()
        await until(pilot, lambda: "committing …" in screen_text(app))
        await pilot.press("C")
        bench(app).post_message(Intent("help"))
        await until(pilot, lambda: isinstance(app.screen, Page))  # other keys are heard
        pause.go()
        await until(pilot, lambda: bench(app).message[1])
        assert bench(app).message[0].startswith("git commit failed; nothing was committed")
        assert len(begun) == 1


async def test_what_a_commit_waits_for_is_said(session: FakeSession, app: SparkApp) -> None:
    session.commit_waits = Pause()
    async with app.run_test(size=SIZE) as pilot:
        await answered(pilot)
        await press(pilot, "tab", "a", "w")
        committing = asyncio.create_task(bench(app).controller.review.commit(None))
        try:
            await session.commit_waits.come()
            # What waits for the commit does not come to rest before it.
            await until(pilot, lambda: "the index is locked" in screen_text(app))
            await pilot.press("ctrl+q")
            await until(pilot, lambda: "git still commits, and its hooks are waited for" in screen_text(app))
        finally:
            session.commit_waits.go()  # the workbench does not close before the commit is done
        await committing
        await settle(pilot)
        assert "committed abc1234: Guard it" in screen_text(app)
        assert "the index is locked" not in screen_text(app)
