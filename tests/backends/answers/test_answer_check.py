"""What is wrong with an answer, and how a window that begins inside a function is parsed."""

from __future__ import annotations

import sys

import pytest
from support.hunk_answers import BROKEN, GOOD, LINES, NEWLINE, SAME, answer, check, enc
from support.spark_tokenizer import spark_tokenizer

from spark_tui.backends.answers.answer_check import AnswerCheck, is_python, is_repeating, read_hunks
from spark_tui.engine.text import token_layout
from spark_tui.engine.text.token_layout import WindowHunk
from spark_tui.pysource.syntax.fragments import fault, parses

NAMED = "parameter" if sys.version_info >= (3, 15) else "argument"


@pytest.mark.parametrize(
    ("text", "reads"),
    [
        ("    def f(self):\n        return 1\n\n    def g(self):\n        return 2\n", True),
        ("    def f(self):\n        return 1\n\n\ndef top():\n    pass\n", True),
        ("        return 1\n\n    def g(self):\n        return 2\n\nx = 1\n", True),
        ("        await one()\n", True),
        ("    # said first\n    x = 1\n", True),
        ("    def f(self):\n        return (1\n", False),
        ("        return 1\n      y = 2\n    x = 1 +\n", False),
        ("def f():\n    pass\n", True),
        ("def f(:\n    pass\n", False),
    ],
)
def test_what_begins_indented_reads_as_what_it_is_in(text: str, reads: bool) -> None:
    assert parses(text.split("\n")[:-1]) is reads
    assert (not fault(text.split("\n")[:-1])) is reads


@pytest.mark.parametrize(
    ("ids", "wrong"),
    [
        (GOOD, ""),
        (BROKEN, "the code would not compile: '(' was never closed"),
        (SAME, "it changes nothing"),
        (GOOD[:-1], "the answer cannot be parsed"),
        (answer((1, 2, "    pass"), (1, 2, "    pass")), "its hunks overlap"),
        (
            answer((0, 1, "def area(width, width):")),
            f"the code would not compile: duplicate {NAMED} 'width' in function definition",
        ),
        (answer((2, 2, "return 1")), "the code would not compile: 'return' outside function"),
        (
            answer((2, 2, "    nonlocal rate")),
            "the code would not compile: no binding for nonlocal 'rate' found",
        ),
        ([token_layout.NOEDIT, token_layout.EOS], ""),
    ],
)
def test_an_answer_is_turned_down_for_what_is_wrong_with_it(ids, wrong):
    assert check().defect(ids) == wrong


def test_a_file_that_does_not_parse_may_be_edited_without_being_healed():
    assert check(("def area(:", "    return 1")).defect(answer((1, 2, "    return 2"))) == ""


@pytest.mark.parametrize("above", ["        if one:\n            continue", "        nonlocal total"])
@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("    def area(width, width):", "duplicate "),
        ("    nonlocal depth", "nonlocal"),
    ],
)
def test_what_a_window_needs_of_lines_above_it_hides_no_fault_of_an_answer(above, line, reason):
    lines = (*above.split("\n"), "", "    def area(width, height):", "        return width")
    place = len(lines) - 2 if line.endswith(":") else len(lines)
    wrong = check(lines).defect(answer((place, min(place + 1, len(lines)), line)))
    assert wrong.startswith("the code would not compile") and reason in wrong
    assert check(lines).defect(answer((len(lines) - 1, len(lines), "        return height"))) == ""


def test_what_stood_before_a_steer_is_part_of_the_code_that_has_to_parse():
    opened = (WindowHunk(0, 1, ("def area(width, height", "):")),)
    assert check(standing=opened).defect(GOOD) == ""
    assert (
        check(standing=(WindowHunk(0, 1, ("def area(",)),))
        .defect(GOOD)
        .startswith("the code would not compile")
    )


def test_an_answer_to_a_steer_that_only_repeats_what_stands_changes_nothing():
    stood = check(standing=(WindowHunk(1, 2, ("    return height * width",)),))
    assert stood.defect(GOOD) == "it changes nothing"
    assert stood.defect(answer((1, 2, "    return height"))) == ""


def test_hunks_are_read_back_as_they_were_written():
    kind, hunks = read_hunks(answer((0, 0, "# area", ""), (1, 2)), spark_tokenizer().decode, NEWLINE)
    assert (kind, hunks) == ("edit", [WindowHunk(0, 0, ("# area", "")), WindowHunk(1, 2)])


def test_lines_in_circles_are_told_from_lines_that_are_alike():
    line, other = [*enc("x = 1"), NEWLINE], [*enc("y = 2"), NEWLINE]
    assert not is_repeating([token_layout.HUNK, *line * 3], NEWLINE)
    assert is_repeating([token_layout.HUNK, *line * 4], NEWLINE)
    assert is_repeating([token_layout.HUNK, *(line + other) * 4], NEWLINE)
    assert not is_repeating([token_layout.HUNK, *[NEWLINE] * 9], NEWLINE)


def test_one_word_again_and_again_is_a_circle_and_a_long_line_is_none():
    start, words = [token_layout.HUNK, *enc("x = [")], enc(" data value")[:3]
    assert not is_repeating([*start, *(words * 40)[:40]], NEWLINE)
    assert is_repeating([*start, *(words * 40)[:64]], NEWLINE)
    assert not is_repeating([*start, *(words * 40)[:64], *enc("]")], NEWLINE)
    long = [*range(400, 440), NEWLINE]
    assert is_repeating([token_layout.HUNK, *long * 4], NEWLINE)


def test_a_name_says_whether_a_file_is_python():
    told = {path: is_python(path, ("x = 1",)) for path in ("a.py", "b/a.PYI", "run", "a.toml", "x.py.txt")}
    assert told == {"a.py": True, "b/a.PYI": True, "run": True, "a.toml": False, "x.py.txt": False}
    assert is_python("run", ("#!/usr/bin/env python3", "x ="))
    assert not is_python("run", ("#!/bin/sh", "exit"))
    assert not is_python("Makefile", ("all: build", "\tcc -o x x.c"))


NAMED = answer((1, 2, "    return breadth * height"))


def test_a_name_that_a_whole_file_does_not_define_is_a_defect() -> None:
    decode = spark_tokenizer().decode
    assert check().defect(NAMED) == ""
    whole = AnswerCheck(LINES, "swap them", decode, NEWLINE, around=LINES)
    assert (whole.defect(NAMED), whole.defect(GOOD)) == ("nothing defines breadth", "")
    lines = (*LINES, "area(breadth, 2)")
    fragment = AnswerCheck(lines, "swap them", decode, NEWLINE, around=lines)
    assert fragment.defect(NAMED) == ""


def test_a_window_is_judged_in_its_file() -> None:
    decode = spark_tokenizer().decode
    above, below = ("breadth = 2", "", "class Plot:"), ("    def sides(self):", "        return 4")
    window = tuple("    " + line for line in LINES)
    hunk = answer((1, 2, "        return breadth * height"))
    known = AnswerCheck(window, "swap them", decode, NEWLINE, around=(*above, *window, *below), first=3)
    assert known.defect(hunk) == ""
    unknown = AnswerCheck(window, "swap them", decode, NEWLINE, around=(*above[1:], *window, *below), first=2)
    assert unknown.defect(hunk) == "nothing defines breadth"
    assert unknown.defect(answer((0, 1))).startswith("the code would not compile")
    assert AnswerCheck(window, "swap them", decode, NEWLINE).defect(hunk) == ""
