"""Text in what the code pane shows: every place once, from top to bottom, in every view and through every
change."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from spark_tui.edits.hunk import Hunk
from spark_tui.tui.code.code_layout import CodeLayout, CodeRow
from spark_tui.tui.code.hunk_view import HunkView
from spark_tui.tui.code.text_search import SearchHit, SearchOrigin, TextSearch, pattern_of

LINES = ["total = 0", "for item in items:", "    total += item.total", "return total"]


def change(start: int, old: list[str], new: list[str], number: int = 1) -> HunkView:
    return HunkView(Hunk(number, "a.py", start, tuple(old), tuple(new)), len(old), state="closed", new=new)


def find_in(
    query: str, lines: list[str], hunks: list[HunkView] | None = None, *, split: bool = False
) -> TextSearch:
    layout = CodeLayout(lines, hunks or [], split=split)
    by_id = {hunk.id: hunk for hunk in hunks or []}
    find = TextSearch(SearchOrigin(CodeRow("end"), CodeRow("end"), 0, False))
    find.ask(query)
    find.look(layout, lambda new, line, hunk: by_id[hunk].new[line] if new else lines[line])
    return find


def places(find: TextSearch) -> list[SearchHit]:
    return [find.at(number) for number in range(find.total)]


def test_every_place_of_a_line_counts() -> None:
    assert [(hit.y, hit.start) for hit in places(find_in("total", LINES))] == [
        (0, 0),
        (2, 4),
        (2, 18),
        (3, 7),
    ]


def test_capitals_count_only_where_one_is_typed() -> None:
    lines = ["Cart", "cart", "CART"]
    assert find_in("cart", lines).total == 3
    assert [hit.y for hit in places(find_in("Cart", lines))] == [0]


def test_signs_are_text_and_no_pattern() -> None:
    assert [hit.start for hit in places(find_in("(.*", ["a(.*b", "aXXb"]))] == [1]
    assert pattern_of("") is None


def test_both_sides_of_a_hunk_are_looked_through_in_the_order_of_the_rows() -> None:
    hunk = change(3, [LINES[2]], ["    total += item.price", "    total += 1"])
    found = places(find_in("total", LINES, [hunk]))
    assert [(hit.y, hit.new, hit.start) for hit in found] == [
        (0, False, 0),
        (2, False, 4),
        (2, False, 18),
        (3, True, 4),
        (4, True, 4),
        (5, False, 7),
    ]


def test_side_by_side_the_places_go_from_row_to_row() -> None:
    hunk = change(1, [LINES[0], LINES[1]], ["total = 1", "for total in items:"])
    found = places(find_in("total", LINES, [hunk], split=True))
    assert [(hit.y, hit.new) for hit in found] == [
        (0, False),
        (0, True),
        (1, True),
        (2, False),
        (2, False),
        (3, False),
    ]


def test_going_on_goes_round_the_end_and_says_so() -> None:
    find = find_in("total", LINES)
    assert find.go(3) is not None and not find.round_the_end
    hit = find.go(4)
    assert hit is not None and hit.y == 0 and find.number == 0 and find.round_the_end
    hit = find.go(-1)
    assert hit is not None and hit.y == 3 and find.round_the_end


def test_nothing_to_go_to_is_none() -> None:
    find = find_in("nowhere", LINES)
    assert find.go(0) is None and find.hit is None and find.total == 0


def test_the_place_that_was_gone_to_stays_the_one_when_lines_come_above_it() -> None:
    find = find_in("item.total", LINES)
    find.go(0)
    hunk = change(1, [], ["# item.total", "# and more"])
    find.look(CodeLayout(LINES, [hunk]), lambda new, line, _: hunk.new[line] if new else LINES[line])
    assert find.hit is not None
    assert (find.hit.y, find.hit.line, find.hit.new) == (4, 2, False)
    assert (find.number, find.total) == (1, 2)


def test_a_place_that_is_gone_is_no_longer_the_one() -> None:
    find = find_in("total", LINES)
    find.go(3)
    find.look(CodeLayout(LINES[:2]), lambda _new, line, _hunk: LINES[line])
    assert (find.hit, find.total) == (None, 1)


def test_match_ticks_are_cells_of_the_height() -> None:
    lines = ["x" if n in (0, 50, 99) else "" for n in range(100)]
    assert list(find_in("x", lines).ticks(10, 100)) == [0, 5, 9]
    assert list(find_in("x", lines[:5]).ticks(10, 5)) == [0]


@given(st.lists(st.text("ab c", max_size=8), max_size=20), st.text("abc", min_size=1, max_size=3))
def test_the_places_are_those_of_each_line_from_top_to_bottom(lines: list[str], query: str) -> None:
    find = find_in(query, lines)
    wanted = [
        (y, *match.span())
        for y, line in enumerate(lines)
        for match in re.finditer(re.escape(query), line, re.IGNORECASE)
    ]
    assert [(hit.y, hit.start, hit.end) for hit in places(find)] == wanted
    for y in range(len(lines) + 1):
        assert find.from_row(y) == sum(row < y for row, *_ in wanted)
