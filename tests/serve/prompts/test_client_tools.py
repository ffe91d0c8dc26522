"""A client that edits by function calls: its tools are recognised, called, and answered."""

import json

import pytest
from support.http_client import ask, asked
from support.long_texts import ENDLESS
from support.serving import Saying, serving

from spark_tui.events import HunkClosed
from spark_tui.serve.prompts.client_tools import (
    named_path,
    read_by,
    recognised,
    root_of,
    shown_files,
    without_numbers,
)
from spark_tui.serve.rendering.edit_writers import replaced_span
from spark_tui.serve.rendering.output_formats import CallTranslator


def insertion(line):
    return HunkClosed(1, "a.py", line, (), ("new",))


def tool(name, *arguments, required=None):
    schema = {
        "type": "object",
        "properties": {argument: {"type": "string"} for argument in arguments},
        "required": list(arguments) if required is None else required,
    }
    return {"type": "function", "function": {"name": name, "description": "", "parameters": schema}}


EDIT = tool("edit", "filePath", "oldString", "newString")
READ = tool("read", "filePath", "offset", "limit", required=["filePath"])
WRITE = tool("write", "content", "filePath")
BASH = tool("bash", "command")
RULES = {"role": "system", "content": "You help.\n<env>\n  Working directory: /home/me/shop\n</env>"}
SHOWN = (
    "<path>/home/me/shop/a.py</path>\n<type>file</type>\n"
    "<content>\n1: one\n2: two\n3: three\n\n(End of file)\n</content>"
)


@pytest.mark.parametrize(
    ("tools", "names"),
    [
        ([BASH, EDIT, READ, WRITE], ("edit", "write", "read")),
        ([tool("put", "file_path", "old_str", "new_str", "n", required=["file_path"])], ("put", None, None)),
        ([tool("str_replace", "path", "old_str", "new_str")], ("str_replace", None, None)),
        ([tool("create_file", "path", "file_text")], (None, "create_file", None)),
        ([tool("view_file", "path")], (None, None, "view_file")),
        ([tool("delete_file", "path")], (None, None, None)),
        ([tool("view_image", "path")], (None, None, None)),
        ([tool("edit", "path", "old_str", "new_str", "reason")], (None, None, None)),
        ([{"type": "function"}], (None, None, None)),
        ([{"function": {"name": "x", "parameters": []}}], (None, None, None)),
        ([BASH], (None, None, None)),
    ],
)
def test_tools_are_known_by_their_arguments(tools, names):
    found = recognised(tools)
    assert tuple(item and item.name for item in (found.edit, found.write, found.read)) == names


@pytest.mark.parametrize(
    ("text", "body"),
    [
        ("1: a\n2:\n3: c\n", "a\n\nc\n"),
        ("<file>\n00001| a\n00002| b\n</file>", "a\nb\n"),
        ("     1\ta\n     2\t\tb\n", "a\n\tb\n"),
        ("     1→a\n     2→b", "a\nb\n"),
        ("5: a\n6: b", None),
        ("Error: no such file", None),
        ("9" * 5000 + ": a", None),
        ("", None),
    ],
)
def test_numbered_lines_become_a_file(text, body):
    assert without_numbers(text) == body


