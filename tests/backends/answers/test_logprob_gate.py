"""What a message behind an answer is done by program carries a mark where the reading is not sure."""

from __future__ import annotations

import math
import threading
from dataclasses import replace
from itertools import chain
from types import SimpleNamespace

import pytest
from support.spark_tokenizer import spark_tokenizer
from support.tiny_models import spark_backend

from spark_tui.backends.answers.logprob_gate import LogprobGate
from spark_tui.backends.answers.reranker import HELD_TOKENS
from spark_tui.backends.base import FilePart, Request, Splice
from spark_tui.engine import token_layout
from spark_tui.engine.constraints import ForcedText
from spark_tui.engine.token_layout import WindowHunk
from spark_tui.events import Doubt, Token
from spark_tui.steers import sureness
from spark_tui.steers.sureness import PERHAPS, SHAKY, STRANGE, SURE

FILE = FilePart(
    "src/area.py", "LIMIT = 10\n\ndef area(width):\n    return width\n\ndef depth(width):\n    return LIMIT\n"
)
TWENTY = WindowHunk(0, 1, ("LIMIT = 20",))
SLOT, ORDER, LEFT = (
    "no, 30",
    "rename LIMIT to MOST",
    "rename LIMIT to MOST, the tenants demanded shorter words instead",
)


def ids_of(*hunks):
    return (
        *chain(*(token_layout.encode_hunk(spark_tokenizer().encode, hunk) for hunk in hunks)),
        token_layout.EOS,
    )


@pytest.fixture(scope="module")
def backend():
    found = spark_backend(settings={"gate": {"cannot": 1.0, "no_edit": 1.0, "doubt": 1.0}})
    yield found
    found.close()


def run(backend, stop_at=0, **request):
    stop, events = threading.Event(), []
    for event in backend.stream(Request("set LIMIT to 20", (FILE,), max_tokens=200, **request), stop):
        events.append(event)
        if stop_at and sum(isinstance(one, Token) for one in events) == stop_at:
            stop.set()
    return events


def told(events):
    """Token ids and what is doubted, in order."""
    return [
        one.id if isinstance(one, Token) else one.confidence
        for one in events
        if isinstance(one, (Token, Doubt))
    ]


@pytest.mark.parametrize(("said", "sure"), [(SLOT, None), (ORDER, PERHAPS), (LEFT, SHAKY)])
def test_a_hunk_is_marked_by_how_sure_its_message_was_read(backend, said, sure):
    found = [one for one in told(run(backend, emitted=ids_of(TWENTY), steer=said)) if isinstance(one, float)]
    assert not found if sure is None else found and set(found) == {sure}


@pytest.mark.parametrize("said", [ORDER, LEFT])
def test_a_stop_and_a_resume_give_the_marks_of_one_answer(backend, said):
    whole = told(run(backend, emitted=ids_of(TWENTY), steer=said))
    spliced = (Splice(ids_of(TWENTY), said),)
    for at in range(1, sum(isinstance(one, int) for one in whole)):
        first = told(run(backend, stop_at=at, emitted=ids_of(TWENTY), steer=said))
        assert first == whole[: len(first)]
        emitted = tuple(one for one in first if isinstance(one, int))
        rest = run(backend, spliced=spliced, emitted=emitted) if emitted[-1:] != (token_layout.EOS,) else []
        assert [*first, *told(rest)] == whole


@pytest.mark.parametrize(("likely", "sure"), [(STRANGE * 2, SURE), (STRANGE / 2, PERHAPS)])
def test_one_strange_token_tells(likely, sure):
    reader = SimpleNamespace(judged=None)
    tokens = [Token(1, "", logprob=-0.1), Token(2, "", logprob=math.log(likely)), Token(3, "", logprob=0.0)]
    look = LogprobGate(reader, PERHAPS)
    assert list(look.over(iter(tokens), None, None, lambda: False, None)) == tokens
    assert reader.judged == sure


def test_what_was_stopped_before_it_was_whole_says_nothing():
    reader = SimpleNamespace(judged=None)
    assert list(LogprobGate(reader, PERHAPS).over(iter([Token(1, "")]), None, None, lambda: True, None)) == []
    assert reader.judged is None


def test_what_is_too_long_to_be_held_is_marked_and_streams(backend):
    name = "_".join(f"word{number}" for number in range(HELD_TOKENS // 12))
    asked = backend.ask(
        Request("set LIMIT to 20", (FILE,), emitted=ids_of(TWENTY), steer=f"rename LIMIT to {name}")
    )
    assert isinstance(asked.constraint, ForcedText)
    assert len(asked.constraint.ids) > HELD_TOKENS
    assert asked.look is None
    assert asked.reader.judged == PERHAPS


def test_what_the_model_does_not_find_strange_carries_no_mark(backend, monkeypatch):
    monkeypatch.setattr(sureness, "STRANGE", 0.0)
    assert not [
        one for one in told(run(backend, emitted=ids_of(TWENTY), steer=ORDER)) if isinstance(one, float)
    ]
    assert [one for one in told(run(backend, emitted=ids_of(TWENTY), steer=LEFT)) if isinstance(one, float)]


def test_all_of_it_is_read_again_behind_a_stop(backend):
    request = Request("set LIMIT to 20", (FILE,), emitted=ids_of(TWENTY), steer=ORDER)
    whole = backend.ask(request).constraint.ids
    again = backend.ask(
        replace(request, steer="", spliced=(Splice(ids_of(TWENTY), ORDER),), emitted=whole[:4])
    )
    assert again.constraint.ids == whole
    assert again.behind == whole[:4]
