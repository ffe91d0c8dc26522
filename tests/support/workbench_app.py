"""The workbench over a scripted session, and waiting for it to come to rest: for idle, never for a length of
time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from typing import Any

from support.fake_session import CART, FakeSession, Pause, guard
from textual.pilot import Pilot

from spark_tui.events import Event
from spark_tui.tui.app import SparkApp
from spark_tui.tui.screens.workbench import Workbench
from spark_tui.tui.settings.startup import Startup

SIZE = (100, 32)


def app_for(
    session: Any,
    past: Iterable[Event] = (),
    *,
    environ: dict[str, str] | None = None,
    tour: bool = False,
    **more: Any,
) -> SparkApp:
    """The app over this session, in which the events of `past` have happened."""
    origin = {"model.pace": "a test"} if tour else {}
    start = Startup(session.root, session.settings, lambda: session, origin, tour=tour, past=lambda: past)
    return SparkApp(start, environ=environ or {}, **more)


async def settle(pilot: Pilot[Any]) -> None:
    """Wait until no turn runs and nothing waits to be drawn."""
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


async def press(pilot: Pilot[Any], *keys: str) -> None:
    """Press keys, and wait for what comes of them."""
    await pilot.press(*keys)
    await settle(pilot)


@asynccontextmanager
async def running(app: SparkApp, size: tuple[int, int] = SIZE) -> AsyncIterator[Pilot[Any]]:
    """The workbench on a screen, once its session is open."""
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        yield pilot


async def until(pilot: Pilot[Any], seen: Callable[[], object]) -> None:
    """Wait until this is seen, whatever still runs."""
    for _ in range(6_000):
        if seen():
            return
        await pilot.pause()
        await asyncio.sleep(0.002)
    raise AssertionError("it never came to that\n" + screen_text(pilot.app))


async def stop_looking(pilot: Pilot[Any]) -> None:
    """From here on no look at the disk is made, and none goes on that would see what comes."""
    watch = bench(pilot.app).disk_watch
    await until(pilot, lambda: not watch._looking)
    watch._looking = True


def screen_text(app: Any) -> str:
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


async def answered(pilot: Pilot[Any], text: str = "guard it") -> None:
    """Ask, and wait for the whole answer."""
    await ask(pilot, text)
    await settle(pilot)


async def command(pilot: Pilot[Any], text: str) -> None:
    """Have a slash command carried out, and wait for what comes of it."""
    assert bench(pilot.app).slash_command(text)
    await settle(pilot)


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
