"""Models whose reasoning counts towards the token limit of an answer."""

import pytest
from support.event_streams import token_text
from support.queued_answers import Scripted, sse
from support.scripted_model import Answer, ScriptedModel, Think, refuse
from test_protocols import connected, of, run

from spark_tui.errors import Misfit, NoBackend
from spark_tui.events import AnswerEnded, Retrying

CUT = Answer(Think("hm, "), reason="length", usage=(20, 5, 100, 100))
WHOLE = Answer(Think("so"), "done", usage=(20, 5, 7, 3))
LIMIT = {"chat": "max_tokens", "responses": "max_output_tokens", "messages": "max_tokens"}
TOO_LONG = refuse(400, {"error": {"message": "maximum context length is 4096 tokens"}})


@pytest.mark.parametrize("api", ["chat", "responses", "messages"])
def test_an_answer_that_is_cut_off_in_its_reasoning_is_asked_for_with_more_room(api):
    with ScriptedModel(CUT, WHOLE) as server:
        events = run(connected(server, api), max_tokens=100)
        limits = [body[LIMIT[api]] for body in server.bodies]
    assert token_text(events) == "done" and limits == [100, 8292]
    assert "still thinking" in of(Retrying, events)[0].reason
    assert [ended.output_tokens for ended in of(AnswerEnded, events)] == [107]


def test_the_last_room_is_not_exceeded_and_the_error_says_what_to_do():
    with ScriptedModel(CUT) as server, pytest.raises(NoBackend, match="still thinking") as caught:
        run(connected(server, "chat"), max_tokens=100)
    assert [body["max_tokens"] for body in server.bodies] == [100, 8292, 32868]
    assert "--max-tokens" in caught.value.hint


def test_a_model_that_was_seen_thinking_has_room_from_then_on():
    with ScriptedModel(WHOLE) as server:
        backend = connected(server, "chat")
        run(backend, max_tokens=100)
        run(backend, max_tokens=100)
        assert [body["max_tokens"] for body in server.bodies] == [100, 8292]


def test_a_model_that_does_not_think_gets_no_more_than_was_asked_for():
    with ScriptedModel(Answer("half", reason="length", usage=(20, 5, 100, 0))) as server:
        backend = connected(server, "chat")
        assert of(AnswerEnded, run(backend, max_tokens=100))[0].reason == "length"
        run(backend, max_tokens=100)
        assert [body["max_tokens"] for body in server.bodies] == [100, 100]


def test_an_effort_has_room_at_once():
    with ScriptedModel(WHOLE) as server:
        run(connected(server, "chat", effort="high"), max_tokens=100)
        run(connected(server, "messages", effort="high"), max_tokens=100)
        assert [body["max_tokens"] for body in server.bodies] == [16484, 16484]


def test_a_server_whose_window_has_no_such_room_is_asked_without_it():
    with ScriptedModel(WHOLE, TOO_LONG, WHOLE) as server:
        backend = connected(server, "chat")
        run(backend, max_tokens=100)
        assert token_text(run(backend, max_tokens=100)) == "done"
        run(backend, max_tokens=100)
        assert [body["max_tokens"] for body in server.bodies] == [100, 8292, 100, 100]


def test_a_prompt_that_is_too_long_by_itself_is_an_error_as_before():
    with ScriptedModel(TOO_LONG) as server, pytest.raises(Misfit):
        run(connected(server, "chat", effort="low"), max_tokens=100)


def test_answer_and_reasoning_get_half_of_a_window_that_is_known():
    models = [{"id": "m", "max_model_len": 4096}]
    with ScriptedModel(CUT, WHOLE, models=models) as server:
        backend = connected(server, "chat")
        backend.models()
        assert token_text(run(backend, max_tokens=100)) == "done"
        assert [body["max_tokens"] for body in server.bodies] == [100, 2048]


def _responses(kind, **facts):
    item = {"type": "reasoning", "id": "r1", "summary": []}
    begun = {"type": "response.output_item.added", "output_index": 0, "item": item}
    ended = {"type": f"response.{kind}", "response": {"status": kind, "output": [item], **facts}}
    return sse(begun, ended, done=False)


@pytest.mark.parametrize("api", ["responses", "messages"])
def test_reasoning_that_is_not_shown_is_reasoning(api):
    block = {"type": "redacted_thinking", "data": "secret"}
    begun = {"type": "content_block_start", "index": 0, "content_block": block}
    stop = {"type": "message_delta", "delta": {"stop_reason": "end_turn"}}
    answer = _responses("completed") if api == "responses" else sse(begun, stop, {"type": "message_stop"})
    refused = [(426, {}, b"")] * (api == "responses")
    says = pytest.raises(NoBackend, match="used its whole answer for reasoning")
    with Scripted(*refused, answer) as server, says as caught:
        run(connected(server, api))
    assert "--max-tokens" in caught.value.hint and "--effort" in caught.value.hint


def test_reasoning_that_is_not_shown_gets_more_room_though_it_is_not_counted():
    cut = _responses("incomplete", incomplete_details={"reason": "max_output_tokens"})
    with Scripted((426, {}, b""), cut, cut, cut) as server:
        with pytest.raises(NoBackend, match="still thinking"):
            run(connected(server, "responses"), max_tokens=100)
        assert [body["max_output_tokens"] for _, _, body in server.asked[1:]] == [100, 8292, 32868]


def test_an_answer_that_stands_only_at_its_end_is_read_there():
    parts = [{"type": "output_text", "text": "whole"}]
    output = [{"type": "reasoning", "summary": []}, {"type": "message", "content": parts}]
    ended = {"type": "response.completed", "response": {"output": output}}
    with Scripted((426, {}, b""), sse(ended, done=False)) as server:
        assert token_text(run(connected(server, "responses"))) == "whole"
