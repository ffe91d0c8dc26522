"""What the model is shown, and what is said about the rest."""

import pytest

from spark_tui.context.mentions import Mention, find_mentions
from spark_tui.context.prompt import show

FILES = {"a.py": ["one", "two", "three"], "b.py": ["b"] * 100, "empty.py": []}


def shown(text, in_view="", budget=0):
    return show(text, in_view, read_lines=FILES.get, count_tokens=lambda t: len(t.split()), budget_tokens=budget)


@pytest.mark.parametrize(
    ("text", "mentions"),
    [
        ("fix @a.py", [Mention("a.py")]),
        ("fix @src/a.py:10-40, please", [Mention("src/a.py", 10, 40)]),
        ("lines @a.py:40-10", [Mention("a.py", 10, 40)]),
        ("@a.py:7.", [Mention("a.py", 7, 7)]),
        ("see @a.py. And @a.py", [Mention("a.py")]),
        ('the file @"my notes.txt":3', [Mention("my notes.txt", 3, 3)]),
        ("mail me@example.com about x@y", []),
        ("a lone @ sign", []),
    ],
)
def test_mentions(text, mentions):
    assert list(find_mentions(text)) == mentions


def test_mentioned_files_come_before_the_file_in_view_and_once():
    assert [s.path for s in shown("like @b.py", "a.py").sections] == ["b.py", "a.py"]
    assert [s.path for s in shown("in @a.py:2-3", "a.py").sections] == ["a.py"]


def test_a_range_shows_those_lines_and_says_where_they_stand():
    (section,) = shown("@a.py:2-3").sections
    assert (section.text, section.first_line, section.total_lines) == ("two\nthree\n", 2, 3)


def test_what_is_left_out_is_said():
    result = shown("@nope.py @a.py:9 @b.py", "a.py", budget=50)
    assert [s.path for s in result.sections] == []
    assert dict(result.left_out) == {
        "nope.py": "no such text file",
        "a.py": "has 3 lines, not 9",
        "b.py": "100 tokens do not fit in the 50 that are left",
    }


def test_an_empty_file_is_shown_as_empty():
    (section,) = shown("", "empty.py").sections
    assert (section.text, section.total_lines, section.tokens) == ("", 0, 0)
