"""A rename of a name with a number, or in a branch, is about one of the places that set it."""

from __future__ import annotations

import re

import pytest
from intent.asking import answer_to, changed
from intent.support import PATH, result

CODE = "def f(a):\n    x = len(a)\n    print(x)\n    x = sum(a)\n    return x\n"
LOOPS = "def f(a):\n    for x in a:\n        print(x)\n    for x in a[1:]:\n        print(x, x)\n"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("rename the second x to y in f", [4, 5]),
        ("rename the last variable x to y in f", [4, 5]),
        ("rename the first x to y in f", [2, 3]),
    ],
)
def test_only_what_one_place_sets_is_renamed(text: str, lines: list[int]) -> None:
    rows = CODE.splitlines(keepends=True)
    wanted = "".join(row.replace("x", "y") if at in lines else row for at, row in enumerate(rows, 1))
    assert changed(CODE, text, "rename", symbol="x", new="y", function="f") == wanted


def test_a_loop_is_such_a_place() -> None:
    text = "rename x to y in the second loop of f"
    assert changed(LOOPS, text, "rename", symbol="x", new="y", function="f").count("y") == 3


@pytest.mark.parametrize("number", ["second", "third"])
def test_where_that_cannot_be_told_apart_all_of_it_is_renamed_with_a_mark(number: str) -> None:
    code = "def f(a):\n    x = 1\n    if a:\n        x = 2\n    return x\n"
    found = answer_to(code, f"rename the {number} x to y in f", "rename", symbol="x", new="y", function="f")
    assert result(found, {PATH: code}) == code.replace("x", "y")
    assert any("all of x is renamed" in mark for mark in found.ways[0].marked)


def test_a_parameter_with_a_number_is_renamed_as_such() -> None:
    found = answer_to(
        "def f(a, b):\n    return a + b\n",
        "rename the second parameter of f to c",
        "rename",
        symbol="second parameter",
        function="f",
        new="c",
    )
    assert str(found.ways[0].calls[0]).startswith("Rename(") and not any(
        "all of" in mark for mark in found.ways[0].marked
    )


THREE = (
    "def f(a):\n    x = len(a)\n    print(x)\n    x = sum(a)\n    print(x)\n"
    "    x = max(a)\n    return x\n\n\n"
    "def g(second, value):\n    return second + value\n"
)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("rename the first two x to y in f", [2, 3, 4, 5]),
        ("rename the last two x to y in f", [4, 5, 6, 7]),
        ("rename the second and third x to y in f", [4, 5, 6, 7]),
        ("rename all but the last x to y in f", [2, 3, 4, 5]),
        ("rename all x but the last to y in f", [2, 3, 4, 5]),
        ("rename all `x` except the first two to y in f", [6, 7]),
        ("rename the first and third x to y in f", [2, 3, 4, 5, 6, 7]),
    ],
)
def test_what_some_places_set_is_renamed_together(text: str, lines: list[int]) -> None:
    rows = THREE.splitlines(keepends=True)
    wanted = "".join(re.sub(r"\bx\b", "y", row) if at in lines else row for at, row in enumerate(rows, 1))
    assert changed(THREE, text, "rename", symbol="x", new="y", function="f") == wanted


def test_a_number_that_is_a_name_elsewhere_is_a_number() -> None:
    text = "rename the second x to y in f"
    for read in ("second x", "second"):
        after = changed(THREE, text, "rename", symbol=read, new="y", function="f")
        assert "y = sum(a)\n    print(y)\n    x = max(a)" in after and "def g(second, value)" in after
