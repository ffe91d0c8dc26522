"""Prompts of MCP servers after `/`, their resources after `@`."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest
from support.fake_session import CART, FakeSession
from support.workbench_app import app_for, bench, press, running, screen_text, settle, until

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


async def test_a_prompt_is_completed_with_its_arguments_beside_it(session: FakeSession) -> None:
    app = app_for(session)
    async with running(app) as pilot:
        await press(pilot, "/", "r", "e", "v", "i")
        line = next(line for line in screen_text(app).split("\n") if "/notes:review" in line)
        assert "Review a file · path focus" in line
        await press(pilot, "enter")
        assert bench(app).prompt.text == "/notes:review "


async def test_a_space_behind_the_name_of_a_prompt_goes_on_in_the_prompt(session: FakeSession) -> None:
    app = app_for(session)
    async with running(app) as pilot:
        await press(pilot, "/")
        await press(pilot, *"notes:plain", "space", "x")
        assert bench(app).prompt.text == "/notes:plain x"


async def test_a_resource_is_completed(session: FakeSession) -> None:
    app = app_for(session)
    async with running(app) as pilot:
        await press(pilot, "@", "t", "o", "d")
        assert "What is to be done" in screen_text(app)
        await press(pilot, "enter")
        assert bench(app).prompt.text == "@notes:notes://today "


async def test_a_server_that_is_slow_holds_up_no_key(session: FakeSession) -> None:
    answers = threading.Event()
    session.server_resources = lambda: [] if answers.wait(60) else session.resources
    app = app_for(session)
    async with running(app) as pilot:
        await pilot.press("@")
        await until(pilot, lambda: isinstance(app.screen, Picker) and app.screen.rows.found)
        await pilot.press("c", "a", "r", "t", "enter")
        await until(pilot, lambda: bench(app).prompt.text.startswith("@cart.py"))
        assert not answers.is_set()
        answers.set()
        await settle(pilot)


async def test_without_servers_none_is_asked(session: FakeSession) -> None:
    session.settings = replace(session.settings, mcp_servers={})
    app = app_for(session)
    async with running(app) as pilot:
        await press(pilot, "@")
        assert "notes" not in screen_text(app)