@pytest.mark.parametrize(
    ("work", "piece"),
    [
        (root_of, "\n"),
        (root_of, "working directory: /x" + " " * 50),
        (shown_files, "<path>a</path>"),
        (shown_files, "<path>a</path><content>\n"),
        (without_numbers, "0"),
        (lambda text: replaced_span([insertion(len(text) // 2)], list(text)), "x"),
    ],
)
def test_work_is_in_proportion_to_the_text(work, piece):
    work(piece * (ENDLESS // len(piece)) + "a")


def test_a_file_inside_of_a_message_is_taken_out():
    text = f'Called the Read tool with the following input: {{"filePath":"a"}}\n{SHOWN}\nrename two'
    rest, files = shown_files(text)
    assert files == [("/home/me/shop/a.py", "one\ntwo\nthree\n")]
    assert rest.strip() == "rename two"


@pytest.mark.parametrize(
    ("arguments", "path"),
    [
        ('{"filePath": "/a.py", "offset": 3}', "/a.py"),
        ('{"filePath": "/a.py", "oldString": "x", "newString": "y"}', ""),
        ('{"command": "ls"}', ""),
        ("[1]", ""),
        ("{", ""),
    ],
)
def test_a_call_that_reads_names_its_file(arguments, path):
    assert read_by(arguments)[0] == path


def test_paths_and_folders_are_found():
    assert named_path("remove the print in greet in shop/cart.py, please") == "shop/cart.py"
    assert named_path("rename qty to quantity everywhere, see Cart.add()") == ""
    assert root_of(RULES["content"]) == "/home/me/shop"
    assert root_of("no folder") == ""


LINES = ["a", "b", "a", "c", "d", "e"]


@pytest.mark.parametrize(
    ("hunks", "old", "new"),
    [
        ([(2, ["b"], ["B"])], "b", "B"),
        ([(1, ["a"], ["A"])], "a\nb", "A\nb"),
        ([(2, ["b"], ["B"]), (5, ["d"], ["D"])], "b\na\nc\nd", "B\na\nc\nD"),
        ([(4, ["c"], [])], "a\nc", "a"),
        ([(1, LINES, [])], "\n".join(LINES), ""),
        ([(5, [], ["x"])], "c", "c\nx"),
    ],
)
def test_one_text_that_occurs_once_carries_all_hunks_of_a_file(hunks, old, new):
    closed = [
        HunkClosed(at, "f", start, tuple(was), tuple(now)) for at, (start, was, now) in enumerate(hunks, 1)
    ]
    assert replaced_span(closed, LINES) == (old, new)
    text = "\n".join(LINES)
    assert text.count(old) == 1


def chat(live, *messages, tools=(EDIT, READ, WRITE, BASH), **more):
    _, body = asked(live, "/v1/chat/completions", messages=list(messages), tools=list(tools), **more)
    return body["choices"][0]


def user(text):
    return {"role": "user", "content": text}


def test_a_client_is_asked_for_the_file_then_edits_it_and_hears_what_became_of_it():
    with serving(Saying("*** a.py\n@@ 2,3\n+TWO\n", format="lines")) as live:
        first_ask = user('"make two loud in a.py"')
        first = chat(live, RULES, first_ask)
        assert first["finish_reason"] == "tool_calls"
        (call,) = first["message"]["tool_calls"]
        assert (call["type"], call["function"]["name"]) == ("function", "read")
        assert json.loads(call["function"]["arguments"]) == {"filePath": "/home/me/shop/a.py"}
        read = [{"role": "assistant", "content": "", "tool_calls": [call]}]
        read += [{"role": "tool", "tool_call_id": call["id"], "content": SHOWN}]
        second = chat(live, RULES, first_ask, *read)
        (edit,) = second["message"]["tool_calls"]
        assert edit["function"]["name"] == "edit"
        assert json.loads(edit["function"]["arguments"]) == {
            "filePath": "/home/me/shop/a.py",
            "oldString": "two",
            "newString": "TWO",
        }
        (request,) = live.backend.requests
        assert (request.instruction, request.files[0].path) == ("make two loud in a.py", "a.py")
        done = [{"role": "assistant", "content": "", "tool_calls": [edit]}]
        done += [{"role": "tool", "tool_call_id": edit["id"], "content": "Edit applied successfully."}]
        third = chat(live, RULES, first_ask, *read, *done)
        assert (third["finish_reason"], third["message"]["content"]) == ("stop", "The edit was applied.\n")
        assert len(live.backend.requests) == 1


def test_a_file_that_could_not_be_read_ends_the_asking():
    with serving(Saying("", format="lines")) as live:
        first_ask = user("make two loud in b.py")
        (call,) = chat(live, RULES, first_ask)["message"]["tool_calls"]
        missing = {"role": "tool", "tool_call_id": call["id"], "content": "Error: no such file"}
        said = chat(
            live, RULES, first_ask, {"role": "assistant", "content": None, "tool_calls": [call]}, missing
        )
        assert said["message"]["content"] == "The file could not be read: Error: no such file\n"


def test_without_a_tool_that_edits_the_answer_is_text():
    with serving(Saying("*** a.py\n@@ 2,3\n+TWO\n", format="lines")) as live:
        said = chat(live, RULES, user(f"{SHOWN}\nrename two"), tools=[BASH])
        assert "<<<<<<< SEARCH" in said["message"]["content"]
        assert "tool_calls" not in said["message"]


def test_a_stream_carries_the_call():
    with serving(Saying("*** a.py\n@@ 2,3\n+TWO\n", format="lines")) as live:
        body = {"messages": [RULES, user(f"{SHOWN}\nrename two")], "tools": [EDIT], "stream": True}
        status, _, text = ask(live, "POST", "/v1/chat/completions", body)
        rows = [json.loads(line[6:]) for line in text.splitlines() if line.startswith("data: {")]
        calls = [item for row in rows for item in row["choices"][0]["delta"].get("tool_calls", ())]
        assert [(call["index"], call["function"]["name"]) for call in calls] == [(0, "edit")]
        assert rows[-1]["choices"][0]["finish_reason"] == "tool_calls"
    assert status == 200


@pytest.mark.parametrize("tools", [[EDIT, WRITE], [EDIT]])
def test_a_new_file_is_written_by_the_tool_for_it_or_said(tools):
    hunk = HunkClosed(1, "new.py", 1, (), ("x = 1",), "add")
    answer = CallTranslator("lines", (), recognised(tools, "/r"))
    answer.take([hunk])
    (said,) = answer.finish()
    if WRITE in tools:
        assert (said.to, said.name) == ("call", "write")
        assert json.loads(said.text) == {"filePath": "/r/new.py", "content": "x = 1\n"}
    else:
        assert said.to == "message"
        assert said.text.startswith("new.py\n```\n<<<<<<< SEARCH\n=======\nx = 1\n")


def test_models_that_edit_in_their_own_format_are_passed_through():
    with serving(Saying("I call nothing.", format="search_replace")) as live:
        said = chat(live, RULES, user(f"{SHOWN}\nrename two"))
        assert said["message"]["content"] == "I call nothing."
