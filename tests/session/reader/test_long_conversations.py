"""Messages behind messages: what is amended is the edit that the conversation is about."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.fake_reader import FakeReader
from support.scripted_backend import Scripted

from spark_tui.codemods.families.files import ReplaceLines
from spark_tui.codemods.slots import Place, Text
from spark_tui.config.settings import Settings
from spark_tui.intent.context.situation import Done
from spark_tui.intent.followups.amendments.by_call import kind_of_amended
from spark_tui.intent.words.readings import Span
from spark_tui.session.session import Session

CALL = ReplaceLines(Place("show.py", 1, 1), Text("x"))
SHOW = "def book(seat):\n    return seat\n\n\ndef cancel(seat):\n    return seat\n\n\nLIMIT = 3\nSEATS = {}\n"
GUARD, ALSO, ERROR = "raise ValueError in book if seat is negative", "also in cancel", "no, KeyError"
KEY, BASE = "raise KeyError in book if seat not in SEATS", "LookupError is better"
UNDO, LIMIT = "take that back", "LIMIT should be 9"
NAME, DELETE = "rename cancel to refund", "delete cancel"
UNMADE = "and write a poem about it"
MEANS = {
    GUARD: (
        (
            "guard_raise",
            {"function": "book", "exception": "ValueError", "condition": "seat is negative"},
            0.97,
        ),
    ),
    ALSO: (("amend.also", {"function": "cancel"}, 0.97),),
    ERROR: (("amend.exception", {"exception": "KeyError"}, 0.97),),
    KEY: (
        (
            "guard_raise",
            {"function": "book", "exception": "KeyError", "condition": "seat not in SEATS"},
            0.97,
        ),
    ),
    BASE: (("amend.exception", {"exception": "LookupError"}, 0.97),),
    UNDO: (("amend.undo", {}, 0.97),),
    NAME: (("rename", {"symbol": "cancel", "new": "refund"}, 0.97),),
    DELETE: (("remove_definition", {"symbol": "cancel"}, 0.97),),
    UNMADE: (("write", {}, 0.97),),
    LIMIT: (("set_value", {"variable": "LIMIT", "value": "9"}, 0.97),),
}


class Conversation:
    def __init__(self, folder: Path) -> None:
        (folder / "tree").mkdir()
        (folder / "tree" / "show.py").write_text(SHOW)
        self.folder, self.reader = folder, FakeReader(MEANS)
        self.session = self.opened()

    def opened(self, session_id: str = "") -> Session:
        root, state = self.folder / "tree", self.folder / "state"
        backend = Scripted({UNMADE: ""})
        backend.small_window = (320, 300)
        return Session(root, backend, Settings(), state, session_id=session_id, reader=self.reader)

    def say(self, *messages: str) -> None:
        for message in messages:
            list(self.session.turn(message, in_view="show.py", stop=threading.Event()))

    def text(self) -> str:
        """The file with every hunk that is not rejected."""
        decisions = self.session.decisions
        for hunk in decisions.offered():
            decisions.decide(hunk.id, "accepted")
        self.session.changes.write()
        return (self.folder / "tree" / "show.py").read_text()


@pytest.fixture
def show(tmp_path: Path) -> Iterator[Conversation]:
    made = Conversation(tmp_path)
    yield made
    made.session.close()


def test_an_amendment_leaves_an_edit_of_the_kind_that_it_was() -> None:
    was, now = (Span(-1, -1, name) for name in ("ValueError", "KeyError"))
    first = Done("guard_raise", {"exception": (was,)}, (CALL,))
    amended = Done("amend.exception", {"exception": (now,)}, (CALL,))
    assert kind_of_amended(amended, first) == Done("guard_raise", {"exception": (now,)}, ())


@pytest.mark.parametrize("restarted", [False, True])
def test_an_edit_and_the_same_elsewhere_are_amended_as_one(show: Conversation, restarted: bool) -> None:
    show.say(GUARD, ALSO)
    if restarted:
        session_id = show.session.id
        show.session.close()
        show.session = show.opened(session_id)
    show.say(ERROR)
    text = show.text()
    assert text.count("raise KeyError") == 2
    assert "ValueError" not in text


def test_the_same_elsewhere_is_taken_back_alone(show: Conversation) -> None:
    show.say(GUARD, ALSO, UNDO)
    text = show.text()
    assert text.count("raise ValueError") == 1
    assert text.endswith(SHOW[SHOW.index("def cancel") :])


def test_what_cannot_be_meant_for_the_last_edit_is_for_the_one_before_it(show: Conversation) -> None:
    show.say(GUARD, LIMIT, ERROR)
    text = show.text()
    assert "raise KeyError" in text
    assert "LIMIT = 9" in text


def test_a_message_of_which_no_edit_came_does_not_end_what_the_next_one_is_about(show: Conversation) -> None:
    show.say(GUARD, UNMADE, ERROR)
    text = show.text()
    assert "raise KeyError" in text
    assert "ValueError" not in text


@pytest.mark.parametrize("said", [True, False])
def test_what_is_left_of_an_edit_is_amended_where_a_part_of_it_is_rejected(
    show: Conversation, said: bool
) -> None:
    show.say(GUARD, ALSO)
    if said:
        show.say("drop the last one")
    else:
        last = show.session.decisions.offered()[-1]
        show.session.decisions.decide(last.id, "rejected")
    show.say(ERROR)
    text = show.text()
    assert text.count("raise KeyError") == 1
    assert text.endswith(SHOW[SHOW.index("def cancel") :])


def test_another_error_is_raised_with_what_was_written(show: Conversation) -> None:
    show.say(KEY, BASE)
    assert "raise LookupError(seat)" in show.text()


def test_a_name_is_the_old_one_again_where_its_rename_was_turned_down(show: Conversation) -> None:
    show.say(NAME)
    (hunk,) = show.session.decisions.offered()
    show.session.decisions.decide(hunk.id, "rejected")
    show.say(DELETE)
    assert "def cancel" not in show.text()
