"""Keys that come faster than what they are meant for: none is lost, and none becomes a command."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import pytest
from support.workbench_app import SIZE, answered, bench, screen_text, settle
from textual import events
from textual.message import Message
from textual.message_pump import MessagePump

from spark_tui.tui.app import SparkApp


def burst(app: Any, *keys: str) -> None:
    """All before the first one is taken."""
    for key in keys:
        app.post_message(
            events.Key(key, {"colon": ":", "space": " "}.get(key, key if len(key) == 1 else None))
        )


@pytest.mark.parametrize("pane", ["code", "hunks"])
async def test_a_line_number_right_after_its_key_is_jumped_to(pane: str, app: SparkApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await answered(pilot)
        await pilot.press(*["tab"] * (1 if pane == "code" else 2))
        burst(app, "colon", "3", "enter")
        await settle(pilot)
        assert app.screen is bench(app)
        assert bench(app).code.row_at_cursor().old == 2


@pytest.mark.parametrize("pane", ["code", "hunks"])
async def test_words_right_after_a_comment_stand_in_the_prompt(pane: str, app: SparkApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await answered(pilot)
        await pilot.press(*["tab"] * (1 if pane == "code" else 2))
        burst(app, "c", *"rare")
        await settle(pilot)
        assert bench(app).prompt.text == "about hunk 1 (cart.py:15): rare"
        assert [hunk.state for hunk in bench(app).navigation.ordered()] == ["closed", "closed"]


@pytest.mark.parametrize("pane", ["code", "hunks"])
async def test_words_right_after_escape_are_no_decisions(pane: str, app: SparkApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await answered(pilot)
        await pilot.press(*["tab"] * (1 if pane == "code" else 2))
        burst(app, "escape", *"rare")
        await settle(pilot)
        assert bench(app).prompt.text == "rare"
        assert [hunk.state for hunk in bench(app).navigation.ordered()] == ["closed", "closed"]


async def test_typing_begins_from_the_list_of_hunks_too(app: SparkApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await answered(pilot)
        await pilot.press("tab", "r", "r", "tab")
        assert bench(app).focused is bench(app).list
        burst(app, "i", *"rare ")
        await settle(pilot)
        assert "rare " in screen_text(app)
        assert bench(app).controller.unsaved_files.unsaved


@pytest.fixture(params=range(6))
def any_order(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Random:
    """Every queue is in order, and now one and now another of them is first."""
    random = Random(request.param)
    dispatch = MessagePump._dispatch_message

    async def late(self: MessagePump, message: Message) -> None:
        for _ in range(random.choice((0, 0, 1, 3, 9, 27))):
            await asyncio.sleep(0)
        await dispatch(self, message)

    monkeypatch.setattr(MessagePump, "_dispatch_message", late)
    return random


@pytest.mark.parametrize(
    ("keys", "typed"),
    [
        (("tab", "c", *"rare"), "about hunk 1 (cart.py:15): rare"),
        ((*"ab", "space", "@", *"cartpy", "enter", *"cd"), "ab @cart.py cd"),
        (("tab", "colon", "3", "enter", "shift+tab", *"cd"), "cd"),
    ],
)
async def test_keys_reach_what_they_are_meant_for_whatever_runs_first(
    keys: tuple[str, ...], typed: str, any_order: Random, app: SparkApp
) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await answered(pilot)
        for key in keys:
            burst(app, key)
            for _ in range(any_order.choice((0, 0, 2, 8, 40))):
                await asyncio.sleep(0)
        await settle(pilot)
        assert bench(app).prompt.text == typed
        assert [hunk.state for hunk in bench(app).navigation.ordered()] == ["closed", "closed"]
