"""Where no reading is sure enough and the language model has no edit, what can be done is offered."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from support.fake_reader import FakeReader
from support.scripted_backend import Scripted

from spark_tui import events
from spark_tui.config.settings import Settings
from spark_tui.errors import UsageError
from spark_tui.session.session import Session
from spark_tui.session.storage.index_rows import EXACT_BACKEND

CART = """\
class Cart:
    def add(self, sku, qty=1):
        self.lines[sku] = qty
        return qty
"""
REFUSED, EDITED, IDLE = "add says 3 now", "add returns 4 now", "add returns 5 now"
JUNK, QUESTION, MISFIT = "add speaks 6 now", "why is add there?", "add sings 7 now"


def _meant(value: str) -> tuple[tuple[str, dict[str, str], float], ...]:
    """A first reading that cannot be done, and an unlikely one that can."""
    return (
        ("raise_from", {"function": "add"}, 0.8),
        ("set_return", {"function": "add", "result": value}, 0.03),
    )


MEANS = {
    REFUSED: _meant("3"),
    EDITED: _meant("4"),
    IDLE: _meant("5"),
    JUNK: (("raise_from", {"function": "add"}, 0.8),),
    MISFIT: (("raise_from", {"function": "add"}, 0.8),),
    QUESTION: (("question", {}, 0.9), ("set_return", {"function": "add", "result": "add"}, 0.1)),
}
MODEL = "*** cart.py\n@@ 4,5\n+        return 9\n"
ANSWERS = {
    REFUSED: "*** cart.py\n@@ cannot\n",
    EDITED: MODEL,
    IDLE: "*** cart.py\n@@ no-edit\n",
    JUNK: "*** cart.py\n@@ cannot\n",
    QUESTION: "*** cart.py\n@@ cannot\n",
    MISFIT: "*** cart.py\n@@ 90,91\n+        return 9\n",
}


class Opened:
    """A small repository with a session in it."""

    def __init__(self, folder: Path) -> None:
        self.root, self.state = folder / "tree", folder / "state"
        self.root.mkdir()
        (self.root / "cart.py").write_text(CART)
        self.session = self.open()

    def open(self, session_id: str = "") -> Session:
        backend = Scripted(ANSWERS)
        backend.small_window = (320, 300)
        reader = FakeReader(MEANS)
        return Session(self.root, backend, Settings(), self.state, session_id=session_id, reader=reader)

    def say(self, text: str, path: str = "cart.py") -> list[events.Event]:
        return list(self.session.turn(text, in_view=path, stop=threading.Event()))

    def choose(self, number: int) -> list[events.Event]:
        return list(self.session.turns.choose(number, stop=threading.Event()))

    def would_be(self) -> str:
        """The file with every hunk that is open."""
        for hunk in self.session.decisions.offered():
            self.session.decisions.decide(hunk.id, "accepted")
        self.session.changes.write()
        return (self.root / "cart.py").read_text()


@pytest.fixture
def opened(tmp_path: Path):
    made = Opened(tmp_path)
    yield made
    made.session.close()


def titles(given: list[events.Event]) -> tuple[str, ...]:
    return next((event.titles for event in given if isinstance(event, events.Choices)), ())


def prose(given: list[events.Event]) -> str:
    return "".join(event.text for event in given if isinstance(event, events.Prose))


def ending(given: list[events.Event]) -> str:
    assert isinstance(given[-1], events.Finished)
    return given[-1].reason


@pytest.mark.parametrize("restarted", [False, True])
def test_what_a_model_declines_ends_in_the_readings_that_can_be_done(opened: Opened, restarted: bool) -> None:
    given = opened.say(REFUSED)
    assert ending(given) == "choices"
    assert (titles(given)[0], titles(given)[-1]) == ("return 3 in Cart.add", "ask the model again")
    assert "cannot" not in prose(given)
    assert not opened.session.decisions.offered()
    if restarted:
        session_id = opened.session.id
        opened.session.close()
        opened.session = opened.open(session_id)
    given = opened.choose(1)
    assert events.Chosen(1, len(MEANS[REFUSED])) in given
    assert opened.would_be() == CART.replace("return qty", "return 3")


def test_beside_an_edit_of_the_model_they_take_its_place_when_one_is_chosen(opened: Opened) -> None:
    given = opened.say(EDITED)
    assert ending(given) == "stop"
    assert titles(given)[0] == "return 4 in Cart.add"
    assert prose(given) == "The built-in reader is not sure what is meant; the model wrote this instead.\n"
    (model,) = [event.hunk_id for event in given if isinstance(event, events.HunkClosed)]
    given = opened.choose(1)
    assert events.Decided(model, "rejected") in given
    assert opened.would_be() == CART.replace("return qty", "return 4")


def test_what_the_model_wrote_without_a_place_is_not_said_to_be_written_instead(opened: Opened) -> None:
    given = opened.say(MISFIT)
    assert any(isinstance(event, events.HunkFailed) for event in given)
    assert (ending(given), opened.session.decisions.offered()) == ("stop", ())
    assert "cannot be done" in prose(given) and "instead" not in prose(given)


def test_the_last_choice_asks_the_model_again_in_place_of_what_it_wrote(opened: Opened) -> None:
    given = opened.say(EDITED)
    (model,) = [event.hunk_id for event in given if isinstance(event, events.HunkClosed)]
    given = opened.choose(len(titles(given)))
    assert events.Decided(model, "rejected") in given
    backend = opened.session.backend
    assert isinstance(backend, Scripted)
    assert [request.instruction for request in backend.requests] == [EDITED, EDITED]
    assert backend.requests[0].seed != backend.requests[1].seed
    assert [request.least_confidence for request in backend.requests] == [0.7, 0.0]


@pytest.mark.parametrize("said", [IDLE, JUNK, QUESTION])
def test_nothing_is_offered_where_the_model_is_sure_or_nothing_can_be_done(opened: Opened, said: str) -> None:
    given = opened.say(said)
    assert (ending(given), titles(given)) == ("cannot", ())
    with pytest.raises(UsageError, match="nothing to choose from"):
        opened.choose(1)


def test_where_the_model_can_be_shown_no_file_they_are_offered_at_once(opened: Opened) -> None:
    for name in ("a", "b"):  # which file is meant is not clear
        (opened.root / f"{name}.py").write_text("x = 1\n")
    given = opened.say(REFUSED, "")
    assert isinstance(given[0], events.TurnStarted)
    assert (given[0].backend, ending(given)) == (EXACT_BACKEND, "choices")
    opened.choose(1)
    assert opened.would_be() == CART.replace("return qty", "return 3")


def test_a_connected_model_is_asked_alone(opened: Opened) -> None:
    backend = opened.session.backend
    assert isinstance(backend, Scripted)
    del backend.small_window
    given = opened.say(REFUSED)
    assert (ending(given), titles(given)) == ("cannot", ())
