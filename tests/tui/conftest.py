"""Fixtures of the workbench: an app over a scripted session, and `settle`, which waits for idle and never for time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest
from fake_session import CART, FakeSession, guard
from textual.pilot import Pilot

from spark_tui.tui.app import SparkApp

Settle = Callable[[Pilot[int]], Awaitable[None]]


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for variable in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(variable, str(tmp_path / variable.lower()))
    monkeypatch.delenv("NO_COLOR", raising=False)
    yield


@pytest.fixture
def session() -> FakeSession:
    return FakeSession({"cart.py": CART, "README.md": "# The shop\n"}, {"guard it": guard()})


@pytest.fixture
def app(session: FakeSession) -> SparkApp:
    return SparkApp(session, environ={})


async def settle_app(pilot: Pilot[int]) -> None:
    """Until no turn runs and nothing waits to be drawn."""
    bench = pilot.app.workbench
    for _ in range(2_000):
        await pilot.pause()
        busy = bench is not None and (bench.conductor.running or bench.conductor.queue)
        if not busy and not any(not worker.is_finished for worker in pilot.app.workers):
            await pilot.pause()
            return
        await asyncio.sleep(0.002)
    raise AssertionError("the workbench did not come to rest")


@pytest.fixture
def settle() -> Settle:
    return settle_app
