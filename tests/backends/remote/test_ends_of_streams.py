"""Streams whose answer is whole though the connection is not, and streams that break off with words."""

import gzip

import pytest
from support.event_streams import token_text
from support.queued_answers import Scripted, chunk, sse
from support.scripted_model import STALL, Answer, Call, Raw, ScriptedModel, Think
from test_protocols import READ, asked, calls, connected, of, run

from spark_tui.backends.remote.http_client import sse_data
from spark_tui.errors import NoBackend
from spark_tui.events import AnswerEnded, Prose

FINISHED = {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}


def test_an_answer_is_whole_after_its_finish_reason_though_the_connection_breaks():
    _, headers, body = sse(chunk("whole"), FINISHED, done=False)
    cut = {**headers, "content-length": str(len(body) + 99), "x-no-length": "1"}
    with Scripted((200, cut, body)) as server:
        assert token_text(run(connected(server, "chat"))) == "whole"


def test_an_answer_is_whole_after_its_finish_reason_though_the_server_is_silent_then(monkeypatch):
    monkeypatch.setattr("spark_tui.backends.remote.event_stream._LAST_SECONDS", 0.05)
    finish = Raw(b'data: {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}\n\n')
    with ScriptedModel(Answer("whole", finish, STALL)) as server:
        assert token_text(run(connected(server, "chat", stall_seconds=60.0))) == "whole"


@pytest.mark.parametrize("error", ["CUDA error", {"message": "CUDA error", "code": None}])
def test_an_error_without_a_status_in_the_middle_of_an_answer_breaks_it_off(error):
    with Scripted(sse(chunk("half"), {"error": error})) as server:
        with pytest.raises(NoBackend, match="the answer broke off: CUDA error") as caught:
            run(connected(server, "chat"))
        assert "--resume" in caught.value.hint


@pytest.mark.parametrize("streamed", [True, False])
def test_an_answer_that_is_compressed_unasked_is_read(streamed):
    kind = "text/event-stream" if streamed else "application/json"
    whole = b'{"choices": [{"message": {"content": "whole"}, "finish_reason": "stop"}]}'
    body = gzip.compress(sse(chunk("who"), chunk("le"), FINISHED)[2] if streamed else whole)
    with Scripted((200, {"content-type": kind, "content-encoding": "gzip"}, body)) as server:
        assert token_text(run(connected(server, "chat"))) == "whole"


def test_what_says_that_it_is_compressed_and_is_not_is_an_error():
    head = {"content-type": "text/event-stream", "content-encoding": "gzip"}
    with Scripted((200, head, b"data: {}\n\n")) as server, pytest.raises(NoBackend):
        run(connected(server, "chat"))


def test_a_name_that_comes_after_the_beginning_of_its_call_is_the_call_s():
    def part(**function):
        delta = {"tool_calls": [{"index": 0, "function": function}]}
        return Raw(sse({"choices": [{"delta": delta}]}, done=False)[2])

    answer = Answer(part(name=None, arguments=""), part(name="read_file"), part(arguments='{"path": "a"}'))
    assert calls(asked("chat", answer, tools=(READ,))[0]) == [("read_file", '{"path": "a"}', True)]


@pytest.mark.parametrize("kind", ["text", "arguments", "reasoning"])
def test_an_answer_of_a_server_that_ignores_the_limit_ends_at_many_times_as_much(monkeypatch, kind):
    monkeypatch.setattr("spark_tui.backends.remote.answer_check._MOST_THOUGHT", 0)
    many = "x" * 100_000
    step = {"text": many, "arguments": Call("read_file", many, piece=1000), "reasoning": Think(many)}[kind]
    with ScriptedModel(Answer(step, step, STALL)) as server:
        backend = connected(server, "chat", stall_seconds=60.0)
        if kind == "reasoning":
            with pytest.raises(NoBackend, match="while the model was still thinking"):
                run(backend, max_tokens=100, tools=(READ,))
            return
        events = run(backend, max_tokens=100, tools=(READ,))
    assert of(AnswerEnded, events)[0].reason == "length"


def test_events_without_text_do_not_keep_a_stream_open_for_ever():
    empty = Raw(b'data: {"choices": [{"index": 0, "delta": {"content": ""}}]}\n\n')

    def trickle(wait):
        while not server.closing.wait(wait):
            yield empty

    with ScriptedModel(Answer()) as server:
        server.answers[0].steps = trickle(0.02)
        backend = connected(server, "chat")
        backend._endpoint.first_token_seconds = 0.3
        with pytest.raises(NoBackend, match=r"no data for 0\.3 s"):
            run(backend)


@pytest.mark.parametrize(
    ("steps", "tools", "waited"),
    [
        (("I look.",), (READ,), 0.4),
        (("I look.", Call("read_file", '{"path": "a.py"}', piece=99, whole=False)), (READ,), 0.4),
        (("I look.", Call("read_file", '{"path": "a.py"}', whole=False)), (READ,), 0.1),
        (("cart.py\n```\n<<<<<<< SEARCH\n",), (READ,), 0.1),
        (("I look.",), (), 0.1),
    ],
)
def test_a_server_that_may_gather_a_call_is_waited_for_longer(steps, tools, waited):
    with ScriptedModel(Answer(*steps, STALL)) as server, pytest.raises(NoBackend, match="no data") as caught:
        run(connected(server, "chat", stall_seconds=0.1), tools=tools)
    assert f"no data for {waited:g} s" in caught.value.what


def test_an_empty_answer_says_how_it_ended_and_what_may_be_the_cause():
    ended = Answer(reason="malformed_function_call", usage=(9, 0, 0, 0))
    with ScriptedModel(ended) as server, pytest.raises(NoBackend, match=r"empty \(malformed_f") as caught:
        run(connected(server, "chat"))
    assert "show fewer files" in caught.value.hint


@pytest.mark.parametrize(
    ("reason", "tokens", "told"), [("length", 40, True), ("length", 100, False), ("stop", 40, False)]
)
def test_an_answer_that_a_full_window_ended_says_so(reason, tokens, told):
    with ScriptedModel(Answer("half", reason=reason, usage=(9, 0, tokens, 0))) as server:
        events = run(connected(server, "chat"), max_tokens=100)
    notes = [event.text for event in of(Prose, events)]
    assert ["40 of 100 tokens: its window is full" in note for note in notes] == [True] * told
    assert isinstance(events[-1], AnswerEnded)


@pytest.mark.parametrize(
    ("rest", "said"), [(b"da", []), (b"data: {", []), (b"Internal err", [b"Internal err"])]
)
def test_a_stream_that_is_cut_in_the_name_of_a_field_says_nothing_beside_its_events(rest, said):
    beside = []
    assert list(sse_data(iter((b"data: {}\n\n", rest)), beside)) == ["{}"]
    assert beside == said
