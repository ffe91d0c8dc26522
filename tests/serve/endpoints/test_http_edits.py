"""Answers of a model that edits files, over the HTTP endpoints."""

import pytest
from support.http_client import asked
from support.serving import Saying, serving


def test_an_answer_in_lines_becomes_search_and_replace():
    file = "a.py\n```\none\ntwo\nthree\n```\nrename two"
    with serving(Saying("*** a.py\n@@ 2,3\n+TWO\n", format="lines")) as live:
        _, body = asked(live, "/v1/chat/completions", messages=[{"role": "user", "content": file}])
        text = body["choices"][0]["message"]["content"]
        assert text == "a.py\n```\n<<<<<<< SEARCH\ntwo\n=======\nTWO\n>>>>>>> REPLACE\n```\n"


def test_an_answer_in_lines_becomes_a_patch_call_where_the_tool_is_offered():
    body = {
        "input": "a.py\n```\none\ntwo\nthree\n```\nrename two",
        "tools": [{"type": "custom", "name": "apply_patch"}],
    }
    with serving(Saying("*** a.py\n@@ 2,3\n+TWO\n", format="lines")) as live:
        _, answer = asked(live, "/v1/responses", **body)
        (call,) = answer["output"]
        assert (call["type"], call["name"], call["status"]) == (
            "custom_tool_call",
            "apply_patch",
            "completed",
        )
        assert (
            call["input"]
            == "*** Begin Patch\n*** Update File: a.py\n@@\n one\n-two\n+TWO\n three\n*** End Patch"
        )
        done = {"type": "custom_tool_call_output", "call_id": call["call_id"], "output": "Done! exit code: 0"}
        talk = [{"role": "user", "content": "rename two"}, call, done]
        _, after = asked(live, "/v1/responses", input=talk, tools=body["tools"])
        assert after["output"][0]["content"][0]["text"] == "The edit was applied.\n"
        assert len(live.backend.requests) == 1


@pytest.mark.parametrize("choice", ["none", {"type": "none"}])
def test_a_client_that_forbids_calls_gets_the_edit_as_text(choice):
    body = {
        "input": "a.py\n```\none\ntwo\nthree\n```\nrename two",
        "tools": [{"type": "custom", "name": "apply_patch"}],
        "tool_choice": choice,
    }
    with serving(Saying("*** a.py\n@@ 2,3\n+TWO\n", format="lines")) as live:
        _, answer = asked(live, "/v1/responses", **body)
        assert "=======\nTWO\n" in answer["output"][0]["content"][0]["text"]


def test_a_call_that_cannot_be_forced_is_said(live):
    _, answer = asked(live, "/v1/responses", input="x", tool_choice="required", max_output_tokens=1)
    assert answer["spark_ignored"] == ["tool_choice"]


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("Exit code: 0\nOutput:\nSuccess. Updated:\nM errors/invalid.py", "The edit was applied.\n"),
        ("Exit code: 1\nOutput:\nno such file", "The edit did not apply: "),
        ('{"output": "x", "metadata": {"exit_code": 2}}', "The edit did not apply: "),
        ("Failed to find expected lines", "The edit did not apply: "),
        ("Done!", "The edit was applied.\n"),
    ],
)
def test_what_the_patch_tool_says_is_understood(live, said, text):
    output = {"type": "custom_tool_call_output", "call_id": "c", "output": said}
    _, body = asked(live, "/v1/responses", input=[{"role": "user", "content": "x"}, output])
    assert body["output"][0]["content"][0]["text"].startswith(text)
    assert live.backend.requests == []


def test_an_edit_that_cannot_be_made_is_a_sentence():
    with serving(Saying("*** a.py\n@@ cannot\n", format="lines")) as live:
        _, body = asked(
            live, "/v1/chat/completions", messages=[{"role": "user", "content": "a.py\n```\nx\n```\nfly"}]
        )
        assert body["choices"][0]["message"]["content"] == "I cannot do this.\n"


def test_a_model_of_files_says_so_where_none_is_shown():
    with serving(Saying("*** a.py\n@@ 1,2\n+x\n", format="lines")) as live:
        talk = [{"role": "user", "content": "write me a poem"}]
        _, chat = asked(live, "/v1/chat/completions", messages=talk)
        _, response = asked(live, "/v1/responses", input=talk)
        assert chat["choices"][0]["message"]["content"].startswith("The prompt shows no file to edit")
        assert response["output"][0]["content"][0]["text"] == chat["choices"][0]["message"]["content"]
        assert live.backend.requests == []


def test_a_long_prompt_without_a_file_gets_the_sentence_and_not_a_full_window():
    talk = [{"role": "user", "content": "w " * 5_000}]
    with serving(Saying("*** a.py\n@@ 1,2\n+x\n", format="lines")) as live:
        status, chat = asked(live, "/v1/chat/completions", messages=talk)
        assert status == 200
        assert chat["choices"][0]["message"]["content"].startswith("The prompt shows no file to edit.")
        status, response = asked(live, "/v1/responses", input=talk)
        assert status == 200
        assert response["output"][0]["content"][0]["text"] == chat["choices"][0]["message"]["content"]
        assert live.backend.requests == []


def test_reading_ahead_without_a_file_is_done_at_once_and_the_message_waits_for_its_turn():
    with serving(Saying("*** a.py\n@@ 1,2\n+z\n", format="lines")) as live:
        _, warm = asked(live, "/v1/responses", input="change x to z", generate=False)
        assert (warm["status"], warm["error"], live.backend.requests) == ("completed", None, [])
        file = {"type": "input_file", "filename": "a.py", "file_data": "x\n"}
        message = [{"role": "user", "content": [file]}]
        asked(live, "/v1/responses", input=message, previous_response_id=warm["id"])
        assert live.backend.requests[-1].instruction == "change x to z"
