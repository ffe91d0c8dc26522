"""Anthropic's Messages API: text, streams, tools, limits and errors."""

import json

import pytest
from support.http_client import ask, asked
from support.serving import Counting, Saying, serving

LINES = "*** a.py\n@@ 2,3\n+TWO\n"
EDIT = {
    "name": "edit",
    "description": "",
    "input_schema": {
        "type": "object",
        "properties": {item: {"type": "string"} for item in ("file_path", "old_string", "new_string")},
        "required": ["file_path", "old_string", "new_string"],
    },
}
READ = {
    "name": "read",
    "input_schema": {
        "type": "object",
        "properties": {"file_path": {"type": "string"}},
        "required": ["file_path"],
    },
}


def message(live, *messages, **more):
    body = {"model": "saying", "max_tokens": 100, "messages": list(messages), **more}
    status, _, text = ask(live, "POST", "/v1/messages", body)
    return status, json.loads(text)


def user(content):
    return {"role": "user", "content": content}


def test_a_message_has_its_text_its_end_and_its_counts():
    with serving() as live:
        _, said = asked(live, "/v1/messages", model="counting", max_tokens=3, messages=[user("count")])
    assert said["content"] == [{"type": "text", "text": "0 1 2 "}]
    assert (said["type"], said["role"], said["model"]) == ("message", "assistant", "counting")
    assert said["stop_reason"] == "max_tokens" and said["usage"]["output_tokens"] == 3


def test_a_message_names_the_model_that_answers_where_none_was_asked_for():
    with serving() as live:
        _, said = asked(live, "/v1/messages", max_tokens=1, messages=[user("count")])
    assert said["model"] == "counting"


def test_a_stream_has_the_events_of_the_protocol_in_order():
    with serving(Saying("That is all.")) as live:
        body = {"model": "saying", "max_tokens": 9, "messages": [user("c")], "stream": True}
        _, _, text = ask(live, "POST", "/v1/messages", body)
    rows = [json.loads(line[6:]) for line in text.splitlines() if line.startswith("data: ")]
    names = [line[7:] for line in text.splitlines() if line.startswith("event: ")]
    assert names == [row["type"] for row in rows]
    kinds = list(dict.fromkeys(names))
    assert kinds == [
        "message_start",
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
    ]
    told = "".join(row["delta"]["text"] for row in rows if row["type"] == "content_block_delta")
    assert told == "That is all."
    assert rows[-2]["delta"]["stop_reason"] == "end_turn"
    assert "[DONE]" not in text


def test_rules_history_and_thoughts_are_understood():
    with serving(Saying("x")) as live:
        before = [{"type": "thinking", "thinking": "hm", "signature": "s"}, {"type": "text", "text": "one"}]
        earlier = [user("first"), {"role": "assistant", "content": before}]
        rules = [{"type": "text", "text": "Be brief."}]
        status, _ = message(live, *earlier, user([{"type": "text", "text": "second"}]), system=rules)
        (request,) = live.backend.requests
    assert status == 200
    assert (request.rules, request.instruction) == ("Be brief.", "second")
    assert [(one.instruction, one.answer) for one in request.history] == [("first", "one")]


def test_a_client_with_tools_reads_and_edits_by_them():
    with serving(Saying(LINES, format="lines")) as live:
        first = user("make two loud in a.py")
        _, said = message(live, first, tools=[EDIT, READ])
        (read,) = said["content"]
        assert (read["type"], read["name"], read["input"]) == ("tool_use", "read", {"file_path": "a.py"})
        assert said["stop_reason"] == "tool_use"
        shown = {"type": "tool_result", "tool_use_id": read["id"], "content": "1\tone\n2\ttwo\n3\tthree"}
        seen = [{"role": "assistant", "content": [read]}, user([shown])]
        _, said = message(live, first, *seen, tools=[EDIT, READ])
        (edit,) = said["content"]
        assert edit["input"] == {"file_path": "a.py", "old_string": "two", "new_string": "TWO"}
        done = {"type": "tool_result", "tool_use_id": edit["id"], "content": [{"type": "text", "text": "ok"}]}
        after = [{"role": "assistant", "content": [edit]}, user([done])]
        _, said = message(live, first, *seen, *after, tools=[EDIT, READ])
        assert said["content"] == [{"type": "text", "text": "The edit was applied.\n"}]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"messages": "x"}, 400),
        ({"messages": [7]}, 400),
        ({"messages": [{"role": "user", "content": [{"type": "image"}]}]}, 400),
        ({"messages": [{"role": "user", "content": "x"}], "model": "nobody"}, 404),
        ([], 400),
    ],
)
def test_what_cannot_be_read_is_an_error_of_the_protocol(body, status):
    with serving() as live:
        given, _, text = ask(live, "POST", "/v1/messages", body)
    found = json.loads(text)
    assert given == status
    assert found["type"] == "error" and found["error"]["type"] and found["error"]["message"]


def test_a_token_may_come_in_the_header_of_these_clients():
    body = {"model": "counting", "max_tokens": 1, "messages": [user("c")]}
    with serving(Counting(), tokens=["a-token-of-sufficient-length"]) as live:
        headers = {"x-api-key": "a-token-of-sufficient-length"}
        assert ask(live, "POST", "/v1/messages", body, headers=headers)[0] == 200
        assert ask(live, "POST", "/v1/messages", body, headers={"x-api-key": "another"})[0] == 401
