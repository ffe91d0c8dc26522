"""Faults told by their effect are mended where they are, and only there."""

from __future__ import annotations

from support.edit_kinds import cases, value_of

LIMIT = """def over(count, limit):
    if count > limit:
        return "kick"
    return "warn"
"""
REFUSES = """def check(count, limit):
    if count > limit:
        raise ValueError("too many")
    return count
"""
KEY = """def title(form):
    name = form["title"]
    return name
"""
MEAN = """def mean(values):
    return sum(values) / len(values)
"""
ENDLESS = """def rounds(limit):
    tries = 0
    while tries < limit:
        print(tries)
        tries += 1
    return tries
"""
NUMBERED = """def numbered(names):
    return [(number, name) for number, name in enumerate(names)]
"""


def test_the_limit_itself_counts_and_all_else_stays() -> None:
    for case in cases("boundary", LIMIT):
        assert [value_of(case.before, f"over({n}, 3)") for n in (2, 3, 4)] == ["warn", "warn", "kick"]
        assert [value_of(case.after, f"over({n}, 3)") for n in (2, 3, 4)] == ["warn", "kick", "kick"]


def test_where_a_branch_refuses_the_words_say_so() -> None:
    for case in cases("boundary", REFUSES):
        assert "count >= limit" in case.after


def test_the_sign_does_not_matter_where_both_directions_count() -> None:
    for case in cases("both_directions", LIMIT):
        assert value_of(case.after, "over(-9, 3)") == "kick"


def test_a_missing_key_no_longer_raises() -> None:
    for case in cases("missing_key", KEY):
        assert value_of(case.after, "title({'title': 'x'})") == "x"
        value_of(case.after, "title({})")


def test_nothing_is_divided_by_zero() -> None:
    for case in cases("division_by_zero", MEAN):
        assert value_of(case.after, "mean([])") in (0, None, 1)
        assert value_of(case.after, "mean([1, 3])") == 2


def test_a_loop_ends_again_and_numbers_begin_with_one() -> None:
    for case in cases("endless_loop", ENDLESS):
        assert case.after == ENDLESS
    for case in cases("first_and_last", NUMBERED):
        assert value_of(case.after, "numbered(['a'])") == [(1, "a")]
