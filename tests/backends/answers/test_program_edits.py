"""An edit that an instruction spells out is read by the built-in model, whole, wherever it was stopped."""

from __future__ import annotations

import threading

import pytest
from support.tiny_models import spark_backend

from spark_tui.backends.answers import program_edits
from spark_tui.backends.answers.compound_request import KNOWN, CompoundRequest
from spark_tui.backends.answers.reranker import Reranker
from spark_tui.backends.base import FilePart, Request
from spark_tui.engine import token_layout
from spark_tui.events import Doubt, PrefillProgress, Token
from spark_tui.refactor.known import LOOSE, PLAIN, Hunk, Known

SOURCE = (
    "TIMEOUT = 10\nRETRIES = 3\n\n\ndef wait(seconds):\n    total = seconds * RETRIES\n    return total\n"
)
FILE = FilePart("src/wait.py", SOURCE)
RENAMED = "*** src/wait.py\n@@ 6,8\n+    amount = seconds * RETRIES\n+    return amount\n\n"


@pytest.fixture
def backend():
    made = spark_backend(settings={"gate": {"cannot": 1.0, "doubt": 0.5}, "max_window_lines": 300})
    yield made
    made.close()


def run(backend, instruction, *, stop_at=0, file=FILE, **request):
    stop, out = threading.Event(), []
    for event in backend.stream(Request(instruction, (file,), **request), stop):
        out.append(event)
        if stop_at and sum(isinstance(one, Token) for one in out) == stop_at:
            stop.set()
    return out


def text(events):
    return "".join(event.text for event in events if isinstance(event, Token))


def ids(events):
    return tuple(event.id for event in events if isinstance(event, Token))


def test_what_is_spelled_out_is_the_answer_and_carries_no_mark(backend):
    events = run(backend, "rename total to amount")
    assert text(events) == RENAMED
    assert not [event for event in events if isinstance(event, Doubt)]


def test_turned_off_the_model_answers_for_itself(backend):
    backend.programs = False
    assert not backend.programs
    assert text(run(backend, "rename total to amount")) != RENAMED


@pytest.mark.parametrize("at", [1, 4, 9])
def test_what_was_stopped_goes_on_as_if_it_had_not_been(backend, at):
    whole = ids(run(backend, "rename total to amount"))
    first = ids(run(backend, "rename total to amount", stop_at=at))
    assert first == whole[: len(first)]
    rest = ids(run(backend, "rename total to amount", emitted=first)) if len(first) < len(whole) else ()
    assert first + rest == whole


def test_what_is_known_of_the_whole_file_is_said_in_its_lines(backend):
    part = FilePart("src/wait.py", SOURCE, first_line=101, total_lines=400)
    events = run(backend, "make it neat", file=part, known=((106, 107, ("    total = 0",)),))
    assert text(events) == "*** src/wait.py\n@@ 106,107\n+    total = 0\n\n"


def test_what_a_request_knows_is_said_also_where_nothing_is_looked_for(backend):
    backend.programs = False
    events = run(backend, "rename total to amount", known=((1, 1, ("import os",)),))
    assert text(events) == "*** src/wait.py\n@@ 1,1\n+import os\n\n"


def test_a_drawn_answer_is_the_models_own(backend):
    assert text(run(backend, "rename total to amount", temperature=0.9, seed=4)) != RENAMED


def test_the_file_is_not_read_again_for_it(backend):
    run(backend, "", kind="warm")
    asked = backend.ask(Request("rename total to amount", (FILE,)))
    progress = [one for one in run(backend, "rename total to amount") if isinstance(one, PrefillProgress)][-1]
    assert progress.total == len(asked.ids)
    assert progress.total - progress.reused < len(asked.ids) // 2


def test_a_part_of_an_order_that_is_spelled_out_is_sure(backend):
    asked = backend.ask(Request("rename total to amount and do something about the rest", (FILE,)))
    assert isinstance(asked.look, CompoundRequest)
    part = asked.look.ask("rename total to amount", None)
    answer = asked.look._asked(part, None)
    assert answer.sure == KNOWN
    assert [hunk.new for hunk in answer.hunks] == [("    amount = seconds * RETRIES", "    return amount")]


def test_what_may_be_meant_is_one_more_way_to_answer(backend, monkeypatch):
    maybe = [Known((Hunk(0, 1, (f"TIMEOUT = {n}",)),), LOOSE) for n in (20, 30)]
    monkeypatch.setattr(program_edits, "known", lambda *_, **__: maybe)
    program_edits._known.cache_clear()
    look = backend.ask(Request("wait a little longer, maybe", (FILE,))).look
    program_edits._known.cache_clear()
    assert isinstance(look, Reranker)
    assert [token_layout.is_tag(given[1]) for given, _ in look.given] == [True, True]
    assert all(credit == program_edits.LOOSE_CREDIT for _, credit in look.given)


def test_only_one_plain_edit_is_taken_for_the_answer(monkeypatch):
    one = Known((Hunk(0, 1, ("TIMEOUT = 20",)),), PLAIN)
    monkeypatch.setattr(program_edits, "known", lambda *_, **__: [one])
    program_edits._known.cache_clear()
    found = program_edits.program_edits(
        tuple(SOURCE.split("\n")[:-1]), (), "longer", lambda text: [9 + len(text)]
    )
    program_edits._known.cache_clear()
    assert found.plain[0] == token_layout.HUNK
    assert found.plain[-1] == token_layout.EOS
    assert not found.others
