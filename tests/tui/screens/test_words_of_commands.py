"""A word that is a command of this or another program, sent as a message."""

from __future__ import annotations

import pytest
from support.fake_session import FakeSession
from support.workbench_app import answered, app_for, press, running, screen_text

from spark_tui.tui.settings.startup import Reopen


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("help", "help is a command here: /help, or F1"),
        ("exit", "exit is a command here: /quit, or Ctrl+Q"),
        (":wq!", ":wq! is a command here: /write, or w in the code"),
        (":30", ":30 is a command here: /line.go, or : in the code"),
        ("clear", ""),
        ("new", ""),
        ("rename", "rename is a command here: /rename"),
        ("undo", ""),
        ("help me", ""),
    ],
)
async def test_it_is_no_instruction(session: FakeSession, word: str, said: str) -> None:
    session.scripts[word] = ()
    app = app_for(session)
    async with running(app) as pilot:
        await answered(pilot, word)
        assert (said in screen_text(app)) and (not session.calls) is bool(said)


@pytest.mark.parametrize("word", ["new", "clear", "reset"])
async def test_a_new_session_is_started_by_any_of_its_names(session: FakeSession, word: str) -> None:
    app = app_for(session)
    async with running(app) as pilot:
        await press(pilot, "/", *word, "enter")
    assert app.return_value == Reopen("")


async def test_a_command_of_vi_is_one_behind_a_colon_too(session: FakeSession) -> None:
    app = app_for(session)
    async with running(app) as pilot:
        await answered(pilot)
        await press(pilot, "tab", "a", ":", "w", "enter")
        assert "wrote 1 hunk" in screen_text(app)
        await press(pilot, ":", "q", "enter")
    assert app.return_value == 0


@pytest.mark.parametrize("word", ["exit", "q"])
async def test_the_word_of_another_program_is_found_behind_a_slash(session: FakeSession, word: str) -> None:
    app = app_for(session)
    async with running(app) as pilot:
        await press(pilot, "/", *word, "enter")
    assert app.return_value == 0
