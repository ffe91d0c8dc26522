"""Sixty-two instructions about real files, written by hand, and the lines that each is about.

`cases.jsonl`: `file` (beside it, as it was when the case was written), `instruction`, `expect` (lines of the
file), optional `cursor` and `selection`; `held_out` cases were written before anyone saw what is chosen for
them; `missed` ones are known not to be found.
"""

import json
import re
from pathlib import Path

import pytest

from spark_tui.backends.local.spark_format import WINDOW_TOKENS
from spark_tui.context.edit_scope import lines_in_scope
from spark_tui.context.prompt import pick_windows
from spark_tui.context.relevance import InstructionTerms, stems_of
from spark_tui.context.shown_context import ContextLimits, ContextRequest
from spark_tui.context.symbols import outline

FOLDER = Path(__file__).resolve().parent.parent / "cases" / "windows"
CASES = [json.loads(line) for line in (FOLDER / "cases.jsonl").read_text().splitlines()]
_WORD = re.compile(r"\w{1,6}|[^\w\s]|\s+")


def count(text):
    return sum(1 for _ in _WORD.finditer(text))


def found(case):
    """Whether what is shown has the place, and nothing else is shown."""
    lines = (FOLDER / f"{case['file']}.txt").read_text().splitlines()
    selection = tuple(case["selection"]) if "selection" in case else None
    ask = ContextRequest(case["instruction"], "f.py", (), selection, case.get("cursor", 0))
    choice, of = pick_windows(f"{case['file']}.py", lines, ask, ContextLimits(0, WINDOW_TOKENS, 300), count)
    assert of > 2
    wanted = [lines.index(line) + 1 for line in case["expect"]]
    shown = all(any(w.first <= number <= w.last for w in choice.windows) for number in wanted)
    return shown and (len(choice.windows) == 1 or len(wanted) > 1)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["instruction"][:60])
def test_the_window_holds_the_place_that_the_instruction_is_about(case):
    assert found(case) or case.get("missed")


def test_few_are_missed_also_of_those_that_were_written_before_anyone_looked():
    assert sum(map(found, CASES)) / len(CASES) >= 0.75
    held_out = [case for case in CASES if case.get("held_out")]
    assert sum(map(found, held_out)) / len(held_out) >= 0.6


TEXT = """class Cart:
    def add(self, qty):
        total = qty * 2
        return total


    def remove(self, qty):
        total = qty
        self.items = total


def area(width):
    return width


def test_area():
    assert area(2) == 2
""".splitlines()


@pytest.mark.parametrize(
    ("instruction", "lines"),
    [
        ("use `width` everywhere", (12, 13)),
        ("add docstrings to all functions", (2, 7, 12, 16)),
        ("add a docstring to every class", (1,)),
        ("mark all the tests as slow", (16,)),
        ("replace every return with a raise", (4, 13)),
        ("turn all returns in area into yields", (13,)),
        ("remove every `area` call", (12, 17)),
        ("remove all items that are sold out", None),
        ("return early in rename when both are equal", None),
        ("sum all items", None),
    ],
)
def test_what_is_about_every_place_reaches_these_lines(instruction, lines):
    assert lines_in_scope(InstructionTerms(instruction), TEXT, outline("a.py", TEXT)) == lines


@pytest.mark.parametrize(
    ("word", "stems"),
    [
        ("_missing_folders", ("miss", "folder")),
        ("HunkClosed", ("hunk", "clos")),
        ("HTTPServer2", ("http", "server", "2")),
        ("pages", ("pag",)),
        ("class", ("class",)),
    ],
)
def test_the_parts_of_a_name_without_their_endings(word, stems):
    assert stems_of(word) == stems


def test_the_first_word_says_what_to_do_unless_something_is_said_of_it():
    assert InstructionTerms("print the total").names["print"] < 1
    assert InstructionTerms("print should end the line").names["print"] == 1
    assert InstructionTerms("_print the total").names["_print"] == 1
    assert InstructionTerms("raise in find").names["find"] == 1


def test_a_line_that_no_window_holds_is_left_out_and_the_lines_around_it_are_read():
    limits = ContextLimits(0, WINDOW_TOKENS, 300)
    lines = ["LIMIT = 3", "DATA = '" + "x " * 5000 + "'", "def add(a):", "    return a"]
    for instruction, first in (("LIMIT should be 5", 1), ("rename a in add", 3)):
        choice, of = pick_windows("a.py", lines, ContextRequest(instruction, "a.py"), limits, count)
        assert [window.first for window in choice.windows] == [first] and of == 2
    assert pick_windows("b.py", lines[1:2], ContextRequest("x", "b.py"), limits, count)[0].windows == ()
