"""What a loop or a dictionary begins with, where another form takes its place."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed
from intent.support import PATH, result


@pytest.mark.parametrize(
    ("start", "unset", "made", "marked"),
    [
        ("None", "best is None or ", "max(xs, default=None)", False),
        ("float('-inf')", "", "max(xs, default=float('-inf'))", False),
        ("xs[0]", "", "max(xs)", False),
        ("least", "best is None or ", "max(xs, default=least)", True),
        ("ys[0]", "", "max(xs, default=ys[0])", True),
    ],
)
def test_a_start_that_takes_part_in_the_comparison_is_marked(
    start: str, unset: str, made: str, marked: bool
) -> None:
    code = (
        f"def top(xs, ys, least):\n    best = {start}\n    for x in xs:\n"
        f"        if {unset}x > best:\n            best = x\n    return best\n"
    )
    found = answer_to(code, "use max in top", "pattern.extreme", function="top")
    assert f"    return {made}\n" in result(found, {PATH: code})
    assert bool([mark for mark in found.ways[0].marked if "count now" in mark]) is marked


@pytest.mark.parametrize(
    ("text", "intent", "made"),
    [
        ("use defaultdict for items", "pattern.defaultdict", "defaultdict(int, "),
        ("use Counter for items", "pattern.counter", "Counter("),
    ],
)
def test_what_a_dictionary_is_set_to_elsewhere_is_one_with_missing_keys_too(
    text: str, intent: str, made: str
) -> None:
    code = """class Stock:
    def __init__(self, given):
        self.items = dict(given)

    def add(self, name):
        self.items[name] = self.items.get(name, 0) + 1

    def clear(self):
        self.items = {}
"""
    assert f"self.items = {made}dict(given))\n" in changed(code, text, intent, variable="items")
    found = answer_to(code.replace("dict(given)", "given"), text, intent, variable="items")
    assert any("is set to given too" in mark for mark in found.ways[0].marked)


def test_of_no_items_it_is_another_error_where_that_one_is_handled() -> None:
    code = "def low(xs):\n    return sorted(xs)[0]\n"
    handled = (
        "\n\ndef first(xs):\n    try:\n        return low(xs)\n    except IndexError:\n        return 0\n"
    )
    for files, marked in ((code, False), (code + handled, True)):
        answer = answer_to(files, "use min in low", "pattern.extreme", function="low")
        assert (
            "of no items it raises ValueError now, not IndexError" in map(str, answer.ways[0].marked)
        ) == marked
