"""Edits that programs of a garage, a feed reader and a blog were asked for."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed
from intent.support import PATH, situation

from spark_tui.intent.answering.answer import answer_orders
from spark_tui.intent.words.readings import Order, Reading, Span

PRINTED = "def simulate(garage, days):\n    garage.run(days)\n    print(garage.revenue)\n"
SIZED = """\
PAGE_SIZE = 5


class Pages:
    def __init__(self, posts):
        self.posts = posts

    def first(self):
        return self.posts[:PAGE_SIZE]


def page(posts, number):
    return posts[number * PAGE_SIZE : (number + 1) * PAGE_SIZE]
"""
READ = "def read(lines):\n    for line in lines:\n        print(line)\n"
MEAN = """\
def stats(posts):
    total = sum(posts)
    mean = total / len(posts)
    return {"mean": mean}
"""


@pytest.mark.parametrize(
    ("said", "intent", "words"),
    [
        (
            "simulate should return the revenue instead of printing it",
            "set_return",
            {"function": "simulate", "result": "revenue"},
        ),
        ("return garage.revenue instead of printing it", "set_return", {"result": "garage.revenue"}),
        (
            "in simulate, return it rather than print",
            "replace_statement",
            {"function": "simulate", "code": "return it", "old": "print"},
        ),
    ],
)
def test_what_is_printed_is_returned(said: str, intent: str, words: dict[str, str]) -> None:
    assert changed(PRINTED, said, intent, **words).endswith("    return garage.revenue\n")


def test_what_is_printed_stays_where_it_is_not_said_to_go() -> None:
    words = {"function": "simulate", "result": "garage.revenue"}
    out = changed(PRINTED, "simulate should return garage.revenue", "set_return", **words)
    assert out.endswith("    print(garage.revenue)\n    return garage.revenue\n")


def test_a_parameter_that_is_called_like_a_constant_stands_for_it() -> None:
    said = "the page size should be a parameter of page"
    out = changed(SIZED, said, "add_parameter", function="page", name="page size").partition("def page")[2]
    assert out.startswith("(posts, number, page_size=PAGE_SIZE):")
    assert "number * page_size : (number + 1) * page_size" in out
    told = changed(SIZED, f"{said}, default 20", "add_parameter", name="page size", default="20")
    assert "PAGE_SIZE = 5" in told
    upper = changed(SIZED, "pass PAGE_SIZE to Pages", "add_parameter", name="PAGE_SIZE", function="Pages")
    assert "def __init__(self, posts, page_size=PAGE_SIZE):" in upper
    assert "self.page_size = page_size" in upper and "return self.posts[:self.page_size]" in upper
    none = changed(SIZED, "add page_size=None to page", "add_parameter", name="page_size", default="None")
    assert "number * PAGE_SIZE" in none


@pytest.mark.parametrize(
    ("said", "test"),
    [
        ("lines that start with #", 'line.startswith("#")'),
        ("lines starting with a hash", 'line.startswith("#")'),
        ("line ends with .pdf", 'line.endswith(".pdf")'),
        ("line begins with http://", 'line.startswith("http://")'),
        ("line starts with 'a b'", "line.startswith('a b')"),
        ("line starts with lines", "line.startswith(lines)"),
    ],
)
def test_signs_need_no_quotes_behind_starts_and_ends(said: str, test: str) -> None:
    assert f"if {test}:" in changed(READ, f"in read skip {said}", "skip_in_loop", condition=said)


def test_a_quotient_beside_other_results_becomes_zero_where_nothing_is_there() -> None:
    said = "ZeroDivisionError: division by zero in stats"
    out = changed(MEAN, said, "fix_error", function="stats")
    assert "mean = total / len(posts) if posts else 0\n" in out
    rounded = MEAN.replace("total / len(posts)", "round(total / len(posts), 2)")
    out = changed(rounded, said, "fix_error", function="stats")
    assert "mean = round(total / len(posts), 2) if posts else 0\n" in out
    alone = MEAN.replace('{"mean": mean}', "mean")
    assert "return 0\n" in changed(alone, said, "fix_error", function="stats")


def test_the_class_is_imported_where_a_type_is_called_like_its_module() -> None:
    code = "def create(title, when=None):\n    return title\n"
    words = {"parameter": "when", "type": "datetime"}
    out = changed(code, "when should be a datetime", "annotate_parameter", **words)
    assert out.startswith("from datetime import datetime\n")


def test_what_is_never_below_a_bound_is_limited() -> None:
    code = "def fee(hours):\n    cost = hours * 2\n    return cost\n"
    words = {"variable": "cost", "minimum": "2"}
    marks = answer_to(code, "cost should never be below 2 in fee", "limit_value", **words).ways[0].marked
    assert not any("never" in mark for mark in marks)


def test_the_newest_come_first_by_the_time_that_items_have() -> None:
    code = """\
class Post:
    def __init__(self, title, created):
        self.title = title
        self.created = created


def posts(known: list[Post]):
    for post in known:
        print(post.title)
"""
    out = changed(code, "in posts the newest first", "sort_loop", key="newest", function="posts")
    assert "sorted(known, key=lambda post: post.created" in out


def test_those_of_several_that_cannot_be_moved_are_named() -> None:
    code = "def one():\n    return A\n\n\ndef two():\n    return A\n\n\nA = two()\n"
    said = "move one and two to n.py"
    span = [Span(said.index(name), said.index(name) + 3, name) for name in ("one", "two")]
    slots = {"symbol": tuple(span), "file": (Span(16, 20, "n.py"),)}
    asked = Order(0, len(said), (Reading("move_definition", 0.95, slots),))
    found = answer_orders([asked], situation({PATH: code}, instruction=said))
    assert "not used: two" in found.ways[0].marked


def test_a_number_that_a_shown_form_has_is_used() -> None:
    code = "def count(rows):\n    n = 0\n    for row in rows:\n        n = n + 1\n    return n\n"
    way = answer_to(code, "n += 1 is nicer", "pattern.augmented", variable="n").ways[0]
    assert not any("not used" in mark for mark in way.marked)
    other = answer_to(code, "n += 2 is nicer", "pattern.augmented", variable="n").ways[0]
    assert "not used: 2" in other.marked
