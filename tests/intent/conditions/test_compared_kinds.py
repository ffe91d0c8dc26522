"""A test fits what the code says its subject is, or has a mark."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed

CODE = """\
import os
from datetime import timedelta
from enum import Enum

GRACE = timedelta(minutes=5)
POLL_MS = 250
BLOCK_KB = 64


class State(Enum):
    IDLE = "idle"
    BUSY = "busy"


class Job:
    def __init__(self, name, state=State.IDLE):
        self.name = name
        self.state = state
        self.active, self.owner = True, name

    def wind(self, left=GRACE):
        self.left = left
        self.left = self.left + left

    def rest(self):
        return self.left

    def start(self):
        self.state = State.BUSY

    def late(self, grace=GRACE):
        return self.name and grace


class Board:
    def __init__(self):
        self.jobs = {}
        self.closed = set()
        self.rows = []

    def show(self, key):
        return self.jobs[key]

    def close(self, key):
        self.closed.add(key)

    def add(self, job):
        self.jobs[job.name] = job

    def drop(self, name):
        self.rows = [row for row in self.rows if row.name != name]

    def greet(self, job, kind="plain"):
        return "hi" if kind == "plain" else job.name

    def call(self, name):
        job = self.jobs[name]
        return job()


def wait(poll=POLL_MS, block=BLOCK_KB):
    return poll / 1000, block * 1024


def load(path, tries=3, title="job"):
    data = path.read_bytes()
    return [data + title for _ in range(tries + 1)]


def sow(seeds):
    return list(range(seeds))


def grow(cm, height=3):
    return height + cm


def roll(names, sides=6):
    return [sides for _ in names]


def copy(source, target):
    with open(source) as reader, open(target, "w") as writer:
        writer.write(reader.read())


def parse(text):
    name, number = text.split(":")
    return name, number
"""


def guard(function: str, condition: str, error: str = "ValueError") -> tuple[str, tuple[str, ...]]:
    """The test that is made, and the marks."""
    text = f"raise {error} in {function} if {condition}"
    slots = {"function": function, "condition": condition, "exception": error}
    way = answer_to(CODE, text, "guard_raise", **slots).ways[0]
    made = next(edit.new for edit in way.plan.edits if "raise" in edit.new)
    return made.strip().partition("\n")[0].removeprefix("if ").removesuffix(":"), way.marked


@pytest.mark.parametrize(
    ("function", "condition", "test"),
    [
        ("start", "state is not idle", "self.state != State.IDLE"),
        ("show", "key is not a Job", "key not in self.jobs"),
        ("close", "key is closed already", "key in self.closed"),
        ("add", "the job exists", "job.name in self.jobs"),
        ("wait", "poll is over 2 seconds", "poll > 2000"),
        ("wait", "poll is below 10 ms", "poll < 10"),
        ("wait", "block is over 1 MB", "block > 1024"),
        ("roll", "sides is less than 2", "sides < 2"),
        ("roll", "names is less than 2", "len(names) < 2"),
        ("sow", "there are more than 50 seeds", "seeds > 50"),
    ],
)
def test_a_subject_is_tested_as_the_code_does_it(function: str, condition: str, test: str) -> None:
    assert guard(function, condition)[0] == test


def test_a_file_that_exists_is_looked_for() -> None:
    assert guard("copy", "target exists", "FileExistsError")[0] == "os.path.exists(target)"


@pytest.mark.parametrize(("function", "name"), [("late", "grace"), ("rest", "self.left")])
def test_a_span_of_time_is_compared_with_none(function: str, name: str) -> None:
    assert (
        guard(function, f"{name.removeprefix('self.')} is negative", "ValueError")[0]
        == f"{name} < timedelta(0)"
    )


@pytest.mark.parametrize(
    ("function", "condition", "error", "mark"),
    [
        ("parse", "number is negative", "ValueError", "of type str"),
        ("greet", "kind is unknown", "ValueError", "unknown was taken for"),
        ("greet", "job is idle", "ValueError", "idle was taken for"),
        ("greet", "job is not active", "ValueError", "to be of the class Job"),
        ("copy", "source is given", "ValueError", "may be None"),
        ("call", "job has no owner", "ValueError", "to be of the class Job"),
        ("load", "data is larger than POLL_MS", "ValueError", "to be like POLL_MS"),
        ("load", "tries is over 10 seconds", "ValueError", "counts with it"),
        ("grow", "cm is over 1 m", "ValueError", "minutes"),
        ("load", "title is not a Job", "ValueError", "is no object there"),
        ("start", "state is 4", "ValueError", "of type Enum"),
        ("roll", "sides is empty", "ValueError", "of type int"),
    ],
)
def test_what_does_not_fit_has_a_mark(function: str, condition: str, error: str, mark: str) -> None:
    assert mark in "; ".join(guard(function, condition, error)[1])


def test_an_error_for_what_is_none_by_default_has_a_mark() -> None:
    code = "def is_open(day, closed=None):\n    return not (closed and day in closed)\n"
    text = "raise ValueError in is_open if closed is empty"
    slots = {"function": "is_open", "condition": "closed is empty", "exception": "ValueError"}
    assert "None by default" in "; ".join(answer_to(code, text, "guard_raise", **slots).ways[0].marked)


HINTED = """from typing import IO, Optional, Union


