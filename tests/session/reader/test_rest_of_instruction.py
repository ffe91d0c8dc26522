"""What an edit leaves of an instruction is listed beside it, and a key goes on with it."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from support.scripted_backend import Scripted

from spark_tui import events
from spark_tui.config.settings import Settings
from spark_tui.session.session import Session
from spark_tui.tui.turns.transcript_lines import choice_lines

CODE = "LIMIT = 3\n\n\ndef load(path):\n    return path\n\n\ndef save(path):\n    return path\n"
LEFT = "frobnicate the flux"
LONG = f"{LEFT} of every single line of all the tables that there are by the hour of the day"


def opened(folder: Path, session_id: str = "") -> Session:
    (folder / "tree").mkdir(exist_ok=True)
    (folder / "tree" / "shop.py").write_text(CODE)
    backend = Scripted(dict.fromkeys((LEFT, LONG), "*** shop.py\n@@ 1,2\n+LIMIT = 8\n"))
    backend.small_window = (320, 300)
    return Session(folder / "tree", backend, Settings(), folder / "state", session_id=session_id)


def said(session: Session, text: str) -> list[events.Event]:
    return list(session.turn(text, in_view="shop.py", stop=threading.Event()))


@pytest.mark.parametrize("restarted", [False, True])
@pytest.mark.parametrize("left", [LEFT, LONG])
def test_what_is_left_is_one_choice_away(tmp_path: Path, left: str, restarted: bool) -> None:
    session = opened(tmp_path)
    given = said(session, f"rename load to fetch and {left}")
    (choices,) = [event for event in given if isinstance(event, events.Choices)]
    assert choices.titles == (f"go on with: {left}",)
    assert choices.is_rest
    assert isinstance(given[-1], events.Finished)
    assert given[-1].reason == "stop"
    if restarted:
        session.close()
        session = opened(tmp_path, session.id)
    list(session.turns.choose(1, stop=threading.Event()))
    backend = session.backend
    assert isinstance(backend, Scripted)
    assert backend.requests[-1].instruction == left
    for hunk in session.decisions.offered():
        session.decisions.decide(hunk.id, "accepted")
    session.changes.write()
    now = (tmp_path / "tree" / "shop.py").read_text()
    assert now == CODE.replace("= 3", "= 8").replace("load", "fetch")
    session.close()


def test_where_nothing_is_left_nothing_is_listed(tmp_path: Path) -> None:
    session = opened(tmp_path)
    assert not any(isinstance(event, events.Choices) for event in said(session, "rename load to fetch"))
    session.close()


def test_the_transcript_says_how_to_go_on() -> None:
    assert "go on" in choice_lines([f"go on with: {LEFT}"], beside=True)[0]
    assert "may be meant" in choice_lines(["return 4 in load", "ask the model again"], beside=True)[0]
