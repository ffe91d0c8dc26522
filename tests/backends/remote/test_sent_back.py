"""What a chat server wants back with calls goes back, and what it refuses of messages does not."""

import json
import threading

import pytest
from support.scripted_model import Answer, Call, Raw, ScriptedModel, refuse

from spark_tui.backends.base import Request
from spark_tui.backends.remote.backend import RemoteBackend
from spark_tui.backends.remote.retries import RetryLimits
from spark_tui.backends.tool_calls import ToolCall, ToolResult, ToolSpec, ToolStep
from spark_tui.errors import MalformedInput
from spark_tui.events import ToolCallStarted

READ = ToolSpec("read_file", "Reads a file.", {"type": "object", "properties": {"path": {"type": "string"}}})
CALL = Call("read_file", '{"path": "x.py"}', id="c1")


def delta(**members):
    row = {"choices": [{"index": 0, "delta": members}]}
    return Raw(f"data: {json.dumps(row)}\n\n".encode())


def second_message(first, *answers, text="", forget=False, arguments=CALL.arguments):
    """The message with the calls in the last request after an answer with a call."""
    with ScriptedModel(first, *answers, Answer("done")) as server:
        backend = RemoteBackend(server.url, "m", key="", api="chat", retries=RetryLimits(1))
        events = list(backend.stream(Request("do it", tools=(READ,)), threading.Event()))
        started = next(event for event in events if isinstance(event, ToolCallStarted))
        call_id = "of another process" if forget else started.id
        calls = (ToolCall(call_id, CALL.name, arguments),)
        step = ToolStep(text, calls, (ToolResult(call_id, "x = 1"),))
        try:
            list(backend.stream(Request("do it", tools=(READ,), steps=(step,)), threading.Event()))
        finally:
            backend.close()
        return server.bodies[-1]["messages"][2]


def test_the_reasoning_of_a_call_goes_back_as_it_came():
    first = Answer(delta(reasoning_content="hm, "), delta(reasoning_content="so"), CALL)
    assert second_message(first)["reasoning_content"] == "hm, so"


def test_an_id_that_stands_again_has_nothing_of_the_call_before():
    signed = {"google": {"thought_signature": "CiQB"}}
    function = {"name": "read_file", "arguments": CALL.arguments}
    call = {"index": 0, "function": function}
    answers = Answer(delta(reasoning_content="old", tool_calls=[{**call, "extra_content": signed}]))
    with ScriptedModel(answers, Answer(delta(tool_calls=[call])), Answer("done")) as server:
        backend = RemoteBackend(server.url, "m", key="", api="chat", retries=RetryLimits(1))
        ids = [
            next(event.id for event in events if isinstance(event, ToolCallStarted))
            for _ in range(2)
            for events in [list(backend.stream(Request("do it", tools=(READ,)), threading.Event()))]
        ]
        assert ids[0] == ids[1]
        step = ToolStep("", (ToolCall(ids[1], CALL.name, CALL.arguments),), (ToolResult(ids[1], "x = 1"),))
        list(backend.stream(Request("do it", tools=(READ,), steps=(step,)), threading.Event()))
        backend.close()
    message = server.bodies[-1]["messages"][2]
    assert "reasoning_content" not in message
    assert "extra_content" not in message["tool_calls"][0]


def test_reasoning_under_a_name_that_no_server_takes_stays_here():
    assert not {"reasoning", "reasoning_content"} & {*second_message(Answer(delta(reasoning="hm"), CALL))}


def test_parts_of_reasoning_are_joined_to_what_the_provider_signed():
    one = {"type": "reasoning.text", "index": 0, "text": "hm, "}
    more = {"type": "reasoning.text", "index": 0, "text": "so", "signature": "EqQB"}
    secret = {"type": "reasoning.encrypted", "data": "Eh4="}
    first = Answer(*(delta(reasoning_details=[part]) for part in (one, more, secret)), CALL)
    whole = {"type": "reasoning.text", "index": 0, "text": "hm, so", "signature": "EqQB"}
    assert second_message(first)["reasoning_details"] == [whole, secret]


def test_the_signature_of_a_call_goes_back_with_it():
    signed = {"google": {"thought_signature": "CiQB"}}
    function = {"name": "read_file", "arguments": CALL.arguments}
    first = Answer(
        delta(tool_calls=[{"index": 0, "id": "c1", "function": function, "extra_content": signed}])
    )
    assert second_message(first)["tool_calls"][0]["extra_content"] == signed


