"""Anthropic's signed reasoning goes back with the calls that followed from it."""

import json
import threading

from support.scripted_model import Answer, Call, Raw, ScriptedModel, Think

from spark_tui.backends.base import Request
from spark_tui.backends.remote.backend import RemoteBackend
from spark_tui.backends.tool_calls import ToolCall, ToolResult, ToolSpec, ToolStep
from spark_tui.events import ToolCallStarted

READ = ToolSpec("read_file", "Reads a file.", {"type": "object", "properties": {"path": {"type": "string"}}})
CALL = Call("read_file", '{"path": "x.py"}')


def redacted(place):
    block = {"type": "redacted_thinking", "data": "Eh4="}
    begin = {"type": "content_block_start", "index": place, "content_block": block}
    return Raw(f"data: {json.dumps(begin)}\n\n".encode())


def loop(*first, effort="high", forget=False):
    """The bodies of an answer with a call and of the one after it."""
    with ScriptedModel(Answer(*first, CALL), Answer("done")) as server:
        backend = RemoteBackend(server.url, "m", key="", api="messages", effort=effort)
        request = Request("do it", tools=(READ,))
        events = list(backend.stream(request, threading.Event()))
        started = next(event for event in events if isinstance(event, ToolCallStarted))
        call_id = "of another process" if forget else started.id
        step = ToolStep("", (ToolCall(call_id, CALL.name, CALL.arguments),), (ToolResult(call_id, "x = 1"),))
        list(backend.stream(Request("do it", tools=(READ,), steps=(step,)), threading.Event()))
        backend.close()
        return server.bodies


def test_signed_reasoning_goes_back_before_its_call_and_the_model_thinks_on():
    first, second = loop(Think("hm, "))
    assert first["thinking"] == second["thinking"]
    said = second["messages"][-2]["content"]
    assert said[0] == {"type": "thinking", "thinking": "hm, ", "signature": "EqQB"}
    assert [block["type"] for block in said] == ["thinking", "tool_use"]


def test_redacted_reasoning_goes_back_too():
    _, second = loop(redacted(7))
    assert second["messages"][-2]["content"][0] == {"type": "redacted_thinking", "data": "Eh4="}


def test_a_step_of_another_process_has_no_reasoning_and_none_is_asked_for():
    _, second = loop(Think("hm"), forget=True)
    assert "thinking" not in second
    assert [block["type"] for block in second["messages"][-2]["content"]] == ["tool_use"]


def test_an_answer_without_reasoning_is_followed_by_none():
    _, second = loop(effort="")
    assert "thinking" not in second
    assert [block["type"] for block in second["messages"][-2]["content"]] == ["tool_use"]
