"""The answer to a correction: known from its words, or asked for, or the model's own."""

from __future__ import annotations

import threading
from dataclasses import replace
from itertools import chain

import pytest
from support.spark_tokenizer import spark_tokenizer
from support.tiny_models import spark_backend

from spark_tui.backends.answers.answer_check import AnswerCheck
from spark_tui.backends.answers.follow_up import (
    FollowUpAnswer,
    FollowUpContext,
    answer_ended,
    without_last_message,
)
from spark_tui.backends.answers.reranker import ConfidenceGate, Reranker
from spark_tui.backends.base import FilePart, Request, Splice
from spark_tui.backends.local.prompt_format import EncodedRequest, TextReader
from spark_tui.engine import token_layout
from spark_tui.engine.constraints import ForcedText, LinesGrammar
from spark_tui.engine.token_layout import WindowHunk
from spark_tui.events import PrefillProgress, Token
from spark_tui.steers.corrections import Correction

LINES = (
    "LIMIT = 10",
    "",
    "def area(width):",
    "    return width",
    "",
    "def depth(width):",
    "    return width",
)
FILE = FilePart("src/area.py", "\n".join(LINES) + "\n")
TWENTY = WindowHunk(0, 1, ("LIMIT = 20",))
THIRTY = WindowHunk(0, 1, ("LIMIT = 30",))
NAMED = WindowHunk(2, 4, ("def area(height):", "    return height"))
NEWLINE = spark_tokenizer().encode("\n")[0]


def enc(text):
    return spark_tokenizer().encode(text)


def ids_of(*hunks):
    return (*chain(*(token_layout.encode_hunk(enc, hunk) for hunk in hunks)), token_layout.EOS)


@pytest.fixture(scope="module")
def backend():
    found = spark_backend(settings={"gate": {"cannot": 1.0, "no_edit": 1.0}})
    yield found
    found.close()


def run(backend, stop_at=0, **request):
    stop = threading.Event()
    events = []
    for event in backend.stream(Request("set LIMIT to 20", (FILE,), max_tokens=200, **request), stop):
        events.append(event)
        if stop_at and sum(isinstance(one, Token) for one in events) == stop_at:
            stop.set()
    return events


def said(events):
    return "".join(event.text for event in events if isinstance(event, Token))


def ids(events):
    return tuple(event.id for event in events if isinstance(event, Token))


# What is known


def test_a_value_is_put_right_by_weights_that_know_nothing(backend):
    events = run(backend, emitted=ids_of(TWENTY), steer="no, 30")
    assert said(events) == "*** src/area.py\n@@ 1,2\n+LIMIT = 30\n\n"


def test_what_is_taken_back_is_told_as_nothing_to_change(backend):
    assert said(run(backend, emitted=ids_of(TWENTY), steer="undo that")) == "*** src/area.py\n@@ no-edit\n"


def test_a_hunk_that_was_not_meant_is_not_said_again(backend):
    events = run(backend, emitted=ids_of(TWENTY, WindowHunk(6, 7, ("    return 2",))), steer="nothing else")
    again = run(backend, emitted=ids_of(TWENTY, WindowHunk(6, 7, ("    return 2",))), steer="30, not 20")
    assert "return" not in said(again)
    assert said(again) == "*** src/area.py\n@@ 1,2\n+LIMIT = 30\n\n"
    assert said(events) != said(again)


@pytest.mark.parametrize("at", range(1, 7))
def test_a_known_answer_that_was_stopped_goes_on_as_if_it_had_not_been(backend, at):
    whole = ids(run(backend, emitted=ids_of(TWENTY), steer="no, 30"))
    first = ids(run(backend, stop_at=at, emitted=ids_of(TWENTY), steer="no, 30"))
    assert first == whole[: len(first)]
    spliced = (Splice(ids_of(TWENTY), "no, 30"),)
    rest = ids(run(backend, spliced=spliced, emitted=first)) if len(first) < len(whole) else ()
    assert first + rest == whole


def test_only_the_message_is_read_for_a_known_answer(backend):
    run(backend, emitted=ids_of(TWENTY), steer="no, 30")
    stood = backend.ask(Request("set LIMIT to 20", (FILE,), emitted=ids_of(TWENTY)))
    asked = backend.ask(Request("set LIMIT to 20", (FILE,), emitted=ids_of(TWENTY), steer="make it 40"))
    events = run(backend, emitted=ids_of(TWENTY), steer="make it 40")
    progress = [event for event in events if isinstance(event, PrefillProgress)][-1]
    assert progress.total - progress.reused <= len(asked.ids) - len(stood.ids) - len(stood.behind) + 1


def test_a_correction_of_a_correction(backend):
    spliced = (Splice(ids_of(TWENTY), "no, 30"),)
    events = run(backend, spliced=spliced, emitted=ids_of(THIRTY), steer="sorry, 40")
    assert said(events) == "*** src/area.py\n@@ 1,2\n+LIMIT = 40\n\n"


