"""Arguments under the names that models have learned elsewhere are those of our tools."""

import pytest
from support.event_streams import changes
from support.scripted_backend import run
from support.tool_backend import Call

from spark_tui import events
from spark_tui.tools.edit_tools import EDIT_TOOLS
from spark_tui.tools.read_tools import read_file, search
from spark_tui.tools.registry import WrongArguments, tool_of


@pytest.mark.parametrize(
    "call",
    [
        Call("edit", file_path="cart.py", old_string="result = 0", new_string="result = 1"),
        Call("Edit", file_path="cart.py", old_str="result = 0", new_str="result = 1", replace_all=False),
        Call("edit", new_text="result = 1", old_text="result = 0", path="cart.py"),
        Call("apply_patch", input="--- a/cart.py\n+++ b/cart.py\n@@\n-    result = 0\n+    result = 1\n"),
    ],
)
def test_an_edit_is_read_while_it_arrives(open_with_tools, call):
    seen = run(open_with_tools([call], "Done.").turn, "begin at 1")
    assert [event.new_lines for event in changes(seen)] == [("    result = 1",)]
    assert [event.failed for event in seen if isinstance(event, events.ToolFinished)] == [False]


def test_a_file_is_written_with_its_content(open_with_tools):
    seen = run(open_with_tools([Call("write_file", filename="new.py", content="x = 1\n")], "Done.").turn, "x")
    assert [(event.path, event.new_lines) for event in changes(seen)] == [("new.py", ("x = 1",))]


def test_lines_to_read_have_names_too():
    given = {"file_path": "a.py", "start_line": 2, "end_line": "5"}
    assert tool_of(read_file).values(given) == {"path": "a.py", "first": 2, "last": 5}


def test_a_name_of_its_own_counts_first_and_an_unknown_one_is_told():
    assert tool_of(read_file).values({"path": "a.py", "file": "b.py"}) == {"path": "a.py"}
    with pytest.raises(WrongArguments, match="no argument 'query'"):
        tool_of(search).values({"pattern": "x", "query": "y"})


def test_no_tool_has_two_members_of_one_name():
    for tool in EDIT_TOOLS:
        values = tool.values(dict.fromkeys(tool.schema["properties"], "x"))
        assert [*values] == [*tool.schema["properties"]]


@pytest.mark.parametrize("path", ["cart.py:12", "`cart.py`", "`cart.py:3-9`", '"cart.py"', "./cart.py:1:2"])
@pytest.mark.parametrize("name", ["edit", "write_file", "apply_patch"])
def test_a_path_in_quotes_or_with_the_number_of_a_line_is_that_of_the_file(open_with_tools, path, name):
    add = f"*** Begin Patch\n*** Add File: {path}\n+x = 1\n*** End Patch\n"
    of = {"edit": {"path": path, "old": "result = 0", "new": "result = 1"}, "apply_patch": {"patch": add}}
    call = Call(name, **of.get(name, {"path": path, "text": "x = 1\n"}))
    seen = run(open_with_tools([call], "Done.").turn, "begin at 1")
    assert {event.path for event in seen if isinstance(event, (events.HunkOpened, events.HunkFailed))} == {
        "cart.py"
    }


@pytest.mark.parametrize("form", ["{}", "`{}`", "`{}:3`"])
def test_a_whole_path_is_that_of_the_tree(open_with_tools, tmp_path, form):
    path = form.format(tmp_path / "plain" / "cart.py")
    edit = Call("edit", path=path, old="result = 0", new="result = 1")
    write = Call("write_file", path=path, text="x = 1\n")
    seen = run(open_with_tools([Call("read_file", path=path)], [edit], [write], "Done.").turn, "begin at 1")
    assert {event.path for event in changes(seen)} == {"cart.py"}
    assert not [event for event in seen if isinstance(event, (events.HunkFailed, events.Doubt))]
