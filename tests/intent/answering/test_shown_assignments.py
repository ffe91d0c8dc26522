"""An assignment that is shown with its function gets the value that is shown."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed

CODE = "def f(x):\n    size = x + 1\n    return size\n\n\ndef g(x):\n    size = x\n    return size\n"


@pytest.mark.parametrize("text", ["size = x * 2 in f", "`size = x * 2` in f()", "size = x * 2 in `f`."])
def test_the_one_assignment_of_that_name_is_set(text: str) -> None:
    assert changed(CODE, text, "write", function="f") == CODE.replace("x + 1", "x * 2")
    assert answer_to(CODE, text, "write", function="f").ways[0].marked == ()


@pytest.mark.parametrize(
    ("code", "text"),
    [
        (CODE.replace("    return size", "    size = 2\n    return size", 1), "size = x * 2 in f"),
        (CODE.replace("size = x + 1", "size, x = x"), "size = x * 2 in f"),
        (CODE, "other = x * 2 in f"),
        (CODE, "size == x * 2 in f"),
        (CODE, "put size = x * 2 in f"),
    ],
)
def test_what_is_no_plain_assignment_there_is_left_to_the_reader(code: str, text: str) -> None:
    assert answer_to(code, text, "write", function="f").kind == "write"
