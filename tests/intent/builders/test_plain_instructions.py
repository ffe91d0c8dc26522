"""Edits that the code at hand makes clear: another word for a command, a print before a return, all
results of a class."""

from __future__ import annotations

from intent.asking import changed

CODE = """class Shelf:
    def __init__(self):
        self.books = []

    def put(self, book):
        self.books.append(book)

    def has(self, book):
        return book in self.books


def find(shelf, title):
    for book in shelf.books:
        if book.title == title:
            return book
    return None


def run(shelf, word):
    if word == "put":
        shelf.put(word)
"""


def test_another_value_is_accepted_beside_the_one_that_is_compared() -> None:
    after = changed(CODE, "also accept 'add' for put", "add_item", value="add", variable="put")
    assert '    if word in ("put", "add"):\n' in after


def test_a_text_is_printed_before_a_return() -> None:
    text = "find: print 'no such book' before returning None"
    slots = {"function": "find", "code": "print 'no such book'", "anchor": "returning None"}
    after = changed(CODE, text, "insert_before", **slots)
    assert '    print("no such book")\n    return None\n' in after


def test_the_results_of_all_methods_of_a_class_are_annotated() -> None:
    after = changed(CODE, "annotate the results of Shelf's methods", "annotate_return", function="Shelf")
    assert "def put(self, book) -> None:" in after and "def has(self, book) -> bool:" in after


def test_all_methods_of_a_class_get_docstrings_and_nothing_else() -> None:
    after = changed(CODE, "a docstring for every method of Shelf", "write_docstring", **{"class": "Shelf"})
    assert after.count('"""') == 6
    assert 'class Shelf:\n    def __init__(self):\n        """Set up the object."""\n' in after
    after = changed(CODE, "docstrings for all public functions", "write_docstring")
    assert 'def run(shelf, word):\n    """Run."""\n' in after
    assert changed(CODE, "docstrings everywhere", "write_docstring").count('"""') == 10
    assert after.count('"""') == 8  # none for the class, and none for __init__


def test_rounds_are_skipped_in_the_loop_over_what_is_named() -> None:
    code = (
        "def count(text):\n    number = 0\n    for line in text.splitlines():\n"
        "        for word in line.split():\n            number += len(word)\n    return number\n"
    )
    after = changed(code, "ignore blank lines", "skip_in_loop", condition="blank lines")
    assert "    for line in text.splitlines():\n        if not line.strip():\n            continue\n" in after


TASKS = """import datetime as dt
from dataclasses import dataclass
from enum import Enum


class State(Enum):
    OPEN = "open"
    DONE = "done"


@dataclass
class Task:
    title: str
    state: State = State.OPEN


def show(tasks):
    for task in tasks:
        print(task.title)


def plan(task, when):
    if task.state == State.DONE:
        return None
    return task.title, when
"""


def test_things_in_a_state_are_told_by_the_field_that_keeps_it() -> None:
    after = changed(TASKS, "skip done tasks in show", "skip_in_loop", condition="done tasks", function="show")
    assert "        if task.state == State.DONE:\n            continue\n" in after


def test_a_time_in_the_past_is_before_now() -> None:
    text = "raise ValueError in plan if when is in the past"
    slots = {"condition": "when is in the past", "exception": "ValueError", "function": "plan"}
    after = changed(TASKS, text, "guard_raise", **slots)
    guard = '    if when < dt.datetime.now():\n        raise ValueError("when must not be in the past")\n'
    assert guard in after


def test_an_error_takes_the_place_of_a_returned_constant() -> None:
    text = "raise a RuntimeError rather than return None in plan"
    slots = {"exception": "RuntimeError", "old": "return None", "function": "plan"}
    after = changed(TASKS, text, "raise_for_print", **slots)
    assert "    if task.state == State.DONE:\n        raise RuntimeError(" in after


def test_a_result_in_upper_case_is_not_lowered() -> None:
    code = "def code(name):\n    return name[:3]\n"
    after = changed(code, "code should be upper case", "ignore_case", function="code")
    assert "return name[:3].upper()" in after
