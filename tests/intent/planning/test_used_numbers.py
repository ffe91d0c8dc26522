"""A number in an order that decides what is done is no word that the edit leaves out."""

from __future__ import annotations

import pytest
from intent.asking import answer_to
from intent.support import PATH, result

CODE = (
    "class A(Base, Log):\n    pass\n\n\n"
    "def show(a, b):\n    print(a)\n    print(b)\n    print(a, b)\n"
    "    # one\n    c = a\n    # two\n    return c\n"
)


@pytest.mark.parametrize(
    ("text", "intent", "slots", "gone"),
    [
        ("delete the second print in show", "delete_calls", {"call": "print"}, "    print(b)\n"),
        ("remove the second comment in show", "remove_comments", {}, "    # two\n"),
    ],
)
def test_one_that_chooses_the_place_is_used(text: str, intent: str, slots: dict[str, str], gone: str) -> None:
    found = answer_to(CODE, text, intent, function="show", **slots)
    assert result(found, {PATH: CODE}) == CODE.replace(gone, "")
    assert not any("not used" in mark for mark in found.ways[0].marked)


def test_one_that_chooses_a_base_is_used() -> None:
    found = answer_to(CODE, "remove the second base of A", "remove_base", **{"class": "A"})
    assert not any("not used" in mark for mark in found.ways[0].marked)


def test_one_that_changes_nothing_is_not() -> None:
    found = answer_to(CODE, "remove the second docstring of A", "remove_docstring", **{"class": "A"})
    assert not found.ways or any("not used: second" in mark for mark in found.ways[0].marked)


@pytest.mark.parametrize("text", ["remove all prints in show except the first and the last"])
def test_exceptions_are_counted_behind_a_place(text: str) -> None:
    found = answer_to(CODE, text, "delete_calls", call="prints", function="show")
    assert result(found, {PATH: CODE}) == CODE.replace("    print(b)\n", "")
    assert not any("not used" in mark for mark in found.ways[0].marked)
