"""A model's question lies over the code: y, a and n answer it, Esc stops, and typing does not answer."""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from support.fake_session import CART, FakeSession
from support.workbench_app import SIZE, answered, app_for, ask, bench, press, screen_text, settle, until
from textual.pilot import Pilot

from spark_tui import events
from spark_tui.tools.permission import PermissionRequest
from spark_tui.tui.screens.turns import permission
from spark_tui.tui.screens.turns.permission import PermissionQuestion

REQUEST = PermissionRequest("The model wants to run a command", "pytest -q\nrm \x1b[2Jx")


class Asks(FakeSession):
    """Every turn asks before it ends."""

    answers: list[str]

    def start(self, ask: Any, *, stop: threading.Event) -> Iterator[events.Event]:
        yield events.TurnStarted("t", ask.instruction, "server", "lines")
        yield events.ToolCalled("1", "run")
        self.answers.append(self.permissions.answer(REQUEST, stop))
        yield events.ToolOutput("1", "3 passed\n")
        yield events.ToolFinished("1", "run", "{}", "pytest -q: exit code 0")
        yield events.Finished("interrupted" if stop.is_set() else "stop")


@pytest.fixture
def asks() -> Asks:
    session = Asks({"cart.py": CART}, {})
    session.answers = []
    return session


async def _question(pilot: Pilot[Any]) -> None:
    await settle(pilot)
    await ask(pilot, "run the tests")
    await until(pilot, lambda: isinstance(pilot.app.screen, PermissionQuestion))


@pytest.mark.parametrize(("key", "answer"), [("y", "once"), ("a", "always"), ("n", "no")])
@pytest.mark.parametrize("size", [SIZE, (60, 16), (40, 12)])
async def test_a_key_answers(
    key: str, answer: str, size: tuple[int, int], asks: Asks, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(permission, "CALM_SECONDS", 0.0)
    app = app_for(asks)
    async with app.run_test(size=size) as pilot:
        await _question(pilot)
        shown = screen_text(app)
        assert "pytest -q" in shown
        assert "\x1b" not in shown
        assert "y once" in shown
        assert bench(app).bar("footer").text.split() == ["Esc", "stop"]
        await press(pilot, key)
        assert app.screen is bench(app)
        await until(pilot, lambda: "keys" in bench(app).bar("footer").text)
        assert asks.answers == [answer]
        if answer == "always":
            await answered(pilot, "again")
            assert asks.answers == ["always", "always"]


async def test_escape_stops_the_turn(asks: Asks) -> None:
    app = app_for(asks)
    async with app.run_test(size=SIZE) as pilot:
        await _question(pilot)
        await press(pilot, "escape")
        assert asks.answers == ["no"]
        assert bench(app).controller.turn_state.last == events.Finished("interrupted")


async def test_what_was_being_typed_goes_to_the_prompt_and_answers_nothing(
    asks: Asks, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(permission, "CALM_SECONDS", 3600.0)
    app = app_for(asks)
    async with app.run_test(size=SIZE) as pilot:
        await _question(pilot)
        await pilot.press("y", "a", "n")
        assert isinstance(app.screen, PermissionQuestion)
        assert bench(app).prompt.text == "yan"
        await press(pilot, "escape")
        assert bench(app).prompt.text == "yan"


async def test_a_message_that_begins_with_another_letter_is_whole_in_the_prompt(
    asks: Asks, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(permission, "CALM_SECONDS", 0.0)
    app = app_for(asks)
    async with app.run_test(size=SIZE) as pilot:
        await _question(pilot)
        await pilot.press("h", "e", "l", "p")
        assert isinstance(app.screen, PermissionQuestion)
        assert bench(app).prompt.text == "help"


async def test_outputs_of_tools_are_folded_until_the_transcript_is_enlarged(
    asks: Asks, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(permission, "CALM_SECONDS", 0.0)
    app = app_for(asks)
    async with app.run_test(size=SIZE) as pilot:
        await _question(pilot)
        await press(pilot, "y")
        assert "exit code 0 …" in screen_text(app)
        assert "3 passed" not in screen_text(app)
        await press(pilot, "f3")
        assert "3 passed" in screen_text(app)
        await press(pilot, "f3")
        assert "3 passed" not in screen_text(app)


@pytest.mark.parametrize("size", [SIZE, (60, 16), (40, 12)])
async def test_all_of_a_long_command_can_be_read_and_its_keys_stay_in_view(
    size: tuple[int, int], asks: Asks, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [f"echo line {number} of a script that is rather long for a screen" for number in range(1, 31)]
    title = "The model wants to run a command, in a copy of the repository"
    asked = replace(REQUEST, title=title, text="\n".join(lines))
    monkeypatch.setattr(sys.modules[__name__], "REQUEST", asked)
    app, read = app_for(asks), ""
    async with app.run_test(size=size) as pilot:
        await _question(pilot)
        for _ in range(2 * len(lines)):
            read += screen_text(app)
            always = "a always in this session" if size[0] > 40 else "a always"
            for key in ("y once", always, "n no", "Esc stop"):
                assert key in screen_text(app)
            assert re.search(r"─ The model wants .* \d+–\d+ of \d+ ", screen_text(app))
            await pilot.press("down")
            await pilot.pause()
        await press(pilot, "escape")
    assert all(f"echo line {number} of" in read for number in range(1, 31))
