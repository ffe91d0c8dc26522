"""A definition or parameter that an edit added, put somewhere else; further methods; ends of branches."""

from __future__ import annotations

import pytest
from intent.following import answer_behind, situation_behind
from intent.followups.test_amendments import amended
from intent.support import PATH

from spark_tui.intent.answering.answer import answer_orders
from spark_tui.intent.followups.settled_orders import settled
from spark_tui.intent.words.readings import Order, Reading, Span

BOOK = """\
class Book:
    def __init__(self, pages):
        self.pages = pages

    def read(self):
        return self.pages

    def close(self):
        self.pages = []
"""
FILES = {PATH: BOOK}
LENGTH = ("add_special_method", {"class": "Book", "method": "__len__"})


def names(text: str) -> list[str]:
    return [line.split("(")[0].split()[-1] for line in text.splitlines() if line.lstrip().startswith("def ")]


@pytest.mark.parametrize(
    ("intent", "words", "order"),
    [
        ("amend.first", {}, ["__len__", "__init__", "read", "close"]),
        ("amend.before", {"anchor": "read"}, ["__init__", "__len__", "read", "close"]),
        ("amend.after", {"anchor": "read"}, ["__init__", "read", "__len__", "close"]),
    ],
)
def test_a_new_method_is_put_where_it_is_said(intent: str, words: dict[str, str], order: list[str]) -> None:
    _, text = amended(FILES, LENGTH, intent, words)
    assert names(text) == order


def test_what_stands_there_already_stays() -> None:
    found, _ = amended(FILES, LENGTH, "amend.last", {})
    assert found.kind == "nothing"
    assert "already there" in found.reason


def test_beside_a_name_that_is_not_there_nothing_is_moved() -> None:
    found, _ = amended(FILES, LENGTH, "amend.after", {"anchor": "sell"})
    assert not found.ways
    assert "sell" in found.reason


LOAD = "def load(path, limit=3):\n    return open(path).read(limit)\n\n\nload('a', 5)\n"
ENCODED = LOAD.replace("limit=3", "limit=3, mode='r'")


@pytest.mark.parametrize(
    ("intent", "words", "says"),
    [
        ("amend.before", {"anchor": "limit"}, "def load(path, mode='r', limit=3)"),
        ("amend.after", {"anchor": "path"}, "def load(path, mode='r', limit=3)"),
        ("amend.before", {"anchor": "the limit parameter"}, "def load(path, mode='r', limit=3)"),
    ],
)
def test_a_new_parameter_is_put_where_it_is_said(intent: str, words: dict[str, str], says: str) -> None:
    _, text = answer_behind(LOAD, ENCODED, f"put it there, {words['anchor']}", intent, **words)
    assert says in text
    assert "load('a', limit=5)" in text or "load('a', 'r', 5)" in text


def test_a_further_special_method_is_added_to_the_same_class() -> None:
    found, text = amended(FILES, LENGTH, "amend.further", {"value": "__contains__"})
    assert not found.ways[0].from_before
    assert names(text)[-2:] == ["__len__", "__contains__"]


CATCHING = """\
def parse(text):
    try:
        return float(text)
    except:
        return None
"""
NARROW = CATCHING.replace("except:", "except ValueError:")


def test_what_ends_the_branch_around_what_was_written_is_exchanged() -> None:
    _, text = answer_behind(
        CATCHING, NARROW, "rather raise a TypeError", "amend.raise_instead", exception="TypeError"
    )
    assert "    except ValueError:\n        raise TypeError\n" in text


def test_code_in_backticks_is_code() -> None:
    was = "SIZE = 20\n"
    found, text = answer_behind(
        was, was.replace("20", "50"), "`25` instead of `50`", "amend.value", value="25", old="50"
    )
    assert text == "SIZE = 25\n"
    assert found.kind == "edit"


def test_a_level_takes_the_place_of_a_level() -> None:
    was = "import logging\n\n\ndef f(url):\n    print(url)\n"
    now = "import logging\n\nlogger = logging.getLogger(__name__)\n\n\ndef f(url):\n    logger.warning(url)\n"
    _, text = answer_behind(was, now, "error level please", "amend.value", value="error")
    assert text == now.replace("logger.warning", "logger.error")


READ = {PATH: "def read(text):\n    return int(text)\n"}
RAISED = ("try_raise", {"exception": "RuntimeError", "function": "read"})


def test_the_error_that_was_not_given_is_the_one_that_is_caught() -> None:
    _, text = amended(READ, RAISED, "amend.exception", {"exception": "ValueError"})
    assert "except ValueError as error:" in text
    assert "raise RuntimeError(" in text


