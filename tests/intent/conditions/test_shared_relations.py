"""Guards of several names, of entries that are missing, and in front of what changes an object."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed

CODE = """class Stock:
    def __init__(self, width, height):
        self.width = width
        self.height = height
        self._left = {}
        self._prices = {}

    def take(self, sku, count):
        if sku not in self._left:
            raise KeyError(sku)
        self._left[sku] -= count
        return count * self._prices[sku]


def move(source, target, force):
    return source.send(target, force)


def is_bot(agent):
    agent = agent.lower()
    return "bot" in agent
"""


@pytest.mark.parametrize(
    ("condition", "test"),
    [
        ("width and height must be positive", "width <= 0 or height <= 0"),
        ("width and height must not be negative", "width < 0 or height < 0"),
        ("width and height can't be 0", "width == 0 or height == 0"),
        ("width or height is negative", "width < 0 or height < 0"),
        ("width and height are negative", "width < 0 and height < 0"),
    ],
)
def test_a_relation_that_is_said_once_is_of_all_names(condition: str, test: str) -> None:
    text = f"in __init__ raise ValueError if {condition}"
    slots = {"function": "__init__", "exception": "ValueError", "condition": condition}
    assert f"        if {test}:\n            raise ValueError" in changed(CODE, text, "guard_raise", **slots)


def test_a_flag_beside_a_relation_stays_a_flag() -> None:
    text = "return None in move if force and target is None"
    slots = {"result": "None", "function": "move", "condition": "force and target is None"}
    assert "    if force and target is None:\n" in changed(CODE, text, "guard_return", **slots)


def test_names_that_are_compared_with_each_other_are_compared_once() -> None:
    text = "move must return None when source and target are the same"
    slots = {"result": "None", "function": "move", "condition": "source and target are the same"}
    assert "    if source == target:\n" in changed(CODE, text, "guard_return", **slots)


def test_a_missing_entry_is_tested_before_anything_is_changed() -> None:
    slots = {"condition": "missing prices", "function": "take"}
    code = changed(CODE, "guard against missing prices in take", "guard_raise", **slots)
    lines = [line.strip() for line in code.splitlines()]
    assert lines.index("if sku not in self._prices:") < lines.index("self._left[sku] -= count")


def test_an_attribute_that_is_never_none_is_not_tested_for_it_without_a_mark() -> None:
    slots = {"exception": "ValueError", "function": "take", "condition": "_left is None"}
    text = "raise ValueError in take if _left is None"
    code = CODE.replace("self._left = {}", "self._left = []")
    assert "self._left is never None there" in " ".join(
        answer_to(code, text, "guard_raise", **slots).ways[0].marked
    )


def test_what_is_given_is_tested_for_none_before_it_is_used() -> None:
    slots = {"function": "is_bot", "result": "False", "condition": "None"}
    code = changed(CODE, "is_bot should return False for None", "guard_return", **slots)
    assert (
        "def is_bot(agent):\n    if agent is None:\n        return False\n    agent = agent.lower()" in code
    )
