"""What a guard returns where nobody says it, and guards whose opposite is asked already."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed


def given(code: str, words: str = "no items") -> tuple[str, tuple[str, ...]]:
    answer = answer_to(
        code, f"return early in move if {words}", "guard_return", function="move", condition=words
    )
    way = answer.ways[0]
    return str(way.calls), way.marked


@pytest.mark.parametrize(
    ("body", "action", "doubt"),
    [
        ("    for one in items:\n        print(one)\n", "return", ""),
        ("    for one in items:\n        if one:\n            return one\n", "return", ""),
        ("    if at:\n        return None\n    return at\n", "return None", ""),
        ("    return len(items) + at\n", "return", "assumed to return None"),
        ("    for one in items:\n        at += one\n    return at\n", "return at", "assumed to return at"),
    ],
)
def test_what_is_returned_that_nobody_said(body: str, action: str, doubt: str) -> None:
    calls, marks = given(f"def move(items, at):\n{body}")
    assert f"{action}'" in calls
    assert any(doubt in mark for mark in marks) if doubt else not marks


def test_a_parameter_is_meant_before_an_attribute_of_that_name() -> None:
    body = "    def __init__(self):\n        self.items = []\n\n"
    body += "    def move(self, items):\n        print(len(items))\n"
    assert "condition='not items'" in given(f"class Shop:\n{body}")[0]
    alone = body.replace("(self, items)", "(self)").replace("len(items)", "len(self.items)")
    assert "condition='not self.items'" in given(f"class Shop:\n{alone}")[0]


LOOP = "        for one in items:\n            at += one\n"


@pytest.mark.parametrize("end", ["    return at\n", ""])
def test_an_if_that_asks_for_the_opposite_is_turned_round(end: str) -> None:
    code = f"def move(items, at):\n    if items:\n{LOOP}{end}"
    guard = f"    if not items:\n    {end or '    return' + chr(10)}"
    text = "return early in move if items is empty"
    found = changed(code, text, "guard_return", function="move", condition="items is empty")
    left = LOOP.replace("        for", "    for").replace("            at", "        at")
    assert found == f"def move(items, at):\n{guard}{left}{end}"
