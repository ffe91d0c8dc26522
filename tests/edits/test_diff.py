"""Laws of the line diff, against the textbook algorithm."""

import itertools

import pytest
from hypothesis import strategies as st
from support.property_tests import law

from spark_tui.edits.diff import diff


def longest_common(a, b):
    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, left in enumerate(a):
        for j, right in enumerate(b):
            table[i + 1][j + 1] = table[i][j] + 1 if left == right else max(table[i][j + 1], table[i + 1][j])
    return table[-1][-1]


def rebuilt(a, b):
    out, at, kept = [], 0, 0
    for a0, a1, b0, b1 in diff(a, b):
        kept += a0 - at
        out += [*a[at:a0], *b[b0:b1]]
        at = a1
    return out + a[at:], kept + len(a) - at


SHORT = st.lists(st.sampled_from("abcd"), max_size=14)


@law(a=SHORT, b=SHORT)
def test_blocks_turn_one_side_into_the_other_and_keep_a_longest_common_part(a, b):
    new, kept = rebuilt(a, b)
    assert new == b
    assert kept == longest_common(a, b)


@law(a=SHORT, b=SHORT)
def test_blocks_never_touch_and_never_start_or_end_with_equal_lines(a, b):
    found = diff(a, b)
    for before, after in itertools.pairwise(found):
        assert before[1] < after[0] and before[3] < after[2]
    for a0, a1, b0, b1 in found:
        assert a1 > a0 or b1 > b0


@pytest.mark.parametrize("size", [1000, 5000])
def test_a_rewritten_middle_of_a_long_file_leaves_the_rest_alone(size):
    old = [f"line {n}" for n in range(3 * size)]
    new = [*old[:size], *(f"other {n}" for n in range(size)), *old[2 * size :]]
    assert diff(old, new) == [(size, 2 * size, size, 2 * size)]


def test_many_edits_far_apart_are_found_between_lines_that_stand_once():
    old = [f"line {n}" for n in range(20_000)]
    new = list(old)
    for n in range(0, 20_000, 20):
        new[n] = "changed"
    assert diff(old, new) == [(n, n + 1, n, n + 1) for n in range(0, 20_000, 20)]
