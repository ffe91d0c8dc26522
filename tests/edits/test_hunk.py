"""Hunks: minimal, split, chosen by line, edited; lines that belong together."""

import itertools

from hypothesis import strategies as st
from support.edit_writers import PLAIN, changes
from support.property_tests import law

from spark_tui.edits.hunk import Hunk, apply_to_lines, edited, rows, select, trimmed
from spark_tui.edits.hunk_split import minimal, split, splits
from spark_tui.edits.line_pairs import similar_pairs
from spark_tui.events import HunkClosed


def ids():
    counter = itertools.count(100)
    return lambda: next(counter)


def whole(old, new, **more):
    return Hunk(1, "a.py", 1, tuple(old), tuple(new), **more)


def test_a_hunk_and_its_event_are_the_same():
    hunk = Hunk(3, "a.py", 2, ("x",), ("y", "z"), "edit", "", False, True, "100755")
    assert Hunk.of(hunk.closed()) == hunk
    assert isinstance(hunk.closed(), HunkClosed)
    assert hunk.old_end == 3


@law(change=changes(tuple(PLAIN)))
def test_minimal_hunks_make_the_same_change_and_keep_the_first_id(change):
    old, new = change
    parts = minimal(whole(old, new), ids())
    assert apply_to_lines(old, parts) == new
    if parts:
        assert parts[0].id == 1
    assert (parts == ()) == (old == new)


@law(change=changes(tuple(PLAIN)), data=st.data())
def test_split_parts_make_the_same_change_and_any_of_them_fits_alone(change, data):
    old, new = change
    pieces = minimal(whole(old, new), ids())
    parts = [part for piece in pieces for part in split(piece, ids())]
    assert (len(parts) > len(pieces)) is any(splits(one.old_lines, one.new_lines) for one in pieces)
    assert apply_to_lines(old, parts) == new
    for part in parts:
        assert tuple(old[part.old_start - 1 : part.old_end - 1]) == part.old_lines
    chosen = [part for part in parts if data.draw(st.booleans())]
    gone = sum(len(part.old_lines) for part in chosen)
    assert len(apply_to_lines(old, chosen)) == len(old) - gone + sum(len(part.new_lines) for part in chosen)


@law(change=changes(tuple(PLAIN)), data=st.data())
def test_chosen_rows_keep_all_others(change, data):
    old, new = change
    hunk = whole(old, new)
    shown = rows(hunk)
    assert [row.text for row in shown if row.sign != "+"] == old
    assert [row.text for row in shown if row.sign != "-"] == new
    chosen = data.draw(st.sets(st.sampled_from(range(len(shown))))) if shown else set()
    result = apply_to_lines(old, [select(hunk, chosen)])
    kept = [row.text for k, row in enumerate(shown) if row.sign == " " or (row.sign == "-") != (k in chosen)]
    assert sorted(result) == sorted(kept)
    every = range(len(shown))
    assert apply_to_lines(old, [select(hunk, every)]) == new
    assert apply_to_lines(old, [select(hunk, ())]) == old


def test_choosing_one_pair_of_a_block_changes_it_in_its_place():
    hunk = whole(["a", "b", "c"], ["A", "B", "C"])
    assert apply_to_lines(["a", "b", "c"], [select(hunk, {1, 4})]) == ["a", "B", "c"]


@law(change=changes(tuple(PLAIN)))
def test_trimming_changes_nothing_and_leaves_no_equal_ends(change):
    old, new = change
    hunk = trimmed(whole(old, new))
    assert apply_to_lines(old, [hunk]) == new
    if hunk.old_lines and hunk.new_lines:
        assert hunk.old_lines[0] != hunk.new_lines[0] and hunk.old_lines[-1] != hunk.new_lines[-1]


def test_an_edited_hunk_has_the_persons_text_and_is_complete():
    hunk = edited(whole(["a", "b"], ["x"], partial=True), ["a", "mine"])
    assert (hunk.old_start, hunk.old_lines, hunk.new_lines, hunk.partial) == (2, ("b",), ("mine",), False)


def test_a_final_newline_alone_is_a_change():
    hunk = whole(["a", "b"], ["a", "b"], final_newline=True)
    (part,) = minimal(hunk, ids())
    assert (part.old_start, part.old_lines, part.new_lines, part.final_newline) == (2, ("b",), ("b",), True)


def test_whole_file_hunks_are_not_divided():
    hunk = Hunk(1, "a.py", 1, ("a", "b"), (), "delete")
    assert minimal(hunk, ids()) == (hunk,) == split(hunk, ids())


def test_a_pure_insertion_is_split_at_its_paragraphs():
    parts = split(Hunk(1, "a.py", 4, (), ("a", "b", "", "c")), ids())
    assert [part.new_lines for part in parts] == [("a", "b", ""), ("c",)]
    assert {part.old_start for part in parts} == {4}


def test_lines_pair_up_with_what_they_came_from():
    hunk = whole(["alpha = one", "beta = two"], ["brand new", "alpha = one + 1", "beta = two + 2"])
    assert list(similar_pairs(hunk.old_lines, hunk.new_lines)) == [(0, 1), (1, 2)]
