"""What is sorted, or ends, as a message asks for is left as it is, and not turned."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed

AGES = "def f(people):\n    return sorted(people, key=lambda p: p.age{turned})\n"
DATES = "def f(posts):\n    return sorted(posts, key=lambda p: p.created{turned})\n"
DOWN = ", reverse=True"


@pytest.mark.parametrize(
    ("code", "text", "down"),
    [
        (AGES, "f: oldest first", True),
        (AGES, "f: youngest first", False),
        (DATES, "f: oldest first", False),
        (DATES, "f: youngest first", True),
    ],
)
def test_the_oldest_has_the_largest_age_and_the_smallest_date(code: str, text: str, down: bool) -> None:
    wanted, other = code.format(turned=DOWN if down else ""), code.format(turned="" if down else DOWN)
    order = text.removeprefix("f: ")
    assert changed(other, text, "sort_by", function="f", order=order) == wanted
    assert answer_to(wanted, text, "sort_by", function="f", order=order).kind == "nothing"


def test_what_is_to_come_first_is_not_turned_to_the_end() -> None:
    code = DATES.format(turned="")
    assert answer_to(code, "f: oldest first", "reverse_loop", function="f").kind == "nothing"
    text = "f has the oldest first, it should have the newest first"
    assert changed(code, text, "reverse_loop", function="f") == DATES.format(turned=DOWN)


@pytest.mark.parametrize(
    ("end", "intent", "text"),
    [
        ("n + 1", "include_boundary", "f should include n"),
        ("n + 1", "include_boundary", "off by one: f misses n"),
        ("n", "exclude_boundary", "f should not include n"),
        ("n - 1", "exclude_boundary", "f goes one too far, it has n"),
    ],
)
def test_a_range_that_ends_so_stays(end: str, intent: str, text: str) -> None:
    code = f"def f(n):\n    return list(range({end}))\n"
    assert answer_to(code, text, intent, function="f", variable="n").kind == "nothing"


def test_a_comparison_that_is_as_asked_stays_and_no_other_is_changed() -> None:
    code = "def f(x, top):\n    return x <= top\n\n\ndef g(x, top):\n    return x < top\n"
    text = "f should allow the top"
    assert answer_to(code, text, "include_boundary", function="f", variable="top").kind == "nothing"
    assert answer_to(code, "g should be strict", "exclude_boundary", function="g").kind == "nothing"


def test_what_ends_too_early_is_made_no_shorter() -> None:
    code = "def f(n):\n    for i in range(1, n + 1):\n        print(i)\n"
    assert not answer_to(code, "off by one: f misses n", "fix_error", function="f").ways
