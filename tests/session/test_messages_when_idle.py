"""What is said when nothing runs: a correction of what stands, or a turn of its own."""

from __future__ import annotations

import threading

import pytest
from test_whole_file_edits import Answering

from spark_tui import events
from spark_tui.config.settings import Settings
from spark_tui.context.shown_context import ContextRequest
from spark_tui.session.session import Session

SOURCE = "def area(width):\n    return width\n\n\ndef total(width):\n    return area(width) + 1\n"
DESK = "from a import area\n\nprint(area(1))\n"


@pytest.fixture
def session(tmp_path):
    root = tmp_path / "tree"
    root.mkdir()
    (root / "a.py").write_text(SOURCE)
    (root / "desk.py").write_text(DESK)
    session = Session(root, Answering(), Settings(), tmp_path / "state")
    list(session.turn("rename area to size", in_view="a.py", stop=threading.Event()))
    yield session
    session.close()


def said(session, text):
    first = {known: session.decisions.review.state(known) for known in session.decisions.review.ids}
    told = list(session.turns.say(ContextRequest(text, in_view="a.py"), stop=threading.Event()))
    prompts = [event.prompt for event in told if isinstance(event, events.TurnStarted)]
    return prompts, {session.decisions.review.state(known) for known in first}


@pytest.mark.parametrize("text", ["call it surface instead", "surface, not size", "call that surface"])
def test_what_corrects_the_hunks_that_stand_takes_their_place(session, text):
    _, states = said(session, text)
    assert states == {"rejected"}
    new = "\n".join(line for hunk in session.decisions.offered() for line in hunk.new_lines)
    assert new.count("surface") == 4
    assert "size" not in new


@pytest.mark.parametrize(
    "text",
    ["rename total to whole", "explain what this does", "@desk.py call it surface instead", "make it faster"],
)
def test_what_is_an_order_of_its_own_or_says_nothing_of_them_is_a_turn(session, text):
    prompts, states = said(session, text)
    assert prompts == [text]
    assert states == {"open"}


def test_hunks_that_were_decided_about_are_not_corrected(session):
    session.decisions.decide(session.decisions.review.ids[0], "accepted")
    assert said(session, "call it surface instead")[0] == ["call it surface instead"]


def test_a_file_that_changed_meanwhile_is_asked_about_again(session):
    (session.root / "a.py").write_text("import os\n" + SOURCE)
    prompts, states = said(session, "call it surface instead")
    assert (prompts, states) == (["call it surface instead"], {"open"})
