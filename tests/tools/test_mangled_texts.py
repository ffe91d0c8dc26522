"""Texts that a model, or its server, wrapped or escaped once too often are read as they were meant."""

import json

import pytest

from spark_tui.tools.argument_reader import ArgumentReader
from spark_tui.tools.edit_calls import QuotedEdit, WriteFile

TEXT = 'def total(self):\n    """Sum."""\n    return 0\n\n\ndef empty(self):\n    return "\\t"\n'
NEW = TEXT.replace("return 0", "return 1")


def called(kind, **arguments):
    """The new lines of each hunk, and the failures."""
    call, reader = kind(lambda path: TEXT.splitlines() if path == "a.py" else None, 0), ArgumentReader()
    for piece in reader.feed(json.dumps(arguments)):
        list(call.take(piece))
    list(call.finish())
    return [hunk.new_lines for hunk in call.emitter.hunks], [one.message for one in call.emitter.failures]


def escaped(text):
    return json.dumps(text)[1:-1]


@pytest.mark.parametrize("text", [NEW, f"```python\n{NEW}```", f"```\n{NEW}```\n", escaped(NEW)])
def test_a_whole_file_has_no_fence_and_its_line_breaks(text):
    assert called(WriteFile, path="a.py", text=text) == ([("    return 1",)], [])


@pytest.mark.parametrize(
    ("path", "text", "lines"),
    [
        ("n.md", "```python\nx = 1\n```\n", ("```python", "x = 1", "```")),
        ("n.json", '{"a": "b\\\\nc"}', ('{"a": "b\\\\nc"}',)),
        ("n.py", "```python\nx = 1\n```\n", ("x = 1",)),
    ],
)
def test_a_new_file_keeps_what_may_be_its_own(path, text, lines):
    assert called(WriteFile, path=path, text=text) == ([lines], [])


def test_a_file_of_one_line_in_place_of_others_may_be_meant():
    text = 'WORDS = "a\\nb\\nc"'
    assert called(WriteFile, path="a.py", text=text) == ([(text,)], [])


def test_both_sides_of_an_edit_that_are_escaped_are_read():
    old, new = "    return 0\n\n\ndef empty(self):\n", "    return 2\n\n\ndef empty(self):\n"
    assert called(QuotedEdit, path="a.py", old=escaped(old), new=escaped(new)) == ([("    return 2",)], [])


@pytest.mark.parametrize(
    ("new", "lines"),
    [
        (r"    \"\"\"All.\"\"\"", ('    """All."""',)),
        (r"    \"\"\"All.\"\"\"" + "\n" + r"    print(\"a\n\")", ('    """All."""', r'    print("a\n")')),
        (r"    \"\"\"All.\"\"\"\n    print(\"a\n\")", None),
    ],
)
def test_where_only_quotes_are_escaped_a_line_break_in_code_stays_one(new, lines):
    hunks, failed = called(QuotedEdit, path="a.py", old=r"    \"\"\"Sum.\"\"\"", new=new)
    assert hunks == ([lines] if lines else [])
    assert bool(failed) == (lines is None)


def test_what_stands_in_the_file_as_it_is_quoted_is_not_escaped():
    edit = {"old": 'return "\\t"', "new": 'return "\\n"'}
    assert called(QuotedEdit, path="a.py", **edit) == ([('    return "\\n"',)], [])
