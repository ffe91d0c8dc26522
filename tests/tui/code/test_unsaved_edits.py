"""Where the model's hunks stand in a text that somebody types into: moved or in conflict, never at a wrong
place."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from spark_tui.edits.hunk import Hunk, apply_to_lines
from spark_tui.edits.hunk import Hunk as EditHunk
from spark_tui.edits.merge import merge_lines
from spark_tui.tui.code.hunk_view import HunkView
from spark_tui.tui.code.unsaved_edits import UnsavedFile, diff_of, made

BASE = [f"line {number}" for number in range(1, 11)]
STEPS = st.lists(
    st.tuples(st.integers(0, 12), st.sampled_from(["x", "enter", "backspace", "delete", "end", "tab"])),
    max_size=12,
)


def hunk(start: int, old: int, *new: str, state: str = "closed", id: int = 1) -> HunkView:
    lines = tuple(BASE[start - 1 : start - 1 + old])
    source = Hunk(id, "f", start, lines, tuple(new))
    return HunkView(source, old, state=state, new=list(new))  # type: ignore[arg-type]


def draft_with(*hunks: HunkView) -> UnsavedFile:
    draft = UnsavedFile("f", made(BASE, [hunk_view for hunk_view in hunks if hunk_view.state == "written"]))
    draft.show(hunks, BASE)
    return draft


def test_a_hunk_below_what_is_typed_moves_and_one_above_stays() -> None:
    draft = draft_with(hunk(2, 1, "two"), hunk(8, 1, "eight", id=2))
    draft.buffer.go_to(4, 0)
    draft.buffer.insert("a\nb\n")
    assert [(item.start, item.state) for item in draft.hunks] == [(2, "closed"), (10, "closed")]
    assert [(mark.row, mark.end, mark.removed) for mark in draft.marks] == [(4, 6, 0)]
    assert [draft.back(row) for row in (3, 4, 6)] == [3, 4, 4]


def test_a_hunk_whose_lines_are_typed_in_is_in_conflict_and_strikes_nothing() -> None:
    draft = draft_with(hunk(5, 2, "new"))
    draft.buffer.go_to(4, 0)
    draft.buffer.insert("x")
    (one,) = draft.hunks
    assert (one.state, one.removed) == ("conflict", 0)
    draft.buffer.undo()
    assert [(o.start, o.state, o.removed) for o in draft.hunks] == [(5, "closed", 2)]
    assert not draft.dirty


def test_a_written_hunk_is_text_and_the_others_stand_after_it() -> None:
    draft = draft_with(hunk(2, 1, "two", "and a half", state="written"), hunk(8, 1, "eight", id=2))
    assert draft.lines[1:3] == ["two", "and a half"]
    assert [(item.id, item.start) for item in draft.hunks] == [(2, 9)]
    draft.buffer.go_to(0, 0)
    draft.buffer.insert("a\n")
    assert [(item.id, item.start, item.state) for item in draft.listed] == [
        (1, 3, "written"),
        (2, 10, "closed"),
    ]
    draft.buffer.go_to(2, 0)
    draft.buffer.insert("my ")
    assert draft.listed[0].state == "written"


def test_a_refused_hunk_is_no_conflict_whatever_is_typed() -> None:
    draft = draft_with(hunk(5, 1, "five", state="rejected"))
    draft.buffer.go_to(4, 0)
    draft.buffer.insert("x")
    assert [item.state for item in draft.hunks] == ["rejected"]


def test_what_is_typed_rests_on_what_the_disk_has_become() -> None:
    draft = UnsavedFile("f", BASE)
    draft.buffer.go_to(9, 3)
    draft.buffer.insert("!")
    known = tuple(draft.lines)
    disk = ["first", *BASE]
    draft.rest_on(disk, merge_lines(BASE, known, disk) or (), known)
    assert draft.lines == ["first", *BASE[:9], "lin!e 10"]
    assert (draft.buffer.row, draft.buffer.column) == (10, 4)
    assert [mark.row for mark in draft.marks] == [10]


def test_keys_between_asking_and_hearing_of_the_disk_are_kept() -> None:
    draft = UnsavedFile("f", BASE)
    known = tuple(draft.lines)
    draft.buffer.insert("x")
    draft.rest_on([*BASE, "last"], [*BASE, "last"], known)
    assert draft.lines == ["xline 1", *BASE[1:], "last"]


@given(st.integers(1, 10), st.integers(0, 3), st.lists(st.sampled_from(["p", "q"]), max_size=2), STEPS)
def test_a_hunk_that_has_a_place_says_there_what_a_write_would_merge(
    start: int, old: int, new: list[str], steps: list[tuple[int, str]]
) -> None:
    old = min(old, len(BASE) - start + 1)
    one = hunk(start, old, *new)
    if list(one.old) == new:
        return
    draft = draft_with(one)
    for row, key in steps:
        draft.buffer.go_to(row, 2)
        draft.buffer.press(key, key if len(key) == 1 else None)
    (shown,) = draft.hunks
    written = made(BASE, [one])
    merged = merge_lines(BASE, draft.lines, written)
    if shown.state == "conflict":
        return
    here = EditHunk(
        1, "f", shown.start, tuple(draft.lines[shown.start - 1 : shown.start - 1 + old]), tuple(new)
    )
    assert here.old_lines == one.old, "it stands on its own lines"
    if merged is not None:
        assert apply_to_lines(draft.lines, [here]) == list(merged)


def test_the_diff_of_what_is_typed_names_the_lines_of_the_disk() -> None:
    draft = UnsavedFile("a.py", [f"line {number}" for number in range(1, 31)])
    draft.buffer.take_over(["line 1", "mine", *draft.lines[1:19], *draft.lines[20:29], "LINE 30"], (0, 0))
    said = diff_of([draft])
    assert [line for line in said.splitlines() if line[:1] in "@+-" and line[:3] not in ("+++", "---")] == [
        "@@ -1,4 +1,5 @@",
        "+mine",
        "@@ -17,7 +18,6 @@",
        "-line 20",
        "@@ -27,4 +27,4 @@",
        "-line 30",
        "+LINE 30",
    ]
    assert diff_of([]) == ""
