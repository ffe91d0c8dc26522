"""What follows the order in front: its place, what it names, and all places where several are asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from intent.support import PATH, answered, result, situation, spans

from spark_tui.intent.answering.answer import answer_orders
from spark_tui.intent.planning.answers import Answer
from spark_tui.intent.words.readings import Order, Reading, Span

TWO = {
    PATH: "def load(path):\n    # as it is\n    return path\n\n\n"
    "def save(path):\n    # late\n    print(path)\n"
}
CLASSES = {
    PATH: "class Cart:\n    def add(self, n):\n        return n\n\n\n"
    "class Box:\n    def put(self, n):\n        return n\n\n\ndef f(n):\n    return n\n"
}


@pytest.fixture(autouse=True)
def sure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Readings by hand have no words around them, which the fitted certainty goes by."""
    monkeypatch.setattr("spark_tui.intent.answering.answer.certainty", lambda *_: 0.99)


def said(
    files: Mapping[str, str], intent: str, slots: Mapping[str, Any], more: str = "", out: str = "", **of: Any
) -> Answer:
    """The answer to one order with words after its slots."""
    text, found = spans(slots)
    left = (Span(len(text), len(text) + len(out), out),) if out else ()
    text += f"{out} {more}"
    order = Order(0, len(text), (Reading(intent, 0.95, found, left, **of),))
    return answer_orders((order,), situation(files, instruction=text))


def test_a_sure_edit_is_done_at_the_place_that_the_order_in_front_names() -> None:
    first = ("annotate_parameter", {"function": "save", "parameter": "path", "type": "str"})
    found = answered(TWO, first, ("remove_comments", {}))
    assert "# as it is" in result(found, TWO) and "# late" not in result(found, TWO)


def test_a_name_is_looked_for_at_the_place_of_the_order_in_front() -> None:
    found = answered(
        TWO, ("remove_comments", {"function": "save"}), ("rename", {"symbol": "path", "new": "to"})
    )
    assert "def load(path)" in result(found, TWO) and "def save(to)" in result(found, TWO)


def test_what_cannot_be_done_there_is_named_and_done_nowhere_else() -> None:
    files = {PATH: "def load(path):\n    # as it is\n    return path\n\n\ndef save(path):\n    print(path)\n"}
    first = ("rename", {"symbol": "path", "new": "to", "function": "save"})
    found = answered(files, first, ("change_log_level", {"level": "error"}))
    assert any("not done" in mark for mark in found.ways[0].marked)


def test_it_in_a_slot_is_what_the_order_in_front_is_about() -> None:
    files = {PATH: 'def report(rows):\n    print(rows, sep="; ")\n'}
    added = ("add_parameter", {"function": "report", "name": "sep", "default": "`None`"})
    found = answered(files, added, ("add_argument", {"call": "print", "value": "it"}))
    assert "print(rows, sep=sep)" in result(found, files)
    named = ("rename", {"symbol": "rows", "new": "lines", "function": "report"})
    found = answered(files, named, ("annotate_parameter", {"parameter": "it", "type": "list"}))
    assert "def report(lines: list):" in result(found, files)


def test_them_are_all_that_the_order_in_front_names() -> None:
    files = {PATH: "def f(a=1, b=2):\n    return a + b\n"}
    only = ("make_keyword_only", {"parameter": ["a", "b"], "function": "f"})
    found = answered(files, only, ("annotate_parameter", {"parameter": "them", "type": "int"}))
    assert "def f(*, a: int = 1, b: int = 2)" in result(found, files)


def test_a_value_that_leans_on_what_is_not_said_is_no_text() -> None:
    files = {PATH: "LIMIT = 3\nrows = [1, 2]\n"}
    first = ("rename", {"symbol": "LIMIT", "new": "MOST"})
    found = answered(files, first, ("set_value", {"variable": "rows", "value": "a copy of it"}))
    assert "rows = [1, 2]" in result(found, files)
    assert any("not done" in mark for mark in found.ways[0].marked)


