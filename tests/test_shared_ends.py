from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spark_tui.shared_ends import same_at_end, same_at_start, same_ends

_TEXTS = st.text("ab\n", max_size=9)


@given(_TEXTS, _TEXTS, st.sampled_from((str, list, tuple)), st.sampled_from((list, tuple)))
def test_what_is_the_same_at_both_ends_is_all_that_is(text, other, kind, other_kind):
    one, two = kind(text), str(other) if kind is str else other_kind(other)
    start, end = same_ends(one, two)
    assert text[:start] == other[:start]
    assert start in (len(one), len(two)) or one[start] != two[start]
    least = min(len(one), len(two))
    assert text[len(text) - end :] == other[len(other) - end :]
    assert start + end == least or one[-1 - end] != two[-1 - end]


@pytest.mark.parametrize(
    "one, two, start, end",
    [("abcabc", "abc", 3, 3), ("", "a", 0, 0), ("xaby", "xcby", 1, 2), ((1, 2), [1, 2], 2, 2)],
)
def test_each_end_alone_may_be_all_of_a_sequence(one, two, start, end):
    assert (same_at_start(one, two), same_at_end(one, two)) == (start, end)
