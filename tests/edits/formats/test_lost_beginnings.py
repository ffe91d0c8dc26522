"""A search/replace block whose first line is not one: it is told, and the blocks behind it are read."""

from __future__ import annotations

import pytest

from spark_tui.edits.parser import Parser, answer_parser

FILES = {"a.py": ("x = 1", "y = 1"), "b.js": ("f();", "g();")}
LOST = "{}\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n"
WHOLE = "<<<<<<< SEARCH\ny = 1\n=======\ny = 2\n>>>>>>> REPLACE\n"


def read(text: str, size: int = 7) -> Parser:
    parser = answer_parser("search_replace", FILES.get, shown=("a.py",))
    for at in range(0, len(text), size):
        list(parser.feed(text[at : at + size]))
    list(parser.finish())
    return parser


@pytest.mark.parametrize("size", [1, 7, 10_000])
@pytest.mark.parametrize("first", ["<<<<<<< HEAD", "<<< SEARCH", "<<<<<<< SEARCH:", ""])
def test_it_is_a_failure(first: str, size: int) -> None:
    parser = read(f"a.py\n{LOST.format(first)}\n{WHOLE}", size)
    assert [failure.message for failure in parser.failures] == [
        "there is no <<<<<<< SEARCH line before '>>>>>>> REPLACE'"
    ]
    assert [hunk.new_lines for hunk in parser.hunks] == [("y = 2",)]


def test_an_end_that_is_said_twice_or_shown_is_none() -> None:
    assert not read(f"a.py\n{WHOLE}>>>>>>> REPLACE\n\nThat is all.\n").failures
    assert not read("The format ends with this line:\n\n```\ny = 2\n>>>>>>> REPLACE\n```\n").failures


@pytest.mark.parametrize("asked", ["search_replace", "whole"])
def test_a_file_in_whole_does_not_get_such_a_line(asked: str) -> None:
    parser = answer_parser(asked, FILES.get, asked=asked, shown=("b.js",))
    list(parser.feed("b.js\n```js\nf();\n=======\nf();\ng();\nh();\n>>>>>>> REPLACE\n```\n"))
    list(parser.finish())
    assert not parser.hunks
    assert "there is no <<<<<<< SEARCH line before" in parser.failures[0].message


def test_a_document_may_show_such_a_line_in_a_fence() -> None:
    files = {"a.md": ("# Format", "", "It ends:", "", "```", "END", "```")}
    parser = answer_parser("whole", files.get, asked="whole", shown=("a.md",))
    list(parser.feed("a.md\n````markdown\n# Format\n\nIt ends:\n\n```\n>>>>>>> REPLACE\n```\n````\n"))
    list(parser.finish())
    assert [hunk.new_lines for hunk in parser.hunks] == [(">>>>>>> REPLACE",)]


@pytest.mark.parametrize("size", [1, 7, 10_000])
def test_a_fence_that_ends_before_the_block_does_is_no_line_of_it(size: int) -> None:
    late = "a.py\n```python\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n```\n>>>>>>> REPLACE\n\nDone.\n"
    assert [hunk.new_lines for hunk in read(late, size).hunks] == [("x = 2",)]
    shown = late.replace("x = 2", "```\nx = 2")
    assert [hunk.new_lines for hunk in read(shown, size).hunks] == [("```", "x = 2", "```")]