def test_one_name_is_changed_in_all_functions_where_everywhere_is_said() -> None:
    slots = {"symbol": "n", "new": "count"}
    found = said(CLASSES, "rename", slots, everywhere=True)
    text = result(found, CLASSES)
    assert text.count("count") == 6 and "(self, n)" not in text
    found = said(CLASSES, "rename", slots, out="Box", everywhere=True)
    assert "def put(self, n)" in result(found, CLASSES) and "def f(count)" in result(found, CLASSES)


def test_what_names_nothing_that_could_be_left_out_is_named() -> None:
    found = said(CLASSES, "rename", {"symbol": "n", "new": "count"}, out="the big one", everywhere=True)
    assert any("not left out: the big one" in mark for mark in found.ways[0].marked)


@pytest.mark.parametrize(("more", "changed"), [("all three", 3), ("both", 1)])
def test_as_many_places_as_the_words_count_are_one_edit(more: str, changed: int) -> None:
    found = said(CLASSES, "rename", {"symbol": "n", "new": "count"}, more)
    assert result(found, CLASSES).count("return count") == changed


def test_a_base_is_removed_beside_another_one_where_super_is_called() -> None:
    files = {PATH: "class A(Exception):\n    def __init__(self):\n        super().__init__()\n"}
    orders = [
        ("add_base", {"class": "A", "base": "TypeError"}),
        ("remove_base", {"base": "Exception"}),
    ]
    assert "class A(TypeError):" in result(answered(files, *orders), files)


RAISING = {
    PATH: "def load(path, size: int = 1):\n    raise KeyError(path)\n\n\n"
    "def save(path, size: int = 1):\n    raise KeyError(path)\n"
}


def test_what_an_order_needs_is_that_of_one_in_front_that_asks_for_the_same() -> None:
    first = ("change_raised", {"function": "load", "old": "KeyError", "exception": "ValueError"})
    found = answered(RAISING, first, ("change_raised", {"function": "save"}))
    assert result(found, RAISING).count("raise ValueError(path)") == 2


def test_the_same_elsewhere_takes_what_may_be_said() -> None:
    first = ("cache_results", {"function": "load", "size": "8"})
    text, slots = spans(first[1])
    more = "the same for save"
    there = {"function": (Span(len(text) + 13, len(text) + 17, "save"),)}
    orders = [
        Order(0, len(text), (Reading(first[0], 0.95, slots),)),
        Order(len(text), len(text) + len(more), (Reading(first[0], 0.95, there),)),
    ]
    found = answer_orders(orders, situation(RAISING, instruction=text + more))
    assert result(found, RAISING).count("@lru_cache(maxsize=8)") == 2


def test_a_parameter_of_the_place_in_front_is_meant_nowhere_else() -> None:
    files = {
        PATH: "class Pump:\n    def __init__(self, rate, name):\n        self.rate = rate\n\n\n"
        "class Tank:\n    def __init__(self, rate):\n        self.rate = rate\n"
    }
    first = ("annotate_parameter", {"function": "Pump", "parameter": "name", "type": "str"})
    found = answered(files, first, ("set_default", {"parameter": "rate", "default": "1"}))
    assert "rate=1" not in result(found, files)
    assert any(text.startswith("not done") for text in found.ways[0].marked)


def test_what_follows_the_rename_of_a_local_is_done_in_its_function() -> None:
    files = {
        PATH: "def wrap(text):\n    mark = text[0]\n    return mark\n\n\ndef sign(text):\n    return text\n"
    }
    orders = [("rename", {"symbol": "mark", "new": "sign"}), ("write_docstring", {})]
    assert '    """Wrap."""\n    sign = text[0]' in result(answered(files, *orders), files)


def test_a_name_of_the_code_is_no_pronoun() -> None:
    files = {PATH: "def pick(xs, lo=0, hi=10):\n    return xs[lo:hi]\n"}
    first = ("set_default", {"function": "pick", "parameter": "hi", "default": "11"})
    found = answered(files, first, ("set_default", {"parameter": "lo", "default": "2"}))
    assert "def pick(xs, lo=2, hi=11):" in result(found, files)


def test_a_default_without_a_name_is_that_of_the_parameter_that_is_said() -> None:
    files = {PATH: "def pick(xs, low=0, high=10):\n    return xs[low:high]\n"}
    found = said(files, "set_default", {"function": "pick", "default": "2"}, "for low")
    assert [way.title for way in found.ways] == ["low=2 in pick"]
