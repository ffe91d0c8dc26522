"""A turn is its events: in order, ended once, whole at every cut."""

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.fakes import FakeBackend

from spark_tui import events
from spark_tui.backends.base import Request
from spark_tui.edits.parser import Parser
from spark_tui.errors import NoBackend, SparkError
from spark_tui.events import Waited
from spark_tui.session.timing import LegTimer
from spark_tui.session.turn import Turn

FILES = {"a.py": ["one", "two", "three"]}
ANSWER = "*** a.py\n@@ 2,3\n+TWO\n+and more\n@@ 4,4\n+four\n"


def turn(backend, stop=None, **request):
    request.setdefault("instruction", "do it")
    begun = Turn(
        "t-1",
        (Request(**request),),
        backend,
        lambda name: Parser(name, FILES.get),
        clock=iter(range(10_000)).__next__,
        wall=lambda: 7.0,
    )
    return begun.start(stop or threading.Event())


def closed(stream):
    return [
        (e.old_start, e.old_lines, e.new_lines, e.partial) for e in stream if isinstance(e, events.HunkClosed)
    ]


def test_a_turn_reads_started_prefill_tokens_hunks_finished():
    stream = list(turn(FakeBackend(list(ANSWER))))
    assert stream[0] == events.TurnStarted("t-1", "do it", "fake", "lines", 7.0)
    assert stream[1] == events.PrefillProgress(10, 10, 4)
    assert closed(stream) == [(2, ("two",), ("TWO", "and more"), False), (4, (), ("four",), False)]
    end = stream[-1]
    assert isinstance(end, events.Finished)
    assert end.reason == "stop"
    assert (end.usage.prompt_tokens, end.usage.reused_tokens, end.usage.output_tokens) == (10, 4, len(ANSWER))
    assert end.timing.first_token > 0
    assert end.timing.generation == len(ANSWER)


@given(st.integers(1, len(ANSWER)))
def test_a_stop_at_any_token_keeps_what_was_closed_and_marks_the_open_hunk(cut):
    stop, seen, tokens = threading.Event(), [], 0
    for event in turn(FakeBackend(list(ANSWER)), stop):
        seen.append(event)
        tokens += isinstance(event, events.Token)
        if tokens == cut:
            stop.set()
    interrupted, finished = seen[-2:]
    assert interrupted.at == tokens <= cut
    assert finished.reason == "interrupted"
    whole = list(turn(FakeBackend(list(ANSWER))))
    for hunk in closed(seen):
        if not hunk[3]:
            assert hunk in closed(whole)
    assert sum(hunk[3] for hunk in closed(seen)) == (1 if interrupted.open_hunk else 0)


def test_the_format_that_was_asked_for_wins_over_the_backends():
    stream = list(turn(FakeBackend(["words"], format="lines"), format="search_replace"))
    assert stream[0].format == "search_replace"


def test_a_turn_that_reached_its_token_limit_says_so():
    assert list(turn(FakeBackend(["a", "b"]), max_tokens=2))[-1].reason == "length"


@pytest.mark.parametrize(("text", "reason"), [("@@ no-edit\n", "no_edit"), ("@@ cannot\n", "cannot")])
def test_a_verdict_of_the_model_is_the_reason(text, reason):
    assert list(turn(FakeBackend([text])))[-1].reason == reason


def test_an_error_of_the_backend_ends_the_turn_and_keeps_the_hunks():
    error = SparkError("the line went dead", where="host", hint="again")
    stream = list(turn(FakeBackend([ANSWER[:-6]], error=error)))
    assert stream[-1] == events.Failed("the line went dead", "host", "again", 2)
    assert closed(stream)[0][3] is False
    assert not [e for e in stream if isinstance(e, events.Finished)]


def test_a_backend_that_refuses_before_it_begins_fails_the_turn():
    class Refusing(FakeBackend):
        def format_for(self, request):
            raise NoBackend("none")

    started, failed = turn(Refusing())
    assert isinstance(started, events.TurnStarted)
    assert failed.exit_code == 6


class Waiting(FakeBackend):
    """Waited for the engine and on the wire before it spoke."""

    def stream(self, request, stop):
        yield Waited(queue=0.25, network=0.125)
        yield Waited(queue=0.5, network=0.25)
        yield from super().stream(request, stop)


def test_the_parts_of_the_time_add_up_to_the_whole():
    stream = list(turn(Waiting(list(ANSWER))))
    timing = stream[-1].timing
    assert (timing.queue, timing.network) == (0.5, 0.25)
    whole = timing.queue + timing.network + timing.prefill + timing.generation
    # The clock ticks once for the beginning, once when the prompt was read, and at each token.
    assert whole == len(ANSWER) + 1
    assert timing.first_token == 2
    assert not [event for event in stream if isinstance(event, Waited)]


def test_an_answer_that_was_never_begun_has_waited_all_the_same():
    meter = LegTimer(iter(range(9)).__next__)
    meter.begin()
    meter.note(Waited(queue=3.0))
    assert meter.timing() == events.Timing(queue=3.0)


def test_windows_after_the_first_wait_while_the_answer_is_written():
    meter = LegTimer(iter([10.0, 14.0]).__next__, started=4.0)
    meter.begin()
    meter.note(Waited(queue=1.0))
    meter.note(events.Token(1, "a"))
    meter.begin()
    meter.note(Waited(queue=2.0))
    meter.note(events.PrefillProgress(7, 7))
    meter.note(events.Token(2, "b"))
    assert meter.timing() == events.Timing(queue=3.0, prefill=5.0, first_token=6.0, generation=4.0)


def test_what_is_held_back_before_it_is_shown_is_writing():
    meter = LegTimer(iter([1.0, 4.0, 4.5]).__next__)
    meter.begin()
    meter.note(events.PrefillProgress(3, 7))
    meter.note(events.PrefillProgress(7, 7))
    meter.note(events.Token(1, "a"))
    meter.note(events.Token(2, "b"))
    assert meter.timing() == events.Timing(prefill=1.0, first_token=4.0, generation=3.5)
