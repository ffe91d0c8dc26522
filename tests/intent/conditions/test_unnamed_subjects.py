"""Conditions that leave to the code what they test, and statements that are told by what the code has."""

from __future__ import annotations

import pytest
from intent.asking import changed

SHED = """\
import sys

MAX_TOOLS = 40
COLORS = ("red", "blue")


class Shed:
    def __init__(self, room=8):
        self.tools = []
        self.room = room
        self.spare_slots = room

    def put(self, tool):
        self.tools.append(tool)
        return tool

    def get(self, number):
        for tool in self.tools:
            if tool.number == number:
                return tool
        return None

    def lend(self, number, person):
        tool = self.get(number)
        tool.person = person

    def sharpen(self, tool):
        tool.sharp = True


def label(tool, color):
    return tool + color


def pair(lefts, rights):
    return [one + two for one, two in zip(lefts, rights)]


def scale(percent):
    return percent / 100


def first_of(path, names):
    with open(path, "w") as out:
        out.write(names[0])


def open_all(source):
    for name in source:
        found = lookup(name, source)
        print(found.size)


def lookup(name, source):
    return source.get(name)


if __name__ == "__main__":
    print(sys.argv[1])
"""


@pytest.mark.parametrize(
    ("text", "function", "condition", "guard"),
    [
        (
            "label raises ValueError unless it is one of COLORS",
            "label",
            "unless it is one of COLORS",
            "if color not in COLORS:",
        ),
        (
            "pair raises ValueError for lists of different length",
            "pair",
            "lists of different length",
            "if len(lefts) != len(rights):",
        ),
        (
            "sharpen raises ValueError for a tool that is already sharp",
            "sharpen",
            "a tool that is already sharp",
            "if tool.sharp:",
        ),
        (
            "label raises ValueError if tool or color is None",
            "label",
            "tool or color is None",
            "if tool is None or color is None:",
        ),
    ],
)
def test_a_condition_is_about_what_the_code_has(text: str, function: str, condition: str, guard: str) -> None:
    new = changed(SHED, text, "guard_raise", function=function, condition=condition, exception="ValueError")
    assert f"{guard}\n" in new


def test_an_error_that_is_pasted_is_condition_enough() -> None:
    text = "lend gave AttributeError: 'NoneType' object has no attribute 'person', raise KeyError there"
    new = changed(SHED, text, "guard_raise", function="lend", exception="KeyError")
    assert "        tool = self.get(number)\n        if tool is None:\n            raise KeyError(" in new


def test_a_guard_comes_before_a_file_is_opened() -> None:
    text = "first_of: return when the list is empty"
    new = changed(SHED, text, "guard_return", function="first_of", condition="the list is empty")
    assert "def first_of(path, names):\n    if not names:\n        return\n    with open(" in new


def test_what_a_function_gave_is_its_variable() -> None:
    text = "in open_all skip it if lookup returned None"
    new = changed(SHED, text, "skip_in_loop", function="open_all", condition="lookup returned None")
    assert "        if found is None:\n            continue\n        print" in new


def test_what_is_said_of_a_function_is_said_of_its_only_parameter() -> None:
    code = "def pay(amount):\n    print(amount)\n"
    words = {"function": "pay", "condition": "must be positive", "exception": "ValueError"}
    done = changed(code, "pay must be positive, raise ValueError otherwise", "guard_raise", **words)
    assert "    if amount <= 0:\n" in done
