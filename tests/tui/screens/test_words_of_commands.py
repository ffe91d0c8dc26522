"""A word that is a command of this or another program, sent as a message."""

from __future__ import annotations

import pytest
from support.fake_session import FakeSession
from support.workbench_app import answered, app_for, running, screen_text


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("help", "help is a command here: /help, or F1"),
        ("exit", "exit is a command here: /quit, or Ctrl+Q"),
        (":wq!", ":wq! is a command here: /write, or w in the code"),
        (":30", ":30 is a command here: /line.go, or : in the code"),
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
