"""Each call of a turn has an id of its own, also where a server counts from 0 in every answer."""

import json

import pytest
from support.scripted_model import Answer, Call, Raw
from test_protocols import READ, asked, calls, of

from spark_tui.backends.tool_calls import ToolCall, ToolResult, ToolStep
from spark_tui.events import ToolCallStarted

BEFORE = (ToolStep("", (ToolCall("call_0", "read_file", "{}"),), (ToolResult("call_0", "x"),)),)


@pytest.mark.parametrize("api", ["chat", "responses", "messages"])
def test_an_id_of_an_earlier_answer_is_replaced(api):
    answer = Answer(Call("read_file", '{"path": "a.py"}', id="call_0"), Call("read_file", id="call_7"))
    events, _ = asked(api, answer, tools=(READ,), steps=BEFORE)
    first, second = [event.id for event in of(ToolCallStarted, events)]
    assert first not in ("call_0", second) and second == "call_7"
    assert len(first) == 9 and first.isalnum()
    assert calls(events)[0] == ("read_file", '{"path": "a.py"}', True)


def test_parts_that_repeat_a_replaced_id_are_of_one_call():
    def part(text):
        call = {"index": 0, "id": "call_0", "function": {"name": "read_file", "arguments": text}}
        event = {"choices": [{"delta": {"tool_calls": [call]}}]}
        return Raw(f"data: {json.dumps(event)}\n\n".encode())

    answer = Answer(part('{"path": '), part('"a.py"}'))
    events, _ = asked("chat", answer, tools=(READ,), steps=BEFORE)
    assert calls(events) == [("read_file", '{"path": "a.py"}', True)]


def test_arguments_after_an_empty_object_are_of_one_call():
    def part(text, **members):
        call = {"index": 0, "function": {"arguments": text}, **members}
        event = {"choices": [{"delta": {"tool_calls": [call]}}]}
        return Raw(f"data: {json.dumps(event)}\n\n".encode())

    first = part("", id="call_1", function={"name": "read_file", "arguments": "{}"})
    events, _ = asked("chat", Answer(first, part('{"path": '), part('"a.py"}')), tools=(READ,))
    assert calls(events) == [("read_file", '{}{"path": "a.py"}', True)]
    assert ToolCall("c", *calls(events)[0][:2]).object_text == '{"path": "a.py"}'
