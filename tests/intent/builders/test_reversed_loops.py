"""Loops that go from the last to the first."""

from __future__ import annotations

import pytest
from intent.asking import changed

CODE = """def numbers(n):
    for i in range(n):
        yield i


def show(rows):
    values = numbers(3)
    for row in ROWS:
        print(row)
"""


@pytest.mark.parametrize(
    ("rows", "new"),
    [
        ("numbers(3)", "reversed(list(numbers(3)))"),
        ("values", "reversed(list(values))"),
        ("rows", "reversed(rows)"),
    ],
)
def test_what_can_be_gone_through_once_becomes_a_list_first(rows: str, new: str) -> None:
    code = CODE.replace("ROWS", rows)
    made = changed(code, "reverse the loop in show", "reverse_loop", function="show")
    assert made == code.replace(f"in {rows}", f"in {new}")
