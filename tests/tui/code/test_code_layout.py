from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from spark_tui.edits.hunk import Hunk
from spark_tui.tui.code.code_layout import CodeLayout
from spark_tui.tui.code.hunk_view import HunkView
from spark_tui.tui.code.unsaved_edits import made

LINES = [f"line {n}" for n in range(1, 21)]


def closed(id: int, start: int, old: int, new: list[str], state: str = "closed") -> HunkView:
    lines = tuple(LINES[start - 1 : start - 1 + old])
    source = Hunk(id, "f", start, lines, tuple(new))
    return HunkView(source, old, state=state, new=new)  # type: ignore[arg-type]


def texts(layout: CodeLayout, hunks: list[HunkView]) -> list[str]:
    by_id = {hunk.id: hunk for hunk in hunks}
    out = []
    for y in range(layout.height):
        row = layout.row(y)
        if row.kind == "new":
            hunk = by_id[row.hunk]
            out.append("+" + [*hunk.new, hunk.tail][row.index])
        elif row.kind in ("same", "old"):
            out.append(("-" if row.kind == "old" else " ") + layout.lines[row.old])
        else:
            out.append(row.kind)
    return out


def test_an_open_hunk_shows_both_sides_in_place() -> None:
    hunks = [closed(1, 3, 1, ["three", "and a half"])]
    assert texts(CodeLayout(LINES[:4], hunks), hunks) == [
        " line 1",
        " line 2",
        "-line 3",
        "+three",
        "+and a half",
        " line 4",
    ]


def test_numbers_are_those_that_the_lines_will_have() -> None:
    layout = CodeLayout(LINES[:4], [closed(1, 2, 1, ["a", "b", "c"])])
    assert [layout.row(y).number for y in range(layout.height)] == [1, 2, 2, 3, 4, 5, 6]


def test_a_rejected_hunk_moves_no_number_and_shows_the_old_lines() -> None:
    hunks = [closed(1, 2, 1, ["a", "b"], "rejected")]
    layout = CodeLayout(LINES[:3], hunks)
    assert texts(layout, hunks) == [" line 1", "-line 2", " line 3"]
    assert layout.row(2).number == 3


def test_a_hunk_that_stands_over_lines_of_a_rejected_one_takes_their_place() -> None:
    hunks = [closed(1, 2, 3, ["a", "b"], "rejected"), closed(2, 2, 3, ["c"])]
    layout = CodeLayout(LINES[:5], hunks)
    assert texts(layout, hunks) == [" line 1", "gone", "-line 2", "-line 3", "-line 4", "+c", " line 5"]
    assert layout.row_of_line(2) == 3
    assert texts(CodeLayout(LINES[:5], hunks, split=True), hunks) == [
        " line 1",
        "gone",
        "pair",
        "pair",
        "pair",
        " line 5",
    ]


def test_a_line_that_stays_has_the_number_that_it_will_have() -> None:
    layout = CodeLayout(
        LINES[:3], [closed(1, 1, 0, ["a", "b"], "accepted"), closed(2, 2, 1, ["c"], "rejected")]
    )
    assert [layout.row(y).number for y in range(layout.height)] == [1, 2, 3, 4, 5]


def test_an_accepted_hunk_shows_its_outcome_only_until_it_is_expanded() -> None:
    hunks = [closed(1, 2, 1, ["two"], "accepted")]
    assert texts(CodeLayout(LINES[:3], hunks), hunks) == [" line 1", "+two", " line 3"]
    assert "-line 2" in texts(CodeLayout(LINES[:3], hunks, expanded=frozenset({1})), hunks)


def test_an_accepted_removal_leaves_a_row_that_says_so() -> None:
    hunks = [closed(1, 2, 2, [], "accepted")]
    assert texts(CodeLayout(LINES[:4], hunks), hunks) == [" line 1", "gone", " line 4"]


def test_lines_that_it_repeated_stay_no_change_once_it_is_stopped() -> None:
    """Esc changes nothing of what is seen, except for what was not written yet."""
    hunks = [closed(1, 2, 1, ["line 2", "and mo"], "partial")]
    layout = CodeLayout(LINES[:3], hunks)
    assert texts(layout, hunks) == [" line 1", " line 2", "+and mo", " line 3"]
    assert layout.span(1) == (2, 3)
    assert hunks[0].size == (1, 0)


def test_a_stopped_hunk_that_only_repeats_has_its_row() -> None:
    layout = CodeLayout(LINES[:3], [closed(1, 2, 1, ["line 2"], "partial")])
    assert layout.span(1) == (1, 3)


def test_lines_that_the_stream_repeats_are_no_change() -> None:
    hunk = HunkView(Hunk(1, "f", 2, (), ()), 3)
    hunk.feed("line 2\nli")
    assert texts(CodeLayout(LINES[:5], [hunk]), [hunk]) == [f" line {n}" for n in range(1, 6)]
    hunk.feed("ke\n")
    assert texts(CodeLayout(LINES[:5], [hunk]), [hunk]) == [
        " line 1",
        " line 2",
        "-line 3",
        "-line 4",
        "+like",
        " line 5",
    ]


