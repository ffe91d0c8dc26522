"""Where hunks stand once the text below them has changed."""

from hypothesis import given
from hypothesis import strategies as st

from spark_tui.edits.diff import diff
from spark_tui.edits.hunk import Hunk, apply_to_lines
from spark_tui.edits.merge import merge_lines
from spark_tui.edits.rebase import Rebase

BASE = ["one", "two", "three", "four", "five"]
LINES = st.lists(st.sampled_from(["a", "b", "c", "", "x"]), max_size=12)


def test_a_hunk_below_a_change_moves_with_it():
    assert Rebase(BASE, ["zero", *BASE]).place(2, 1) == (3, False)
    assert Rebase(BASE, BASE[1:]).place(3, 1) == (2, False)


def test_a_hunk_above_a_change_stays():
    assert Rebase(BASE, [*BASE[:4], "5"]).place(1, 1) == (1, False)


def test_what_clashes_with_a_change_has_no_place():
    typed = ["one", "2", "two and a half", "three", "four", "five"]
    carry = Rebase(BASE, typed)
    assert [carry.place(start, 1) for start in range(4)] == [(0, False), (1, True), (3, False), (4, False)]
    assert [carry.place(start, 0)[1] for start in range(5)] == [False, True, True, False, False]
    inserted = Rebase(BASE, ["one", "mine", *BASE[1:]])
    assert [inserted.place(start, 1)[1] for start in range(3)] == [True, True, False]


def test_a_line_is_found_back_in_the_text_before():
    carry = Rebase(BASE, ["zero", "one", "two", "4", "five"])
    assert [carry.back(line) for line in range(5)] == [0, 0, 1, 2, 4]


@given(LINES, LINES, st.data())
def test_a_hunk_that_has_a_place_does_there_what_it_would_have_done_before(before, after, data):
    start = data.draw(st.integers(0, len(before)))
    count = data.draw(st.integers(0, len(before) - start))
    new = tuple(data.draw(st.lists(st.sampled_from(["n", "m"]), max_size=3)))
    carry = Rebase(before, after)
    place, touched = carry.place(start, count)
    if touched:
        return
    here = Hunk(1, "f", place + 1, tuple(after[place : place + count]), new)
    assert here.old_lines == tuple(before[start : start + count])
    edited = [*before[:start], *new, *before[start + count :]]
    if list(new) != before[start : start + count] and len(diff(before, edited)) == 1:
        (block,) = diff(before, edited)
        if block[:2] == (start, start + count):
            assert merge_lines(before, after, edited) is not None, "a write merges it"
    # The change made after the hunk is the same text as the hunk made after the change.
    own = [
        Hunk(2 + at, "f", a0 + 1, tuple(before[a0:a1]), tuple(after[b0:b1]))
        for at, (a0, a1, b0, b1) in enumerate(carry.blocks)
    ]
    hunk = Hunk(1, "f", start + 1, tuple(before[start : start + count]), new)
    assert apply_to_lines(after, [here]) == apply_to_lines(before, [*own, hunk])


@given(LINES, LINES, LINES)
def test_lines_merge_as_their_bytes_do(base, ours, theirs):
    merged = merge_lines(base, ours, theirs)
    if ours == base:
        assert merged == tuple(theirs)
    if theirs == base:
        assert merged == tuple(ours)
    swapped = merge_lines(base, theirs, ours)
    assert (merged is None) == (swapped is None)
    assert merged == swapped
