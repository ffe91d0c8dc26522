"""The workbench over a scripted session, and waiting for it to come to rest: for idle, never for a length of
time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from support.fake_session import CART, FakeSession, Pause, guard
from textual.pilot import Pilot

from spark_tui.tui.app import SparkApp
from spark_tui.tui.screens.workbench import Workbench
from spark_tui.tui.settings.startup import Startup

SIZE = (100, 32)
Settle = Callable[[Pilot[Any]], Awaitable[None]]


def app_for(
    session: FakeSession, *, environ: dict[str, str] | None = None, tour: bool = False, **more: Any
) -> SparkApp:
    origin = {"model.pace": "a test"} if tour else {}
    start = Startup(session.root, session.settings, lambda: session, origin, tour=tour)
    return SparkApp(start, environ=environ or {}, **more)


async def settle_app(pilot: Pilot[Any]) -> None:
    """Until no turn runs and nothing waits to be drawn."""
    bench = pilot.app.workbench
    for _ in range(20_000):
        await pilot.pause()
        busy = (
            bench is None or bench.controller.opening or bench.controller.running or bench.controller.waiting
        )
        if not busy and not any(not worker.is_finished for worker in pilot.app.workers):
            await pilot.pause()
            return
        await asyncio.sleep(0.002)
    raise AssertionError("the workbench did not come to rest")


def screen_text(app: SparkApp) -> str:
    """What stands on the terminal, a line a row."""
    size = app.screen.size
    lines = (
        app.screen._compositor.render_strips(size) if hasattr(app.screen._compositor, "render_strips") else []
    )
    return "\n".join(strip.text for strip in lines)


def bench(app: Any) -> Workbench:
    assert app.workbench is not None
    return app.workbench


async def ask(pilot: Pilot[Any], text: str = "guard it") -> None:
    bench(pilot.app).prompt.insert(text)
    await pilot.press("enter")


@asynccontextmanager
async def halfway() -> AsyncIterator[tuple[SparkApp, Pilot[Any], FakeSession, Pause]]:
    """A workbench in which a turn runs that waits, in the middle of its hunk, until the pause is over."""
    pause = Pause()
    session = FakeSession({"cart.py": CART}, {"guard it": guard(pause_inside=pause)})
    app = app_for(session)
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await pause.come()
        yield app, pilot, session, pause
