"""Methods that a class does not have, shown with what they return."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed

CODE = "class Shelf:\n    def __init__(self, items):\n        self.items = items\n"


def test_a_special_method_is_added_as_it_is_shown() -> None:
    text = "Shelf: add __contains__(self, key) -> key in self.items"
    made = changed(CODE, text, "add_special_method", **{"class": "Shelf", "method": "__contains__"})
    assert made == f"{CODE}\n    def __contains__(self, key):\n        return key in self.items\n"


def test_what_a_method_that_is_missing_returns_adds_it() -> None:
    text = 'Shelf.__repr__ -> f"Shelf({self.items!r})"'
    slots = {"function": "Shelf.__repr__", "result": 'f"Shelf({self.items!r})"'}
    made = changed(CODE, text, "set_return", **slots)
    assert made == f'{CODE}\n    def __repr__(self):\n        return f"Shelf({{self.items!r}})"\n'


def test_a_type_behind_the_arrow_is_no_result() -> None:
    text = "Shelf.first -> int"
    assert not answer_to(CODE, text, "set_return", function="Shelf.first", result="int").ways


def test_a_method_that_is_there_is_not_added_again() -> None:
    code = f"{CODE}\n    def size(self):\n        return 0\n"
    slots = {"function": "Shelf.size", "result": "len(self.items)"}
    made = changed(code, "Shelf.size -> len(self.items)", "set_return", **slots)
    assert made == code.replace("return 0", "return len(self.items)")


@pytest.mark.parametrize(
    ("text", "intent", "slots"),
    [
        ("`__bool__` always True", "set_return", {"function": "__bool__", "result": "True"}),
        ("add a __bool__ that is always True", "add_special_method", {"method": "__bool__"}),
    ],
)
def test_a_told_result_is_what_a_new_method_returns(text: str, intent: str, slots: dict[str, str]) -> None:
    made = changed(CODE, text, intent, **slots)
    assert made == f"{CODE}\n    def __bool__(self):\n        return True\n"


def test_a_method_that_does_nothing_has_no_result() -> None:
    text = "Shelf: add a method close that does nothing"
    made = changed(CODE, text, "add_method", **{"class": "Shelf", "name": "close", "result": "nothing"})
    assert made == f"{CODE}\n    def close(self):\n        pass\n"