def test_split_puts_both_sides_on_one_row() -> None:
    layout = CodeLayout(LINES[:4], [closed(1, 2, 2, ["x"])], split=True)
    rows = [layout.row(y) for y in range(layout.height)]
    assert [(row.kind, row.old, row.index) for row in rows[1:3]] == [("pair", 1, 0), ("pair", 2, -1)]


def test_folding_keeps_some_lines_around_each_hunk() -> None:
    hunks = [closed(1, 10, 1, ["ten"])]
    layout = CodeLayout(LINES, hunks, folded=True)
    assert texts(layout, hunks) == [
        "fold",
        " line 7",
        " line 8",
        " line 9",
        "-line 10",
        "+ten",
        " line 11",
        " line 12",
        " line 13",
        "fold",
    ]
    assert layout.row_of_line(0) == 0
    assert layout.row_of_line(19) == 9


def test_a_failed_hunk_is_a_sentence_at_its_place() -> None:
    hunks = [closed(1, 2, 0, [], "failed")]
    assert texts(CodeLayout(LINES[:2], hunks), hunks) == [" line 1", "failed", " line 2"]


def test_a_new_file_has_only_new_lines() -> None:
    hunk = HunkView(Hunk(1, "new.py", 1, (), (), "add"), new=["a", "b"])
    assert texts(CodeLayout((), [hunk]), [hunk]) == ["+a", "+b"]


@st.composite
def hunks_in(draw: st.DrawFn) -> list[HunkView]:
    out: list[HunkView] = []
    at = 1
    for id in range(1, draw(st.integers(1, 4)) + 1):
        start = draw(st.integers(at, 19))
        old = draw(st.integers(0, min(3, 20 - start)))
        state = draw(st.sampled_from(["closed", "accepted", "rejected", "streaming", "partial"]))
        new = draw(st.lists(st.sampled_from(["a", "b", "line 3"]), max_size=4))
        out.append(closed(id, start, old, new, state))
        at = start + old
        if at > 18:
            break
    return out


@given(hunks_in(), st.booleans(), st.booleans())
def test_no_line_of_the_file_is_lost_or_shown_twice(hunks: list[HunkView], split: bool, folded: bool) -> None:
    layout = CodeLayout(LINES, hunks, split=split, folded=folded, expanded=frozenset(h.id for h in hunks))
    shown = [row.old for row in map(layout.row, range(layout.height)) if row.kind in ("same", "old", "pair")]
    hidden = [
        n
        for row in map(layout.row, range(layout.height))
        if row.kind == "fold"
        for n in range(row.old, row.old + row.folded)
    ]
    assert sorted([n for n in shown if n >= 0] + hidden) == list(range(20))


@given(hunks_in())
def test_taking_everything_shows_the_new_file_with_its_numbers(hunks: list[HunkView]) -> None:
    hunks = [closed(h.id, h.start, h.removed, h.new, "accepted") for h in hunks]
    layout = CodeLayout(LINES, hunks)
    rows = [layout.row(y) for y in range(layout.height)]
    numbers = [row.number for row in rows if row.kind in ("same", "new")]
    assert numbers == list(range(1, len(numbers) + 1))


@st.composite
def refused_in(draw: st.DrawFn) -> list[HunkView]:
    """Of earlier answers: anywhere, over each other and over what stands."""
    out: list[HunkView] = []
    for _ in range(draw(st.integers(0, 3))):
        start = draw(st.integers(1, 20))
        old = draw(st.integers(0, 21 - start))
        state = draw(st.sampled_from(["rejected", "dropped", "undone"]))
        out.append(closed(draw(st.sampled_from([0, 100])) + len(out) + 10, start, old, ["no"], state))
    return out


@given(hunks_in(), refused_in())
def test_with_everything_else_taken_the_rows_are_the_file_that_a_write_makes(
    standing: list[HunkView], refused: list[HunkView]
) -> None:
    standing = [closed(h.id + 50, h.start, h.removed, h.new, "accepted") for h in standing]
    layout = CodeLayout(LINES, [*standing, *refused])
    by_id = {hunk.id: hunk for hunk in standing}
    shown = [row for row in map(layout.row, range(layout.height)) if row.kind in ("same", "old", "new")]
    lines = [by_id[row.hunk].new[row.index] if row.kind == "new" else LINES[row.old] for row in shown]
    assert lines == list(made(LINES, standing))
    assert [row.number for row in shown] == list(range(1, len(shown) + 1))


@given(hunks_in(), st.integers(0, 25))
def test_a_row_is_found_again_in_the_same_layout(hunks: list[HunkView], y: int) -> None:
    layout = CodeLayout(LINES, hunks)
    row = layout.row(y)
    if row.kind != "end":
        assert layout.find(row) == y
