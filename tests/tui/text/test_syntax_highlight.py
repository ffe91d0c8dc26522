from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spark_tui.tui.text.syntax_highlight import LineStates, language_for, scan


def kinds(path: str, line: str, state: str = "") -> list[tuple[str, str]]:
    language = language_for(path)
    assert language is not None
    return [(line[a:b], kind) for a, b, kind in scan(line, state, language)[0]]


@pytest.mark.parametrize(
    ("path", "line", "expected"),
    [
        (
            "a.py",
            "def total(self):  # sum",
            [("def", "keyword"), ("total", "function"), ("self", "constant"), ("# sum", "comment")],
        ),
        ("a.py", 'x = "def" + 12', [('"def"', "string"), ("12", "number")]),
        ("a.py", "@cache", [("@cache", "decorator")]),
        (
            "a.rs",
            "fn main() { let x = 1; }",
            [("fn", "keyword"), ("main", "function"), ("let", "keyword"), ("1", "number")],
        ),
        ("a.json", '{"a": "b"}', [('"a"', "key"), ('"b"', "string")]),
        ("a.md", "## Title", [("## Title", "heading")]),
        ("a.sql", "SELECT x FROM t", [("SELECT", "keyword"), ("FROM", "keyword")]),
    ],
)
def test_a_line_is_coloured_by_its_language(path: str, line: str, expected: list[tuple[str, str]]) -> None:
    assert kinds(path, line) == expected


def test_a_text_over_several_lines_is_carried_from_line_to_line() -> None:
    lines = ['"""One.', "def two", 'three.""" + x', "def four():"]
    states = LineStates(lines, language_for("a.py"))
    assert states.spans(1) == ((0, 7, "string"),)
    assert states.spans(2)[0] == (0, 9, "string")
    assert states.spans(3)[0] == (0, 3, "keyword")


def test_an_unknown_file_is_plain() -> None:
    assert language_for("notes.xyz") is None
    assert LineStates(["def"], None).spans(0) == ()


@given(st.text(alphabet="\"'#`/*\\ad (\n", max_size=60), st.sampled_from(["a.py", "a.js", "a.md", "a.css"]))
def test_spans_are_in_order_inside_the_line_and_do_not_overlap(text: str, path: str) -> None:
    lines = text.split("\n")
    states = LineStates(lines, language_for(path))
    for number, line in enumerate(lines):
        at = 0
        for start, end, _ in states.spans(number):
            assert at <= start < end <= len(line)
            at = end


@given(st.lists(st.sampled_from(['"""', "x = 1", "'''", "# it's", '"a', '"""b"""']), max_size=12))
def test_asking_from_the_end_gives_the_same_as_asking_from_the_top(lines: list[str]) -> None:
    language = language_for("a.py")
    top, end = LineStates(lines, language), LineStates(lines, language)
    forward = [top.spans(i) for i in range(len(lines))]
    backward = [end.spans(i) for i in reversed(range(len(lines)))]
    assert forward == backward[::-1]
