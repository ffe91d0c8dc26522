"""A client of the Responses API that edits by function calls, as Codex does."""

import json

import pytest
from support.http_client import ask, asked
from support.serving import Saying, serving

from spark_tui.serve.prompts.client_tools import printed_file, read_by

LINES = "*** a.py\n@@ 2,3\n+TWO\n"
RULES = {"role": "developer", "content": "Working directory: /home/me/shop"}
SHOWN = "one\ntwo\nthree\n"


def function(name, **properties):
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    return {"type": "function", "name": name, "parameters": schema}


TEXT, WORDS = {"type": "string"}, {"type": "array", "items": {"type": "string"}}
EDIT = function("edit", filePath=TEXT, oldString=TEXT, newString=TEXT)
READ = function("read", filePath=TEXT)
PATCH = function("apply_patch", input=TEXT)
FREE_PATCH = {"type": "custom", "name": "apply_patch"}
SHELL = function("exec_command", cmd=TEXT)
OLD_SHELL = function("shell", command=WORDS)


def user(text):
    return {"role": "user", "content": text}


def said(live, *items, tools):
    _, body = asked(live, "/v1/responses", input=list(items), tools=list(tools))
    return body["output"]


def outcome(call, text):
    return [call, {"type": f"{call['type']}_output", "call_id": call["call_id"], "output": text}]


def test_the_edit_is_a_call_of_the_clients_own_tool_and_its_outcome_is_said():
    with serving(Saying(LINES, format="lines")) as live:
        first = user("make two loud in a.py")
        (read,) = said(live, RULES, first, tools=[EDIT, READ])
        assert (read["type"], read["name"], read["status"]) == ("function_call", "read", "completed")
        assert json.loads(read["arguments"]) == {"filePath": "/home/me/shop/a.py"}
        seen = outcome(read, "1: one\n2: two\n3: three")
        (edit,) = said(live, RULES, first, *seen, tools=[EDIT, READ])
        assert json.loads(edit["arguments"]) == {
            "filePath": "/home/me/shop/a.py",
            "oldString": "two",
            "newString": "TWO",
        }
        done = outcome(edit, "Edit applied successfully.")
        (message,) = said(live, RULES, first, *seen, *done, tools=[EDIT, READ])
        assert message["content"][0]["text"] == "The edit was applied.\n"
        assert len(live.backend.requests) == 1


@pytest.mark.parametrize("shell", [SHELL, OLD_SHELL])
@pytest.mark.parametrize("patch", [PATCH, FREE_PATCH])
def test_codex_is_asked_to_print_the_file_and_gets_a_patch_for_its_own_tool(shell, patch):
    with serving(Saying(LINES, format="lines")) as live:
        first = user("make two loud in a.py")
        (look,) = said(live, first, tools=[shell, patch])
        assert look["name"] == shell["name"]
        given = json.loads(look["arguments"])
        assert given in ({"cmd": "cat -- a.py"}, {"command": ["bash", "-c", "cat -- a.py"]})
        head = "Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\n"
        (edit,) = said(live, first, *outcome(look, head + SHOWN), tools=[shell, patch])
        free = patch is FREE_PATCH
        assert (edit["type"], edit["name"]) == (
            "custom_tool_call" if free else "function_call",
            "apply_patch",
        )
        text = edit["input"] if free else json.loads(edit["arguments"])["input"]
        assert text == ("*** Begin Patch\n*** Update File: a.py\n@@\n one\n-two\n+TWO\n three\n*** End Patch")


def test_a_file_that_cannot_be_printed_ends_the_asking():
    with serving(Saying("", format="lines")) as live:
        first = user("make two loud in b.py")
        (look,) = said(live, first, tools=[SHELL, PATCH])
        missing = "Process exited with code 1\nOutput:\ncat: b.py: No such file or directory\n"
        (message,) = said(live, first, *outcome(look, missing), tools=[SHELL, PATCH])
        assert message["content"][0]["text"].startswith("The file could not be read: ")


def test_a_client_that_can_only_run_commands_gets_text_and_is_asked_for_nothing():
    with serving(Saying(LINES, format="lines")) as live:
        (message,) = said(live, user("make two loud in a.py"), tools=[SHELL])
        assert "shows no file to edit" in message["content"][0]["text"]


def test_a_stream_carries_the_call_with_its_arguments():
    with serving(Saying(LINES, format="lines")) as live:
        body = {"input": f"a.py\n```\n{SHOWN}```\nmake two loud", "tools": [EDIT], "stream": True}
        status, _, text = ask(live, "POST", "/v1/responses", body)
        rows = [json.loads(line[6:]) for line in text.splitlines() if line.startswith("data: {")]
    assert status == 200
    pieces = [row["delta"] for row in rows if row["type"] == "response.function_call_arguments.delta"]
    (done,) = [row for row in rows if row["type"] == "response.function_call_arguments.done"]
    assert "".join(pieces) == done["arguments"] and json.loads(done["arguments"])["newString"] == "TWO"
    assert rows[-1]["response"]["output"][0]["name"] == "edit"


def test_two_files_are_two_calls():
    both = "*** a.py\n@@ 1,2\n+ONE\n*** b.py\n@@ 1,2\n+ONE\n"
    with serving(Saying(both, format="lines")) as live:
        prompt = f"a.py\n```\n{SHOWN}```\nb.py\n```\n{SHOWN}```\nmake one loud"
        found = said(live, user(prompt), tools=[EDIT])
    assert [json.loads(item["arguments"])["filePath"] for item in found] == ["a.py", "b.py"]


@pytest.mark.parametrize(
    ("text", "body"),
    [
        ("Process exited with code 0\nOutput:\nx = 1\n", "x = 1\n"),
        ("Exit code: 0\nWall time: 0 seconds\nOutput:\nexit code 7\n", "exit code 7\n"),
        ("x = 1\n", "x = 1\n"),
        ("Process exited with code 1\nOutput:\n", None),
        ("cat: x: No such file or directory", None),
    ],
)
def test_a_printed_file_is_what_stands_under_output(text, body):
    assert printed_file(text) == body


@pytest.mark.parametrize(
    ("arguments", "path"),
    [
        ('{"cmd": "cat -- a.py"}', "a.py"),
        ('{"command": ["bash", "-c", "cat -- \'a b.py\'"]}', "a b.py"),
        ('{"cmd": "cat -- a.py; rm b"}', ""),
        ('{"cmd": "cat -- \'a"}', ""),
        ('{"cmd": "ls"}', ""),
    ],
)
def test_only_a_command_of_ours_is_taken_for_a_read(arguments, path):
    assert read_by(arguments)[0] == path
