"""Prompts of MCP servers after `/`, their resources after `@`."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest
from support.fake_session import CART, FakeSession
from support.workbench_app import SIZE, Settle, app_for, bench, screen_text

from spark_tui.config.mcp_servers import ServerConfig
from spark_tui.tools.mcp_texts import ServerText
from spark_tui.tui.screens.pickers.picker import Picker

SERVERS = {"notes": ServerConfig("notes", "notes")}


@pytest.fixture
def session() -> Iterator[FakeSession]:
    session = FakeSession({"cart.py": CART}, {})
    session.settings = replace(session.settings, mcp_servers=SERVERS)
    session.prompts = [
        ServerText("notes:review", "Review a file", ("path", "focus")),
        ServerText("notes:plain", ""),
    ]
    session.resources = [ServerText("notes:notes://today", "What is to be done")]
    yield session
    assert session.calls == []


async def test_a_prompt_is_completed_with_its_arguments_beside_it(
    settle: Settle, session: FakeSession
) -> None:
    app = app_for(session)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("/", "r", "e", "v", "i")
        await settle(pilot)
        line = next(line for line in screen_text(app).split("\n") if "/notes:review" in line)
        assert "Review a file · path focus" in line
        await pilot.press("enter")
        await settle(pilot)
        assert bench(app).prompt.text == "/notes:review "


async def test_a_space_behind_the_name_of_a_prompt_goes_on_in_the_prompt(
    settle: Settle, session: FakeSession
) -> None:
    app = app_for(session)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("/")
        await settle(pilot)
        await pilot.press(*"notes:plain", "space", "x")
        await settle(pilot)
        assert bench(app).prompt.text == "/notes:plain x"


async def test_a_resource_is_completed(settle: Settle, session: FakeSession) -> None:
    app = app_for(session)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("@", "t", "o", "d")
        await settle(pilot)
        assert "What is to be done" in screen_text(app)
        await pilot.press("enter")
        await settle(pilot)
        assert bench(app).prompt.text == "@notes:notes://today "


async def test_a_server_that_is_slow_holds_up_no_key(settle: Settle, session: FakeSession) -> None:
    answers = threading.Event()
    session.server_resources = lambda: [] if answers.wait(20) else session.resources  # type: ignore
    app = app_for(session)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("@")
        for _ in range(2_000):
            await pilot.pause(0.002)
            if isinstance(app.screen, Picker) and app.screen.rows.found:
                break
        await pilot.press("c", "a", "r", "t", "enter")
        for _ in range(2_000):
            await pilot.pause(0.002)
            if bench(app).prompt.text.startswith("@cart.py"):
                break
        assert not answers.is_set()
        assert bench(app).prompt.text.startswith("@cart.py")
        answers.set()
        await settle(pilot)


async def test_without_servers_none_is_asked(settle: Settle, session: FakeSession) -> None:
    session.settings = replace(session.settings, mcp_servers={})
    app = app_for(session)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("@")
        await settle(pilot)
        assert "notes" not in screen_text(app)
