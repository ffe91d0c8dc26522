"""Messages after an edit that the reader did not make, that was turned down, stopped, or is in the files."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from support.event_streams import prose_of
from support.fake_reader import FakeReader
from support.scripted_backend import after, run, small_model
from support.small_repositories import written

from spark_tui import events
from spark_tui.config.settings import Settings
from spark_tui.intent.words.readings import Order, SymbolRoles
from spark_tui.session.session import Session
from spark_tui.session.storage.index_rows import EXACT_BACKEND

CODE = "LIMIT = 3\nRATE = 1\n\n\ndef load(path):\n    return path\n"
WRITE, VALUE, UNDO, BESIDE = "invent a limit", "no, 5", "undo that", "and RATE should be 2"
LOG, ELSE = "*** shop.py\n@@ 1,2\n+LIMIT = 8\n", "what now?"
DECLINES, TWO = "elsewhere", "invent two things"
LIST, MUDDLE, TWICE = "LIMIT or RATE is 7", "hm hmm", "no, 5 and RATE should be 2"
IDLE = "is it as it should be with the rest?"
UNSURE = "RATE feels like 6"
MEANS = {
    VALUE: (("amend.value", {"value": "5"}, 0.97),),
    UNDO: (("amend.undo", {}, 0.97),),
    BESIDE: (("set_value", {"variable": "RATE", "value": "2"}, 0.97),),
    UNSURE: (
        ("raise_from", {"function": "RATE"}, 0.8),
        ("set_value", {"variable": "RATE", "value": "6"}, 0.05),
    ),
    LIST: (
        ("set_value", {"variable": "LIMIT", "value": "7"}, 0.48),
        ("set_value", {"variable": "RATE", "value": "7"}, 0.46),
    ),
    "LIMIT is 4": (("set_value", {"variable": "LIMIT", "value": "4"}, 0.97),),
    "LIMIT is 3": (("set_value", {"variable": "LIMIT", "value": "3"}, 0.97),),
    "load is fetch": (("rename", {"symbol": "load", "new": "fetch"}, 0.97),),
    "LIMIT is 8": (("set_value", {"variable": "LIMIT", "value": "8"}, 0.97),),
}


class Several(FakeReader):
    """Reads TWICE as its two parts."""

    def read(self, instruction: str, symbols: SymbolRoles, earlier: str = "") -> tuple[Order, ...]:
        if instruction != TWICE:
            return super().read(instruction, symbols, earlier)
        middle = instruction.index(" and ")
        (first,), (second,) = super().read(VALUE, symbols, earlier), super().read(BESIDE, symbols, earlier)
        ((change,), (further,)) = first.readings, second.readings
        at = middle + 1
        moved = {
            slot: tuple(replace(span, start=span.start + at, end=span.end + at) for span in own)
            for slot, own in further.slots.items()
        }
        further = replace(further, slots=moved)
        return Order(0, middle, (change,)), Order(middle, len(instruction), (further,))


class Opened:
    """A file, and a session about it with a model that knows one answer."""

    def __init__(self, folder: Path) -> None:
        self.file = written(folder / "tree", {"shop.py": CODE}) / "shop.py"
        two = f"{LOG}@@ 5,6\n+def load(place):\n"
        declined = dict.fromkeys((DECLINES, MUDDLE, UNSURE), "*** shop.py\n@@ cannot\n")
        idle = {IDLE: "*** shop.py\n@@ no-edit\n"}
        self.answers, self.state = {WRITE: LOG, ELSE: LOG, TWO: two, **declined, **idle}, folder / "state"
        self.session = self.open()

    def open(self, session_id: str = "") -> Session:
        root, backend, reader = self.file.parent, small_model(self.answers), Several(MEANS)
        return Session(root, backend, Settings(), self.state, session_id=session_id, reader=reader)

    def reopen(self) -> None:
        """As another process goes on."""
        self.session.close()
        self.session = self.open(self.session.id)

    def say(self, text: str) -> list[events.Event]:
        return run(self.session.turn, text, in_view="shop.py")

    def steer(self, text: str) -> list[events.Event]:
        return run(self.session.turns.steer, text)

    def stopped(self, text: str, tokens: int) -> None:
        """A turn that is stopped after so many tokens."""
        run(self.session.turn, text, in_view="shop.py", until=after(tokens))

    def take(self, decision: events.Decision = "accepted") -> None:
        for hunk in self.session.decisions.offered():
            self.session.decisions.decide(hunk.id, decision)

    def written(self) -> str:
        self.take()
        if self.session.decisions.review.accepted():
            self.session.changes.write()
        return self.file.read_text()


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Opened]:
    made = Opened(tmp_path)
    yield made
    made.session.close()


def by(given: list[events.Event]) -> str:
    return next(event.backend for event in given if isinstance(event, events.TurnStarted))


def test_a_message_amends_what_the_model_wrote(opened: Opened) -> None:
    opened.say(WRITE)
    given = opened.steer(VALUE)
    assert by(given) == EXACT_BACKEND
    assert {event.decision for event in given if isinstance(event, events.Decided)} == {"rejected"}
    assert opened.written() == CODE.replace("LIMIT = 3", "LIMIT = 5")


def test_a_further_order_is_shown_with_what_the_model_wrote_and_marked(opened: Opened) -> None:
    opened.say(WRITE)
    given = opened.steer(BESIDE)
    assert any("model" in event.reason for event in given if isinstance(event, events.Doubt))
    assert opened.written() == CODE.replace("= 3", "= 8").replace("= 1", "= 2")


@pytest.mark.parametrize("first", [WRITE, "LIMIT is 4"])
def test_an_edit_that_nobody_decided_about_is_taken_back(opened: Opened, first: str) -> None:
    opened.say(first)
    given = opened.steer(UNDO)
    assert "taken back" in prose_of(given)
    assert opened.written() == CODE


@pytest.mark.parametrize("first", [WRITE, "LIMIT is 4"])
def test_an_edit_in_the_files_is_reversed_by_another_one(opened: Opened, first: str) -> None:
    opened.say(first)
    assert opened.written() != CODE
    opened.say(UNDO)
    assert opened.session.decisions.offered()
    assert opened.written() == CODE


@pytest.mark.parametrize("first", [WRITE, "LIMIT is 4"])
@pytest.mark.parametrize("steered", [False, True])
def test_behind_an_answer_without_an_edit_the_edit_that_stands_is_taken_back(
    opened: Opened, first: str, steered: bool
) -> None:
    opened.say(first)
    opened.say(DECLINES)
    assert opened.session.decisions.offered()
    given = opened.steer(UNDO) if steered else opened.say(UNDO)
    assert "taken back" in prose_of(given)
    assert not opened.session.decisions.offered()


def test_an_edit_of_which_a_part_was_turned_down_is_taken_back(opened: Opened) -> None:
    opened.say(TWO)
    first = next(iter(opened.session.decisions.offered()))
    opened.session.decisions.decide(first.id, "rejected")
    assert opened.session.decisions.offered()
    opened.say(UNDO)
    assert not opened.session.decisions.offered()


@pytest.mark.parametrize("first", ["", WRITE, "LIMIT is 4"])
def test_it_is_said_that_no_edit_stands_that_could_be_taken_back(opened: Opened, first: str) -> None:
    if first:
        opened.say(first)
        opened.take("rejected")
    given = opened.say(UNDO)
    assert "There is no edit to take back" in prose_of(given)


@pytest.mark.parametrize("first", [WRITE, "LIMIT is 4"])
def test_what_was_turned_down_is_amended_from_the_file_as_it_is(opened: Opened, first: str) -> None:
    opened.say(first)
    opened.take("rejected")
    opened.say(VALUE)
    assert opened.written() == CODE.replace("LIMIT = 3", "LIMIT = 5")


def test_a_stopped_answer_is_written_to_its_end_before_it_is_amended(opened: Opened) -> None:
    opened.stopped(WRITE, 2)
    assert not opened.session.decisions.offered()
    given = opened.steer(VALUE)
    assert by(given) == EXACT_BACKEND
    assert opened.written() == CODE.replace("LIMIT = 3", "LIMIT = 5")


def test_what_the_reader_does_not_know_goes_on_to_the_model(opened: Opened) -> None:
    opened.say(WRITE)
    given = opened.steer(ELSE)
    assert not any(isinstance(event, events.TurnStarted) for event in given)
    assert any(isinstance(event, events.Steered) for event in given)


def test_a_message_behind_an_answer_without_an_edit_amends_what_was_asked(opened: Opened) -> None:
    opened.say("LIMIT is 3")  # it is already
    assert not opened.session.decisions.offered()
    opened.say(VALUE)
    assert opened.written() == CODE.replace("LIMIT = 3", "LIMIT = 5")


def test_what_the_model_writes_takes_the_place_of_the_readers_edit_of_these_lines(opened: Opened) -> None:
    opened.say("LIMIT is 4")
    given = opened.steer(WRITE)
    assert {event.decision for event in given if isinstance(event, events.Decided)} == {"rejected"}
    assert opened.written() == CODE.replace("LIMIT = 3", "LIMIT = 8")


def test_what_the_model_writes_elsewhere_leaves_the_readers_edit(opened: Opened) -> None:
    opened.say("load is fetch")
    opened.say(WRITE)
    assert opened.written() == CODE.replace("= 3", "= 8").replace("load", "fetch")


def test_the_readers_edit_that_the_model_repeats_is_not_offered_twice(opened: Opened) -> None:
    opened.say("LIMIT is 8")
    opened.say(WRITE)
    assert len(opened.session.decisions.offered()) == 1
    assert opened.written() == CODE.replace("LIMIT = 3", "LIMIT = 8")


@pytest.mark.parametrize(("then", "limit"), [(VALUE, 5), (UNDO, 3), (BESIDE, 4)])
def test_an_instruction_that_is_stopped_for_a_message_is_done_before_it(
    opened: Opened, then: str, limit: int
) -> None:
    stop = threading.Event()
    stop.set()
    assert not any(
        isinstance(item, events.HunkClosed)
        for item in opened.session.turn("LIMIT is 4", in_view="shop.py", stop=stop)
    )
    opened.steer(then)
    assert opened.written().startswith(f"LIMIT = {limit}\nRATE = {2 if then == BESIDE else 1}\n")


def test_an_instruction_that_is_stopped_again_keeps_the_message_back(opened: Opened) -> None:
    stop = threading.Event()
    stop.set()
    list(opened.session.turn("LIMIT is 4", in_view="shop.py", stop=stop))
    list(opened.session.turns.steer(VALUE, stop=stop))
    assert opened.session.outbox.take_returned() == (VALUE,)


def test_behind_the_models_edit_too_the_reader_lists_what_may_be_meant(opened: Opened) -> None:
    opened.say(WRITE)
    given = opened.steer(LIST)
    titles = next(event.titles for event in given if isinstance(event, events.Choices))
    assert len(titles) == 3
    run(opened.session.turns.choose, 2)
    assert opened.written() == CODE.replace("= 3", "= 8").replace("= 1", "= 7")


def test_a_stopped_answer_is_written_to_its_end_before_a_list_about_it(opened: Opened) -> None:
    opened.stopped(WRITE, len(LOG) - 2)
    given = opened.steer(LIST)
    assert any(isinstance(event, events.Choices) for event in given)
    assert opened.written() == CODE.replace("= 3", "= 8")


@pytest.mark.parametrize("restarted", [False, True])
def test_a_message_of_which_no_edit_comes_leaves_the_half_written_one(
    opened: Opened, restarted: bool
) -> None:
    opened.stopped(WRITE, len(LOG) - 2)
    (half,) = opened.session.decisions.review.undecided()
    given = opened.steer(MUDDLE)
    assert not any(isinstance(event, events.Steered | events.Token) for event in given)
    assert "stays" in prose_of(given)
    assert opened.session.outbox.take_returned() == (MUDDLE,)
    if restarted:
        opened.reopen()
    assert opened.session.decisions.review.undecided() == (half,)
    assert opened.session.turns.can_resume
    run(opened.session.turns.resume)
    assert opened.written() == CODE.replace("LIMIT = 3", "LIMIT = 8")


def test_several_orders_behind_a_half_written_edit_have_it_written_to_its_end(opened: Opened) -> None:
    opened.stopped(WRITE, len(LOG) - 2)
    opened.steer(TWICE)
    assert opened.written() == CODE.replace("= 3", "= 5").replace("= 1", "= 2")


def test_what_the_model_declines_behind_its_edit_ends_in_the_readings_that_can_be_done(
    opened: Opened,
) -> None:
    opened.say(WRITE)
    given = opened.steer(UNSURE)
    assert [event.titles[0] for event in given if isinstance(event, events.Choices)] == ["RATE = 6"]
    assert opened.session.decisions.offered()
    run(opened.session.turns.choose, 1)
    assert opened.written() == CODE.replace("= 3", "= 8").replace("= 1", "= 6")


@pytest.mark.parametrize("decided", [False, True])
def test_the_models_edit_stays_where_it_has_none_for_the_message_behind_it(
    opened: Opened, decided: bool
) -> None:
    opened.say(WRITE)
    if decided:
        opened.take("rejected")
    given = opened.steer(IDLE)
    assert ("The edit before it stays." in prose_of(given)) == (not decided)
    opened.reopen()
    if not decided:
        assert opened.written() == CODE.replace("= 3", "= 8")