def test_an_amendment_without_what_is_given_is_none() -> None:
    was = """\
def count(rows):
    seen = {}
    for row in rows:
        if row not in seen:
            seen[row] = 0
        seen[row] += 1
    return seen
"""
    first = ("pattern.defaultdict", {"function": "count"})
    found, _ = amended({PATH: was}, first, "amend.type", {"type": "Decimal"})
    assert not any("int" in str(way.calls) for way in found.ways)


def test_words_around_a_text_are_marked() -> None:
    guard = ("guard_raise", {"function": "read", "condition": "text is None"})
    found, _ = amended(READ, guard, "amend.message", {"message": '"not given: " + the name'})
    assert "words about the text were read as the text" in found.ways[0].marked


STATES = 'FREE_STATE = "free"\nLENT_STATE = "lent"\n\n\ndef state(book):\n    return FREE_STATE\n'
AS_ENUM = """\
from enum import StrEnum


class State(StrEnum):
    FREE = "free"
    LENT = "lent"


def state(book):
    return State.FREE
"""


def test_another_name_is_for_the_definition_that_was_added() -> None:
    found, text = answer_behind(STATES, AS_ENUM, "BookState would be plainer", "amend.name", new="BookState")
    assert found.kind == "edit"
    assert text == AS_ENUM.replace("State(", "BookState(").replace("State.", "BookState.")


def test_another_bound_is_for_the_one_that_was_given() -> None:
    fine = {PATH: "def fine(days):\n    cost = days * 2\n    return cost\n"}
    limited = ("limit_value", {"variable": "cost", "maximum": "10", "function": "fine"})
    _, text = amended(fine, limited, "amend.value", {"value": "15"})
    assert "15" in text
    assert "10" not in text


def test_an_order_without_a_subject_is_about_the_function_before() -> None:
    found, text = amended(FILES, ("make_property", {"function": "read"}), "rename", {"new": "content"})
    assert found.kind == "edit"
    assert "    @property\n    def content(self):" in text


def test_a_definition_does_not_come_before_what_it_needs() -> None:
    was = "import abc\n\n\nclass Shelf(abc.ABC):\n    rows = 3\n"
    now = was + "\n\nclass Wide(Shelf):\n    rows = 5\n"
    found, _ = answer_behind(was, now, "put it first", "amend.first")
    assert not found.ways or found.ways[0].marked


def test_what_is_named_is_moved_and_not_what_was_written() -> None:
    guard = "        if not self.pages:\n            return 0\n"
    guarded = BOOK.replace("        return self.pages\n", f"{guard}        return self.pages\n")
    text = "move read to the end of the class"
    told = situation_behind(BOOK, guarded, text)
    named = Reading("move_to_bottom", 0.1, {"symbol": (Span(5, 9, "read"),)})
    order = settled(Order(0, len(text), (Reading("amend.last", 0.8), named)), told)
    found = answer_orders([order], told)
    assert found.kind == "edit"
    assert names(found.ways[0].plan.texts(told.repo)[PATH] or "") == ["__init__", "close", "read"]


READ = {PATH: "def read(path):\n    with open(path) as handle:\n        return handle.read(80)\n"}


@pytest.mark.parametrize("intent", ["amend.name", "rename"])
def test_a_name_alone_is_for_the_function_where_the_order_before_brought_none(intent: str) -> None:
    cached = ("cache_results", {"function": "read"})
    found, text = amended(READ, cached, intent, {"new": "load"})
    assert found.kind == "edit"
    assert "@cache\ndef load(path):" in text and "from functools import cache\n" in text


def test_a_call_that_was_written_is_no_name_that_the_edit_brought() -> None:
    printed = ("insert_at_start", {"function": "read", "code": "print(path)"})
    found, text = amended(READ, printed, "rename", {"new": "load"})
    assert found.kind == "edit"
    assert "def load(path):\n    print(path)\n" in text


def test_what_an_edit_brought_is_made_private() -> None:
    constant = ("extract_constant", {"value": "80", "function": "read"})
    found, text = amended(READ, constant, "make_private", {})
    assert found.kind == "edit"
    assert text.startswith("_") and "def read(path):" in text and " = 80\n" in text


@pytest.mark.parametrize("said", ["shorter", "a clearer one please"])
def test_what_a_text_is_to_be_like_is_no_text(said: str) -> None:
    documented = ("set_docstring", {"function": "read", "text": "Reads a file."})
    found, _ = amended(READ, documented, "amend.message", {"message": said})
    assert found.kind != "edit"
