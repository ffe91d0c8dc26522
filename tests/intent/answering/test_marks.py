"""What is said besides the edit that is made leaves a mark."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed
from intent.support import PATH, result, situation

from spark_tui.intent.answering.answer import answer_orders
from spark_tui.intent.planning.answers import UNSURE
from spark_tui.intent.words.readings import Order, Reading, Span

WORDS = {"symbol": "qty", "new": "quantity"}
CODE = """\
RATE = 5


def show(rows, sep=",", limit=5):
    total = sum(rows)
    top = rows[:limit]
    print(sep.join(top))
    return total


def best(rows):
    rows.sort(key=len)
    rows.reverse()
    return rows


def late(rows):
    rows.sort(key=len)
    return rows
"""


@pytest.mark.parametrize(
    ("text", "intent", "slots", "mark"),
    [
        ("round total up", "round_value", {"variable": "total"}, "not up"),
        ("round total to dozens", "round_value", {"variable": "total", "count": "dozens"}, "dozens"),
        ("round total to the nearest 10", "round_value", {"variable": "total", "count": "10"}, "10"),
        ("remove best unless it is used", "remove_definition", {"symbol": "best"}, "unless it is used"),
        ("RATE 10% more", "set_value", {"variable": "RATE", "value": "10%"}, "not how much it changes"),
        ("raise RATE by 2", "set_value", {"variable": "RATE", "value": "2"}, "not how much it changes"),
        ("set RATE to 10%", "set_value", {"variable": "RATE", "value": "10%"}, "counted in percent"),
        ("default of sep: pling", "set_default", {"parameter": "sep", "default": "pling"}, "a sign stands"),
        ("default of sep empty", "set_default", {"parameter": "sep", "default": "empty"}, "an empty text"),
    ],
)
def test_what_the_edit_does_not_do_is_marked(
    text: str, intent: str, slots: dict[str, str], mark: str
) -> None:
    assert mark in "; ".join(answer_to(CODE, text, intent, **slots).ways[0].marked)


@pytest.mark.parametrize(
    ("text", "intent", "slots"),
    [
        ("round total to 2 digits", "round_value", {"variable": "total", "count": "2"}),
        ("round total to cents", "round_value", {"variable": "total", "count": "cents"}),
        ("remove best if you can", "remove_definition", {"symbol": "best"}),
        ("set RATE to 10", "set_value", {"variable": "RATE", "value": "10"}),
    ],
)
def test_nothing_else_is_said(text: str, intent: str, slots: dict[str, str]) -> None:
    marked = "; ".join(answer_to(CODE, text, intent, **slots).ways[0].marked)
    assert not any(word in marked for word in ("assumed", "not used"))


def test_a_sign_has_its_form_in_code() -> None:
    assert 'sep="\\t"' in changed(CODE, "default of sep: tab", "set_default", parameter="sep", default="tab")


def test_what_is_reversed_right_after_it_is_sorted_is_marked() -> None:
    for name, turned in (("best", True), ("late", False)):
        words = {"function": name, "order": "descending"}
        (way, *_) = answer_to(CODE, f"{name} should sort descending", "sort_by", **words).ways
        assert any("reversed" in mark for mark in way.marked) is turned


@pytest.mark.parametrize(
    ("text", "factor", "value"),
    [
        ("increase RATE by 0.5", "0.5", "5.5"),
        ("reduce RATE by 2", "2", "3"),
        ("increase RATE by 10%", "10%", "5.5"),
        ("multiply RATE by 2", "2", "10"),
        ("reduce RATE by half", "half", "2.5"),
    ],
)
def test_so_much_more_is_no_factor(text: str, factor: str, value: str) -> None:
    assert f"RATE = {value}\n" in changed(CODE, text, "scale_value", variable="RATE", factor=factor)


@pytest.mark.parametrize(("probability", "whole"), [(0.99, False), (0.3, True)])
def test_a_mark_at_one_place_is_enough_for_an_edit_that_is_likely(probability: float, whole: bool) -> None:
    code = "class Item:\n    def __init__(self):\n        self.qty = 0\n\n\n"
    code += "def low(item):\n    return item.qty\n"
    text = "rename qty to quantity"
    slots = {
        one: (Span(text.index(said), text.index(said) + len(said), said),) for one, said in WORDS.items()
    }
    orders = [Order(0, len(text), (Reading("rename", probability, slots), Reading("write", 0.01)))]
    marked = answer_orders(orders, situation({PATH: code}, instruction=text)).ways[0].marked
    assert any("class of the object" in mark for mark in marked)
    assert (UNSURE in marked) is whole


def test_a_base_that_changes_with_a_named_class_is_named() -> None:
    code = "class Plant:\n    def grow(self, days):\n        return days\n\n\n"
    code += "class Tree(Plant):\n    def grow(self, days):\n        return 2 * days\n"
    words = {"symbol": "days", "new": "weeks"}
    found = answer_to(code, "rename days to weeks in Tree.grow", "rename", **words, function="Tree.grow")
    assert found.ways[0].marked == ("Plant has one too, which changes",)
    found = answer_to(code, "rename days to weeks in Plant.grow", "rename", **words, function="Plant.grow")
    assert not found.ways[0].marked


def test_what_an_edit_is_to_be_made_in_has_to_be_there() -> None:
    words = {"old": "a.csv", "new": "b.csv"}
    code = 'def f(add):\n    add("--out", default="a.csv")\n'
    said = 'change "a.csv" to "b.csv" in the help'
    assert answer_to(code, said, "replace_text", **words).ways[0].marked == ("not used: help",)
    shown = code.replace("default", "help")
    assert not answer_to(shown, said, "replace_text", **words).ways[0].marked


@pytest.mark.parametrize(
    ("where", "marked"),
    [("__init__", False), ("close", True), ("show", False)],
    ids=["in it", "in another method", "read there"],
)
def test_a_list_outside_of_the_function_that_is_named_is_marked(where: str, marked: bool) -> None:
    code = (
        "TAGS = []\n\n\ndef show():\n    print(TAGS)\n\n\nclass Task:\n    def __init__(self):\n"
        "        self.notes = []\n\n    def close(self):\n        self.state = 1\n"
    )
    name = "TAGS" if where == "show" else "notes"
    text = f'append "new" to {name} in {where}'
    found = answer_to(code, text, "add_item", value="new", variable=name, function=where)
    marks = [str(mark) for mark in found.ways[0].marked]
    assert (f"it was found outside of {where}" in marks) is marked


def test_of_lists_with_a_name_that_of_the_function_is_meant() -> None:
    code = (
        "class Box:\n    def __init__(self):\n        self.rows = []\n\n"
        "    def load(self):\n        rows = []\n        return rows\n"
    )
    text = 'add "x" to rows in load'
    found = answer_to(code, text, "add_item", value="x", variable="rows", function="load")
    assert (found.kind, result(found, {PATH: code})) == ("edit", code.replace(" rows = []", ' rows = ["x"]'))
