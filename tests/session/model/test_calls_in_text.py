"""Calls that a server left in the text of its model, and servers that take no tools."""

import json

import pytest
from support.long_texts import ENDLESS
from support.scripted_backend import run
from support.tool_backend import Call, TextToolBackend, ToolBackend

from spark_tui import events
from spark_tui.tools.left_calls import left_calls

LOOK = {"name": "read_file", "arguments": {"path": "cart.py", "first": 2, "last": 2}}
ARGUMENTS = json.dumps(LOOK["arguments"])
BEGIN, END = "<｜tool▁calls▁begin｜>", "<｜tool▁call▁end｜><｜tool▁calls▁end｜>"
DSML = (
    '<function_calls>\n<invoke name="read_file">\n<parameter name="path" string="true">cart.py</parameter>\n'
    '<parameter name="first" string="false">2</parameter>\n'
    '<parameter name="last" string="false">2</parameter>\n</invoke>'
)
EDIT = Call("edit", path="cart.py", old="result = 0", new="result = 1")
SHOWN = "2\t    result = 0"


def tools_of(seen):
    return [(event.name, event.failed) for event in seen if isinstance(event, events.ToolFinished)]


@pytest.mark.parametrize(
    "text",
    [
        f"<tool_call>\n{json.dumps(LOOK)}\n</tool_call>",
        f"I look.\n\n```json\n{json.dumps(LOOK, indent=2)}\n```\n",
        json.dumps({"arguments": LOOK["arguments"], "name": "functions.read_file"}),
        json.dumps({"name": "read_file", "parameters": LOOK["arguments"]}),
        f"[TOOL_CALLS][{json.dumps(LOOK)}]",
        "<tool_call>\n<function=read_file>\n<parameter=path>\ncart.py\n</parameter>\n<parameter=first>\n2\n"
        "</parameter>\n<parameter=last>\n2\n</parameter>\n</function>\n</tool_call>",
        '<function_calls>\n<invoke name="read_file">\n<parameter name="path">cart.py</parameter>\n'
        '<parameter name="first">2</parameter>\n<parameter name="last">2</parameter>\n</invoke>\n'
        "</function_calls>",
        f"[TOOL_REQUEST]\n{json.dumps(LOOK)}\n[END_TOOL_REQUEST]",
        f"<function=read_file={ARGUMENTS}</function>",
        f"<function=read_file>{ARGUMENTS}</function>",
        f"<function(read_file){ARGUMENTS}</function>",
        f"read_file{ARGUMENTS}</function>",
        f"<tool_call>\n<function>read_file</function>\n{ARGUMENTS}\n</tool_call>",
        f"[TOOL_CALLS]read_file[ARGS]{ARGUMENTS}",
        f"[TOOL_CALLS]read_file[CALL_ID]a1B2c3D4e[ARGS]{ARGUMENTS}",
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>"
        f"{ARGUMENTS}<|tool_call_end|><|tool_calls_section_end|>",
        f"{BEGIN}<｜tool▁call▁begin｜>function<｜tool▁sep｜>read_file\n```json\n{ARGUMENTS}\n```{END}",
        f"{BEGIN}<｜tool▁call▁begin｜>read_file<｜tool▁sep｜>{ARGUMENTS}{END}",
        DSML.replace("<", "<｜DSML｜").replace("<｜DSML｜/", "</｜DSML｜"),
        "<tool_call>read_file\n<arg_key>path</arg_key>\n<arg_value>cart.py</arg_value>\n"
        "<arg_key>first</arg_key>\n<arg_value>2</arg_value>\n"
        "<arg_key>last</arg_key>\n<arg_value>2</arg_value>\n</tool_call>",
        '<|tool_call>call:read_file{path:<|"|>cart.py<|"|>,first:2,last:2}<tool_call|>',
        '[read_file(path="cart.py", first=2, last=2)]',
        '<|python_start|>[read_file(path="cart.py", first=2, last=2)]<|python_end|>',
        '```tool_code\nprint(read_file(path="cart.py", first=2, last=2))\n```\n',
        '<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "read_file", "parameters": '
        f"{ARGUMENTS}}}]<|END_ACTION|>",
        json.dumps({"type": "function", "function": {**LOOK, "arguments": ARGUMENTS}}),
        '<steptml:invoke name="read_file"><steptml:parameter name="path">cart.py</steptml:parameter>'
        '<steptml:parameter name="first">2</steptml:parameter>'
        '<steptml:parameter name="last">2</steptml:parameter></steptml:invoke>',
    ],
)
@pytest.mark.parametrize("backend", [ToolBackend, TextToolBackend])
def test_a_call_that_is_text_is_answered(open_with_tools, backend, text):
    session = open_with_tools(backend=backend([text], [EDIT]))
    seen = run(session.turn, "begin at 1")
    assert tools_of(seen) == [("read_file", False), ("edit", False)]
    last = session.backend.requests[1]
    told = last.steps[0].results[0].text if last.steps else last.instruction
    assert SHOWN in told
    assert [hunk.new_lines for hunk in session.decisions.offered()] == [("    result = 1",)]


