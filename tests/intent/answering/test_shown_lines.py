"""Lines as the places of edits, by their numbers or by the code that stands in them."""

from __future__ import annotations

from functools import lru_cache

import pytest
from intent.support import PATH, result, situation

from spark_tui.intent.answering.answer import Answer, answer
from spark_tui.intent.answering.shown_lines import with_numbers
from spark_tui.intent.reading.reader import Reader
from spark_tui.intent.reading.symbol_roles import repository_roles

CODE = """\
import os

limit = ".exe"


def run(target, size, parts):
    base = os.path.basename(target)
    if base and size:
        print(base, parts, sep=", ", end="")
    if size and target:
        return find(base, 3)
    message = f"did {base} in {size}"
    print(message)
    return "Failed: {0}".format(base)
"""


@lru_cache(maxsize=1)
def reader() -> Reader:
    return Reader.load()


def asked(instruction: str) -> Answer:
    here = situation({PATH: CODE})
    return answer(instruction, reader(), here, repository_roles(here.repo.index, (PATH,)))


@pytest.mark.parametrize(
    ("instruction", "numbered"),
    [
        ("in the line `print(message)` use log", "in the line 13 use log"),
        ("the call in the `print(message)` line", "the call in the line 13"),
        ("in der Zeile `print(message)`: log", "in der line 13: log"),
        ("in `return find(base, 3)` use 4", "in line 11 use 4"),
        ("in `base` use 4", "in `base` use 4"),
        ("after the line `print(message)` add x", "after the line `print(message)` add x"),
        ("in the line `print(other)` use log", "in the line `print(other)` use log"),
    ],
)
def test_a_line_that_is_shown_as_a_place_is_named_by_its_number(instruction: str, numbered: str) -> None:
    assert with_numbers(instruction, CODE.split("\n")) == numbered


def test_a_line_that_stands_there_twice_is_not_named_by_a_number() -> None:
    assert (
        with_numbers("in the line `a = 1` use 2", ["a = 1", "b = 1", "a = 1"]) == "in the line `a = 1` use 2"
    )


@pytest.mark.parametrize(
    ("instruction", "old", "new"),
    [
        ("in `if size and target:` use or instead of and", "size and target", "size or target"),
        ("on line 10 use or instead of and", "size and target", "size or target"),
        ("in line 11, 3 should be 4", "find(base, 3)", "find(base, 4)"),
        ("in line 7 call os.path.dirname() instead of os.path.basename()", "basename", "dirname"),
        ("delete lines 12 and 13", '    message = f"did {base} in {size}"\n    print(message)\n', ""),
        ("set limit to `None`", '".exe"', "None"),
        ("change 'Failed: {0}' to 'Could not: {0}'", "Failed", "Could not"),
    ],
)
def test_an_edit_is_made_at_the_line_and_to_what_is_named_in_it(instruction: str, old: str, new: str) -> None:
    found = asked(instruction)
    assert found.kind == "edit"
    assert result(found, {PATH: CODE}) == CODE.replace(old, new)


@pytest.mark.parametrize(
    "instruction",
    [
        'drop `end` in the line `print(base, parts, sep=", ", end="")`',
        "exchange lines 12 and 13",
        "at line 11: 3 -> 4",
    ],
)
def test_a_line_is_not_deleted_where_something_else_is_asked(instruction: str) -> None:
    found = asked(instruction)
    lines = len(CODE.split("\n"))
    assert found.kind not in ("edit", "choices") or len(result(found, {PATH: CODE}).split("\n")) == lines


def test_the_line_at_which_an_edit_is_made_is_not_said_to_be_unused() -> None:
    found = asked("on line 10 use or instead of and")
    assert not any("line" in mark for mark in found.ways[0].marked)


def test_what_says_by_which_code_something_is_done_is_no_order_of_its_own() -> None:
    code = "class Service:\n    def skip(self, reason):\n        return reason\n"
    here = situation({PATH: code})
    text = "'skip' should log \"entering skip\" when it starts, with `self.log.error`"
    found = answer(text, reader(), here, repository_roles(here.repo.index, (PATH,)))
    made = code.replace("        return", '        self.log.error("entering skip")\n        return')
    assert result(found, {PATH: code}) == made


@pytest.mark.parametrize("instruction", ["comment out lines 8 and 9", "comment lines 8-9 out"])
def test_lines_that_are_to_be_commented_out_are_not_deleted(instruction: str) -> None:
    found = asked(instruction)
    assert found.kind == "edit"
    made = result(found, {PATH: CODE})
    assert '    # if base and size:\n    #     print(base, parts, sep=", ", end="")\n' in made


def test_doubling_nothing_is_no_claim_that_it_is_done() -> None:
    code = "def wait(delay: float = 0.0):\n    sleep(delay)\n"
    here = situation({PATH: code})
    text = "delay should be doubled"
    found = answer(text, reader(), here, repository_roles(here.repo.index, (PATH,)))
    assert found.kind != "nothing"
