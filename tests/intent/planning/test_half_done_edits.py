"""Edits that do a part of what was asked, or more than that: marked."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed
from intent.support import PATH, situation

from spark_tui.intent.answering.answer import answer_orders
from spark_tui.intent.words.readings import Order, Reading, Span

RANGES = """from typing import Optional, Union


def valid(low, high):
    if low < 0 or low > 9:
        return False
    if high < 0 or high > 9:
        return False
    return True


def wait(base: Union[int, float], limit: Optional[int] = None):
    return base
"""

SHAPES = """class Shape:
    def show(self, digits=2):
        return digits


class Rect(Shape):
    def show(self, digits=2):
        return super().show(digits)
"""


def marks(code: str | dict[str, str], text: str, intent: str, **slots: str) -> str:
    return " ".join(answer_to(code, text, intent, **slots).ways[0].marked)


def test_a_second_return_is_marked_where_one_is_asked_for() -> None:
    slots = {"function": "valid"}
    pattern = "pattern.return_condition"
    assert "valid has 2 returns" in marks(RANGES, "simplify valid to a single return", pattern, **slots)
    assert "returns" not in marks(RANGES, "return the condition in valid", pattern, **slots)


def test_an_optional_that_becomes_a_union_is_marked_where_only_unions_are_named() -> None:
    assert "1 places fit that are no Union" in marks(RANGES, "replace Union with |", "use_union")
    assert "no Union" not in marks(RANGES, "replace Union and Optional with |", "use_union")


def test_a_method_of_a_related_class_that_keeps_another_default_is_marked() -> None:
    files = {PATH: SHAPES, "cube.py": f"from {PATH[:-3]} import Rect\n\n\nclass Cube(Rect):\n    pass\n"}
    text = "in Shape.show the default of digits should be 1"
    slots = {"function": "Shape.show", "parameter": "digits", "default": "1"}
    assert "Rect.show has another default for digits" in marks(files, text, "set_default", **slots)
    files[PATH] = SHAPES.replace(
        "class Rect(Shape):\n    def show(self, digits=2)", "class Rect(Shape):\n    def show(self, digits=1)"
    )
    assert "another default" not in marks(files, text, "set_default", **slots)


def test_a_filter_without_a_default_gets_one_only_with_a_mark() -> None:
    code = "def load(kind='a'):\n    return kind\n\n\ndef count(rows, kind=None):\n    return rows\n"
    text = "kind should default to 'b' everywhere"
    found = edited_marks(code, text, {"parameter": "kind", "default": "'b'"})
    assert "count had no kind by default" in found
    assert "by default" not in edited_marks(
        code.replace("=None", "='c'"), text, {"parameter": "kind", "default": "'b'"}
    )


def edited_marks(code: str, text: str, slots: dict[str, str]) -> str:
    spans = {
        name: (Span(text.index(said), text.index(said) + len(said), said),) for name, said in slots.items()
    }
    reading = Reading("set_default", 0.95, spans, (), True)
    found = answer_orders([Order(0, len(text), (reading,))], situation({PATH: code}, instruction=text))
    return " ".join(found.ways[0].marked)


def test_an_entry_that_is_still_begun_is_marked_with_a_default_dict() -> None:
    code = """def sums(rows):
    out = {}
    for row in rows:
        out[row.key] = 0
        for one in row:
            out[row.key] += one
    return out
"""
    found = marks(code, "use defaultdict in sums", "pattern.defaultdict", function="sums")
    assert "it is still said that out[row.key] = 0" in found


def test_what_a_file_sets_to_none_is_lowered_only_with_a_mark() -> None:
    code = """def leave(seats, at):
    seats[at] = None


def find(seats, name):
    for at, holder in enumerate(seats):
        if holder == name:
            return at
"""
    found = marks(code, "find should ignore case", "ignore_case", function="find")
    assert "holder was assumed not to be None" in found
    assert "None" not in marks(
        code.replace("= None", "= ''"), "find should ignore case", "ignore_case", function="find"
    )


def test_a_new_name_that_the_items_of_it_have_is_marked() -> None:
    code = "def show(value):\n    return [str(item) for item in value]\n"
    assert "item is the name of an item of it, too" in marks(
        code, "rename value to item in show", "rename", symbol="value", new="item", function="show"
    )


def test_the_zeros_of_what_is_not_counted_stay() -> None:
    code = """def sizes(rows, kinds):
    out = {}
    for row in rows:
        if row.kind in out:
            out[row.kind] += 1
        else:
            out[row.kind] = 1
    for kind in kinds:
        if kind not in out:
            out[kind] = 0
    return out
"""
    first, last = code.index("        if row"), code.index("    for kind")
    wanted = f"{code[:first]}        out[row.kind] += 1\n{code[last:]}"
    for text, made, intent in (
        ("a Counter", "Counter()", "counter"),
        ("defaultdict", "defaultdict(int)", "defaultdict"),
    ):
        after = changed(code, f"use {text} in sizes", f"pattern.{intent}", function="sizes")
        assert after.endswith(wanted.replace("{}", made))


def test_a_dictionary_that_a_named_function_does_not_use_stays() -> None:
    code = """class Log:
    def __init__(self):
        self.sizes = {}

    def note(self, key):
        self.sizes[key] = self.sizes.get(key, 0) + 1

    def show(self):
        return list(self.sizes)

    def close(self):
        return True
"""
    text, intent = "use defaultdict in {}", "pattern.defaultdict"
    assert not marks(code, text.format("note"), intent, function="note")
    assert not answer_to(code, text.format("close"), intent, function="close").ways


@pytest.mark.parametrize(
    ("owner", "test", "marked"),
    [
        ("None", "t.owner == owner", True),
        ("None", "t.owner and t.owner == owner", False),
        ('"ann"', "t.owner == owner", False),
    ],
)
def test_an_attribute_that_may_be_none_is_lowered_only_with_a_mark(
    owner: str, test: str, marked: bool
) -> None:
    code = f"""class Task:
    def __init__(self, owner={owner}):
        self.owner = owner


def of(tasks, owner):
    return [t for t in tasks if {test}]
"""
    found = marks(code, "of should ignore case", "ignore_case", function="of")
    assert ("t.owner was assumed not to be None" in found) == marked