def test_what_would_not_hold_together_is_left_to_the_model(backend):
    asked = backend.ask(Request("set LIMIT to 20", (FILE,), emitted=ids_of(TWENTY), steer="no, 20"))
    assert isinstance(asked.look, Reranker)


def test_a_drawn_answer_is_not_known(backend):
    request = Request("set LIMIT to 20", (FILE,), emitted=ids_of(TWENTY), steer="no, 30", temperature=0.8)
    assert isinstance(backend.ask(request).constraint, LinesGrammar)


# What is asked for


def asking(*hunks):
    """A question whose answer is these hunks."""
    prompt = token_layout.encode_prompt(enc, token_layout.EncodedPrompt("area.py", LINES, "set LIMIT to 20"))
    made = EncodedRequest(prompt, TextReader(spark_tokenizer()))
    made.constraint = ForcedText(ids_of(*hunks))
    return lambda: replace(made, ids=list(prompt))


def offered(backend, told, correction, own=(), whole=None, anew=None, stopped=lambda: False):
    engine = backend.engine
    prompt = token_layout.encode_prompt(enc, token_layout.EncodedPrompt("area.py", LINES, "set LIMIT to 20"))
    prompt += [*ids_of(*told.standing)[:-1], token_layout.STEER, *enc("no"), token_layout.OUT]
    check = AnswerCheck(LINES, "no", spark_tokenizer().decode, NEWLINE, told.standing)

    class Reader:
        judged = None

    look = Reranker(prompt, check, ConfidenceGate(), Reader(), ForcedText(ids_of(*own)), lambda: None)
    cache = engine.new_cache()
    engine.warm(prompt, cache)
    steered = FollowUpAnswer(look, told, correction, enc, whole, anew)
    first = iter([Token(token, "", logprob=-0.01) for token in ids_of(*own)])
    try:
        return tuple(token.id for token in steered.over(first, engine, cache, stopped, None))
    finally:
        cache.close()


SWAP = FollowUpContext(LINES, ("set LIMIT to 20", "no, 30")).correction()


def test_an_answer_that_was_cut_is_finished_before_it_is_corrected(backend):
    told = FollowUpContext(LINES, ("set LIMIT to 20", "no, 30"), ended=False)
    correction = replace(SWAP, order="")
    assert offered(backend, told, correction, own=(NAMED,), whole=asking(TWENTY)) == ids_of(THIRTY)


def test_what_came_of_the_finished_answer_tells_what_is_meant(backend):
    told = FollowUpContext(LINES, ("raise the limit, keep it small", "no, 30"), ended=False)
    assert offered(backend, told, Correction(less="x"), own=(NAMED,), whole=asking(TWENTY)) == ids_of(THIRTY)


def test_hunks_that_had_closed_in_a_cut_answer_stand(backend):
    told = FollowUpContext(LINES, ("set LIMIT to 20", "no, 30"), standing=(NAMED,), ended=False)
    correction = replace(SWAP, order="")
    assert offered(backend, told, correction, own=(NAMED,), whole=asking(TWENTY, NAMED)) == ids_of(THIRTY)


def test_what_cannot_be_corrected_is_asked_anew_in_the_place_of_what_stands(backend):
    told = FollowUpContext(LINES, ("x", "y"), standing=(NAMED,))
    found = offered(backend, told, Correction(order="z"), own=(TWENTY,), anew=asking(THIRTY))
    assert found == ids_of(THIRTY, WindowHunk(2, 4, LINES[2:4]))


def test_what_is_asked_besides_leaves_what_stands(backend):
    told = FollowUpContext(LINES, ("x", "y"), standing=(NAMED,))
    found = offered(backend, told, Correction(order="z", more=True), own=(TWENTY,), anew=asking(THIRTY))
    assert found == ids_of(THIRTY)


def test_where_nothing_holds_together_the_own_answer_is_offered(backend):
    told = FollowUpContext(LINES, ("x", "y"), standing=(NAMED,))
    broken = asking(WindowHunk(0, 1, ("LIMIT = (",)))
    assert offered(backend, told, Correction(order="z"), own=(TWENTY,), anew=broken) == ids_of(TWENTY)


def test_nothing_is_offered_where_it_was_stopped_before_it_was_whole(backend):
    told = FollowUpContext(LINES, ("x", "y"), standing=(NAMED,))
    passes = iter(range(100))
    found = offered(
        backend,
        told,
        Correction(order="z"),
        own=(TWENTY,),
        anew=asking(THIRTY),
        stopped=lambda: next(passes) > 2,
    )
    assert found == ()


# What a request says


def test_whether_an_answer_had_come_to_its_end():
    whole = Request("x", (FILE,), emitted=ids_of(TWENTY), steer="no")
    assert answer_ended(whole)
    assert not answer_ended(replace(whole, emitted=ids_of(TWENTY)[:-1]))
    assert answer_ended(Request("x", (FILE,), spliced=(Splice(ids_of(TWENTY), "no"),)))
    assert without_last_message(
        Request("x", (FILE,), spliced=(Splice((5,), "no"),), emitted=(6,))
    ).emitted == (5,)
    assert without_last_message(whole).steer == ""
