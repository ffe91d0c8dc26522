"""`edit.exact_first`: what the reader is sure of is done by it, and all else by the model."""

from __future__ import annotations

import threading

import pytest
from support.fakes import FakeBackend
from support.small_repositories import written

from spark_tui import events
from spark_tui.config.settings import Settings
from spark_tui.session.session import Session

CODE = "def total(prices):\n    return sum(prices)\n\n\ndef shown(prices):\n    print(total(prices))\n"
ANSWER = "*** shop.py\n@@ 2,2\n+    return sum(prices) or 0\n"
SURE = "rename total to subtotal everywhere"


@pytest.fixture
def shop(tmp_path):
    opened = []

    def open_one(**settings):
        backend = FakeBackend([ANSWER])
        root = written(tmp_path / f"shop{len(opened)}", {"shop.py": CODE})
        session = Session(root, backend, Settings(**settings), tmp_path / f"state{len(opened)}")
        opened.append(session)
        return session, backend

    yield open_one
    for session in opened:
        session.close()


def asked(session, message):
    stream = session.turn(message, files=["shop.py"], stop=threading.Event())
    return [one for one in stream if isinstance(one, events.HunkClosed)]


def test_the_reader_makes_what_it_is_sure_of_without_the_model(shop):
    session, backend = shop(exact_first=True)
    assert [one.new_lines for one in asked(session, SURE)] == [
        ("def subtotal(prices):",),
        ("    print(subtotal(prices))",),
    ]
    assert not backend.requests


@pytest.mark.parametrize(
    "message", ["make total faster", "total should be nicer in shown, and so on", "why?"]
)
def test_the_model_is_asked_for_everything_else(shop, message):
    session, backend = shop(exact_first=True)
    assert [one.new_lines for one in asked(session, message)] == [("    return sum(prices) or 0",)]
    assert len(backend.requests) == 1


def test_the_model_is_told_of_an_edit_that_the_reader_made(shop):
    session, backend = shop(exact_first=True)
    asked(session, SURE)
    asked(session, "make it faster")
    assert [one.instruction for one in backend.requests[0].history] == [SURE]


def test_an_edit_of_the_reader_is_taken_back_by_it(shop):
    session, backend = shop(exact_first=True)
    asked(session, SURE)
    assert not asked(session, "undo that") and not backend.requests
    assert not session.decisions.unwritten(earlier=True)


def test_a_stopped_reading_is_retried_with_the_model_where_it_is_not_sure(shop):
    session, backend = shop(exact_first=True)
    stop = threading.Event()
    stop.set()
    list(session.turn("add a parameter mode to shown", files=["shop.py"], stop=stop))
    assert not backend.requests
    seen = list(session.turns.retry(stop=threading.Event()))
    assert len(backend.requests) == 1 and not any(isinstance(one, events.Doubt) for one in seen)


def test_by_default_a_connected_model_reads_everything(shop):
    session, backend = shop()
    asked(session, SURE)
    assert len(backend.requests) == 1
