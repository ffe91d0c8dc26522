"""Slices whose end is 0."""

from __future__ import annotations

import pytest
from codemods.repositories import reasons

CODE = """def cut(rows, skip=0, most=5, size=0):
    size = size + 1
    print(rows)
    return rows
"""


def found(new: str) -> list[str]:
    return reasons("empty slices", {"m.py": CODE}, {"m.py": CODE.replace("return rows", new)})


@pytest.mark.parametrize(
    ("new", "reason"),
    [
        ("return rows[:0]", "rows[:0] is always empty"),
        ("return rows[2:0]", "rows[2:0] is always empty"),
        ("return rows[:-skip]", "rows[:-skip] is empty where skip is 0, as by default"),
    ],
)
def test_a_slice_that_ends_at_0_is_named(new: str, reason: str) -> None:
    assert found(new) == [reason]


@pytest.mark.parametrize(
    "new",
    [
        "rows[:0] = [1]",
        "return rows[::0]",
        "return rows[:-most]",
        "return rows[:-size]",
        "return rows[:-skip] if skip else rows",
        "return rows[skip:]",
        "return rows[5:0:-1]",
    ],
)
def test_other_slices_are_not(new: str) -> None:
    assert found(new) == []


def test_what_stood_there_before_is_not_named() -> None:
    code = CODE.replace("return rows", "return rows[:-skip]")
    assert reasons("empty slices", {"m.py": code}, {"m.py": code.replace("print(rows)", "print(skip)")}) == []
