"""What is urgent goes first; what was stopped for it goes on where it was; who leaves, stops the work."""

from __future__ import annotations

import threading
import time

import pytest
from support.engine_turns import at_once

from spark_tui.backends.local.engine_thread import EngineThread
from spark_tui.errors import Misfit, NoBackend
from spark_tui.events import Token, Waited


class Counting:
    """Emits 0, 1, 2 …; at `wait_at` it waits for `go`, looking at its stop flag."""

    def __init__(self, count, wait_at=-1, log=None, name=""):
        self.count, self.at, self.wait_at = count, 0, wait_at
        self.begun, self.go = threading.Event(), threading.Event()
        self.log, self.name, self.runs = log if log is not None else [], name, 0

    def run(self, stop, emit):
        self.runs += 1
        self.log.append(self.name)
        while self.at < self.count:
            if self.at == self.wait_at:
                self.begun.set()
                while not self.go.is_set():
                    if stop.is_set():
                        self.go.set()
                        return False
                    self.go.wait(0.001)
            if stop.is_set():
                return False
            emit(Token(self.at, ""))
            self.at += 1
        return True


@pytest.fixture
def thread():
    thread = EngineThread()
    yield thread
    thread.close()


def ids(ticket):
    return [event.id for event in ticket if isinstance(event, Token)]


def test_a_work_gives_its_events_in_order(thread):
    assert ids(thread.submit(Counting(50), "edit", threading.Event())) == list(range(50))


def test_more_urgent_work_pauses_other_work_which_then_continues(thread):
    log = []
    warm = Counting(6, wait_at=3, log=log, name="warm")
    slow = thread.submit(warm, "warm", threading.Event())
    assert warm.begun.wait(60)
    edit = Counting(4, log=log, name="edit")
    assert ids(thread.submit(edit, "edit", threading.Event())) == [0, 1, 2, 3]
    assert ids(slow) == list(range(6))
    assert log == ["warm", "edit", "warm"]


def test_an_equal_work_waits_its_turn(thread):
    log = []
    first = Counting(3, wait_at=1, log=log, name="first")
    one = thread.submit(first, "edit", threading.Event())
    assert first.begun.wait(60)
    two = thread.submit(Counting(2, log=log, name="second"), "edit", threading.Event())
    three = thread.submit(Counting(2, log=log, name="fill"), "fill", threading.Event())
    first.go.set()
    assert [ids(one), ids(three), ids(two)] == [[0, 1, 2], [0, 1], [0, 1]]
    assert log == ["first", "second", "fill"]


def test_how_long_an_answer_waited_for_the_engine_is_its_first_event(thread):
    busy = Counting(3, wait_at=1)
    one = thread.submit(busy, "edit", threading.Event())
    assert busy.begun.wait(60)
    two = thread.submit(Counting(1), "edit", threading.Event())
    asked = time.perf_counter()
    while time.perf_counter() - asked < 0.05:
        pass
    busy.go.set()
    ids(one)
    (waited, token) = two
    assert waited.queue >= 0.05
    assert waited.network == 0
    assert isinstance(token, Token)


def test_a_turn_does_not_wait_for_reading_ahead(thread):
    assert not [
        event for event in thread.submit(Counting(2), "warm", threading.Event()) if isinstance(event, Waited)
    ]


def test_a_stop_ends_the_work_and_keeps_what_was_given(thread):
    stop, work = threading.Event(), Counting(10, wait_at=4)
    ticket = thread.submit(work, "edit", stop)
    assert work.begun.wait(60)
    stop.set()
    assert ids(ticket) == [0, 1, 2, 3]
    assert work.runs == 1


def test_a_stop_reaches_a_work_that_has_not_begun(thread):
    first = Counting(1, wait_at=0)
    thread.submit(first, "edit", threading.Event())
    assert first.begun.wait(60)
    stop, second = threading.Event(), Counting(1)
    ticket = thread.submit(second, "edit", stop)
    stop.set()
    assert ids(ticket) == []
    first.go.set()
    assert second.runs == 0


def test_who_stops_reading_stops_the_work(thread):
    work = Counting(10, wait_at=2)
    reading = iter(thread.submit(work, "edit", threading.Event()))
    next(reading)
    reading.close()
    assert ids(thread.submit(Counting(2), "edit", threading.Event())) == [0, 1]
    assert work.at <= 3


def test_an_error_reaches_the_asker_and_the_thread_continues(thread):
    class Failing:
        def run(self, stop, emit):
            emit(Token(7, ""))
            raise Misfit("too long")

    seen = []
    with pytest.raises(Misfit, match="too long"):
        for event in thread.submit(Failing(), "edit", threading.Event()):
            seen.append(event)
    assert seen[1:] == [Token(7, "")]
    assert ids(thread.submit(Counting(1), "edit", threading.Event())) == [0]


def test_closing_ends_everything_and_refuses_what_comes_later(thread):
    running, waiting = Counting(5, wait_at=1), Counting(5)
    one = thread.submit(running, "edit", threading.Event())
    assert running.begun.wait(60)
    two = thread.submit(waiting, "warm", threading.Event())
    thread.close()
    thread.close()
    assert ids(one) == [0]
    assert ids(two) == []
    with pytest.raises(NoBackend, match="closed"):
        thread.submit(Counting(1), "edit", threading.Event())


def test_many_askers_each_get_their_own_events(thread):
    def ask(number):
        kind = ("edit", "fill", "warm")[number % 3]
        return ids(thread.submit(Counting(20 + number), kind, threading.Event()))

    assert at_once(ask, range(12)) == [list(range(20 + number)) for number in range(12)]