def test_a_server_that_misses_its_reasoning_after_a_restart_gets_an_empty_one():
    missing = "The `reasoning_content` in the thinking mode must be passed back to the API."
    answers = (refuse(400, {"error": {"message": missing}}),)
    message = second_message(Answer(delta(reasoning_content="hm"), CALL), *answers, forget=True)
    assert message["reasoning_content"] == ""


def test_reasoning_that_a_server_does_not_take_back_is_left_out():
    refused = "property 'reasoning_content' is unsupported"
    answers = (refuse(400, {"error": {"message": refused}}),)
    message = second_message(Answer(delta(reasoning_content="hm"), CALL), *answers)
    assert "reasoning_content" not in message


def test_text_beside_calls_is_left_out_where_a_server_takes_only_one_of_both():
    refused = "Assistant message must have either content or tool_calls, but not both."
    answers = (refuse(400, {"object": "error", "message": refused}),)
    assert second_message(Answer("Look: ", CALL), text="Look: ")["content"] == "Look: "
    assert second_message(Answer("Look: ", CALL), *answers, text="Look: ")["content"] is None


@pytest.mark.parametrize(
    "refusals",
    [
        ("Invalid role: tool. Only user, assistant and system are supported",),
        ("Conversation roles must alternate user/assistant/user/assistant",) * 2,
    ],
)
def test_calls_become_text_where_a_server_that_took_tools_takes_no_answer_of_one(refusals):
    last = after_refused_step(refusals)
    assert "tools" not in last
    assert last["messages"][-2:] == AS_TEXT


@pytest.mark.parametrize(
    "refused",
    [
        "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
        "A message with 'tool_calls' must be followed by tool messages for each 'tool_call_id'.",
        "tool messages must follow an assistant message with tool_calls",
        "Unexpected role 'tool' in tool messages without a preceding tool call",
        "invalid tool messages: tool_call_id c1 is not known",
    ],
)
def test_tools_stay_where_a_server_misses_the_call_of_an_answer(refused):
    last = after_refused_step([refused])
    assert last["tools"]
    assert last["messages"][-2:] == AS_TEXT


AS_TEXT = [
    {"role": "assistant", "content": 'Look: \n\nread_file({"path": "x.py"})'},
    {"role": "user", "content": "x = 1"},
]


def after_refused_step(refusals):
    """The last body that was sent, where the step after a call is refused so."""
    answers = [refuse(400, {"error": {"message": said}}) for said in refusals]
    with ScriptedModel(Answer("Look: ", CALL), *answers, Answer("done")) as server:
        backend = RemoteBackend(server.url, "m", key="", api="chat", retries=RetryLimits(1))
        list(backend.stream(Request("do it", tools=(READ,)), threading.Event()))
        calls = (ToolCall("c1", CALL.name, CALL.arguments),)
        step = ToolStep("Look: ", calls, (ToolResult("c1", "x = 1"),))
        list(backend.stream(Request("do it", tools=(READ,), steps=(step,)), threading.Event()))
        backend.close()
    return server.bodies[-1]


def test_a_refusal_of_messages_that_comes_again_is_the_end():
    refused = refuse(400, {"error": {"message": "must have either content or tool_calls"}})
    with pytest.raises(MalformedInput, match="either content"):
        second_message(Answer("Look: ", CALL), refused, refused, text="Look: ")


@pytest.mark.parametrize(
    ("written", "sent"),
    [
        ('{"path": "x.py"}', '{"path": "x.py"}'),
        ("", "{}"),
        ('{"path": "x', '{"arguments": "{\\"path\\": \\"x"}'),
        ('{"text": "a\nb"}', '{"text": "a\\nb"}'),
        ('["x.py"]', '{"arguments": ["x.py"]}'),
    ],
)
def test_arguments_go_back_as_an_object_that_a_template_can_read(written, sent):
    message = second_message(Answer(CALL), arguments=written)
    assert message["tool_calls"][0]["function"]["arguments"] == sent


def test_a_call_without_an_id_gets_one_that_every_template_takes():
    first = Answer(delta(tool_calls=[{"index": 0, "function": {"name": "read_file", "arguments": "{}"}}]))
    (call,) = second_message(first)["tool_calls"]
    assert len(call["id"]) == 9 and call["id"].isalnum()