def test_calls_in_text_have_ids_that_every_template_takes(open_with_tools):
    text = f"<tool_call>{json.dumps(LOOK)}</tool_call>"
    session = open_with_tools(backend=ToolBackend([text + text], [text], "Done."))
    run(session.turn, "look")
    ids = [call.id for step in session.backend.requests[-1].steps for call in step.calls]
    assert len({*ids}) == 3 and all(len(one) == 9 and one.isalnum() for one in ids)


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"name": "shop", "arguments": {"path": "cart.py"}}),
        json.dumps({"name": "read_file"}),
        "To see it, call `[read_file(path='cart.py')]`.",
        'read_file {"path": "cart.py"',
        "<function=shop>{}</function>",
        '{"name": "read_file", "arguments": {',
        "cart.py\n```\n<<<<<<< SEARCH\n    result = 0\n=======\n    result = 0  # "
        f"{json.dumps(LOOK)}\n>>>>>>> REPLACE\n```\n",
    ],
)
def test_text_that_is_no_call_and_an_edit_that_has_one_are_left_alone(open_with_tools, text):
    session = open_with_tools([text])
    assert tools_of(run(session.turn, "do it")) == []
    assert len(session.backend.requests) == 1


class Refusing(TextToolBackend):
    """Takes tools, until it is asked with some."""

    takes_tools = True

    def stream(self, request, stop):
        if request.tools:
            self.takes_tools = False
            self.requests.append(request)
            yield events.Token(1, "I cannot look.")
        else:
            yield from super().stream(request, stop)


def test_a_server_that_refuses_tools_is_asked_again_with_the_tools_as_text(open_with_tools):
    session = open_with_tools(backend=Refusing([Call("read_file", path="cart.py")], [EDIT]))
    seen = run(session.turn, "begin at 1")
    assert tools_of(seen) == [("read_file", False), ("edit", False)]
    assert '<tool name="' in session.backend.requests[1].rules
    assert isinstance(seen[-1], events.Finished) and seen[-1].reason == "stop"


def test_a_server_that_refuses_tools_and_edits_is_asked_once(open_with_tools):
    class Editing(Refusing):
        def stream(self, request, stop):
            self.takes_tools = False
            self.requests.append(request)
            sides = "    result = 0\n=======\n    result = 1\n"
            yield events.Token(1, f"cart.py\n```\n<<<<<<< SEARCH\n{sides}>>>>>>> REPLACE\n```\n")

    session = open_with_tools(backend=Editing())
    run(session.turn, "begin at 1")
    assert len(session.backend.requests) == 1
    assert [hunk.new_lines for hunk in session.decisions.offered()] == [("    result = 1",)]


@pytest.mark.parametrize(
    "text",
    ["Done" + "\n" * ENDLESS, "\n" * ENDLESS, "```" + " " * ENDLESS, '<invoke name="a">\n' * (ENDLESS // 18)],
    ids=["lines behind a word", "lines", "spaces in a fence", "calls"],
)
def test_a_text_that_does_not_end_is_looked_at_once(text):
    assert not list(left_calls(text, lambda _name: True))