def save(out: IO, size: Union[int, None], names: "Optional[list[int]]", flat: bool, some: _SIZE):
    return out, size, names, flat, some
"""


@pytest.mark.parametrize(
    ("condition", "marked"),
    [
        ("out is negative", True),
        ("size is negative", False),
        ("names is negative", True),
        ("some is negative", False),
        ("flat is empty", True),
        ("names is empty", False),
    ],
)
def test_an_annotation_says_what_is_compared_with_a_number_or_empty(condition: str, marked: bool) -> None:
    said = f"save: raise ValueError if {condition}"
    found = answer_to(
        HINTED, said, "guard_raise", function="save", condition=condition, exception="ValueError"
    )
    assert any("was assumed to be" in mark for mark in found.ways[0].marked) == marked, found.ways[0].marked


FILLED = """from datetime import date


def add(amount, day=None):
    day = day or date.today().isoformat()
    return amount, day


def since(day):
    return date.today() - day


def parse(line):
    parts = line.split("|")
    text, answer = parts[0], parts[1]
    return text, answer
"""


@pytest.mark.parametrize(
    ("function", "condition", "mark"),
    [
        ("add", "day is in the future", "day was assumed to be like date.today()"),
        ("since", "day is in the future", ""),
        ("parse", "the answer is missing", "answer is never None there"),
    ],
)
def test_what_fills_a_name_in_says_what_it_is_compared_with(function: str, condition: str, mark: str) -> None:
    said = f"{function}: raise ValueError if {condition}"
    found = answer_to(
        FILLED, said, "guard_raise", function=function, condition=condition, exception="ValueError"
    )
    assert [str(one) for one in found.ways[0].marked if one] == ([mark] if mark else [])


def test_a_day_that_may_be_none_is_compared_with_today() -> None:
    code = "import datetime as dt\n\n\ndef lend(day: dt.date | None = None):\n    return day\n"
    words = {"function": "lend", "condition": "day is in the future", "exception": "ValueError"}
    found = answer_to(code, "raise ValueError in lend if day is in the future", "guard_raise", **words)
    assert "day > dt.date.today()" in str(found.ways[0].calls[0])


MANY = """from datetime import date, datetime


def plan(due):
    return due, date(2024, 1, 1), datetime(2024, 1, 1)


def note(day=None):
    day = day or date.today().isoformat()
    return day


def drop(conn, expense_id):
    return conn.execute("DELETE FROM expenses WHERE id = ?", (expense_id,))


def close(accounts, account_id):
    account = accounts.pop(account_id)
    return account.balance
"""


@pytest.mark.parametrize(
    ("function", "condition", "test", "mark"),
    [
        ("plan", "due is in the past", "due < datetime.now()", "due was assumed to be like datetime.now()"),
        (
            "note",
            "day is before 2000",
            "day is not None and day < 2000",
            "day is of type str, and was assumed to be a number",
        ),
        (
            "drop",
            "the expense doesn't exist",
            "expense_id is None",
            "the code does not say that expense_id may be None",
        ),
        ("close", "the account doesn't exist", "account_id not in accounts", ""),
    ],
)
def test_what_is_compared_and_taken_out_is_of_its_kind(
    function: str, condition: str, test: str, mark: str
) -> None:
    said = f"{function}: raise ValueError if {condition}"
    words = {"function": function, "condition": condition, "exception": "ValueError"}
    assert f"    if {test}:\n" in changed(MANY, said, "guard_raise", **words)
    marked = answer_to(MANY, said, "guard_raise", **words).ways[0].marked
    assert [str(one) for one in marked] == ([mark] if mark else [])
