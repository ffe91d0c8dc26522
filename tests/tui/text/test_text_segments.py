from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.style import Style

from spark_tui.tui.text.safe_text import visible
from spark_tui.tui.text.segments import bar, code_line, joined

PLAIN, RED, BLUE = Style(color="white"), Style(color="red"), Style(bgcolor="blue")
TEXT = st.text(alphabet=st.sampled_from("ab \t漢é\u0301\x1b\u202e"), max_size=40)


def cells(text: str, x: int, width: int) -> str:
    """The window, worked out the slow way: one cell at a time."""
    grid: list[str] = []
    for char in visible(text):
        size = cell_len(char)
        if size == 0:
            if grid:
                grid[-1] += char
        else:
            grid += [char] + [""] * (size - 1)
    shown = grid[x : x + width]
    if shown and shown[0] == "":
        shown[0] = " "
    out = "".join(shown)
    if shown and cell_len(out) > width:
        out = out[:-1] + " "
    return out


@given(TEXT.filter(lambda text: "\u0301" not in text), st.integers(0, 30), st.integers(0, 20))
def test_the_window_of_a_line_is_that_of_its_cells(text: str, x: int, width: int) -> None:
    shown = "".join(segment.text for segment in code_line(text, PLAIN, [], x, width))
    assert shown.rstrip() == cells(text, x, width).rstrip()


@given(
    TEXT,
    st.integers(0, 30),
    st.integers(0, 20),
    st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), max_size=4),
)
def test_a_line_is_always_as_wide_as_asked(
    text: str, x: int, width: int, ranges: list[tuple[int, int]]
) -> None:
    layer = [(a, b, RED) for a, b in ranges]
    assert sum(cell_len(s.text) for s in code_line(text, PLAIN, [layer], x, width)) == width


def test_later_layers_go_over_earlier_ones() -> None:
    segments = code_line("abc", PLAIN, [[(0, 2, RED)], [(1, 3, BLUE)]], 0, 3)
    assert [(s.text, s.style) for s in segments] == [
        ("a", PLAIN + RED),
        ("b", PLAIN + RED + BLUE),
        ("c", PLAIN + BLUE),
    ]


def test_blanks_join_the_piece_before_them_on_the_same_ground_only() -> None:
    segments = code_line("a b", PLAIN, [[(0, 1, RED), (2, 3, RED)]], 0, 3)
    assert [s.text for s in segments] == ["a b"]
    assert [s.text for s in code_line("a b", PLAIN, [[(1, 2, BLUE)]], 0, 3)] == ["a", " ", "b"]


@given(TEXT, st.integers(0, 20))
def test_joining_changes_no_cell(text: str, width: int) -> None:
    segments = code_line(text, PLAIN, [[(0, 3, RED), (5, 9, BLUE)]], 0, width)
    assert "".join(s.text for s in joined(segments)) == "".join(s.text for s in segments)


@given(
    st.lists(st.text("abc", max_size=9), max_size=5),
    st.lists(st.text("xyz", max_size=9), max_size=5),
    st.integers(1, 30),
)
def test_a_bar_is_as_wide_as_the_screen_and_keeps_its_first_piece(
    left: list[str], right: list[str], width: int
) -> None:
    pieces = [(text, PLAIN) for text in left], [(text, PLAIN) for text in right]
    shown = "".join(s.text for s in bar(*pieces, width, PLAIN))
    assert len(shown) == width
    first = next((text for text in left if text), "")
    if len(first) <= width:
        assert shown.startswith(first)


@pytest.mark.parametrize(
    ("width", "shown"),
    [
        (60, " ✓ done  ? the text was made from the name"),
        (44, " ✓ done  ? the text was made from the name  "),
        (40, " ✓ done  ? the text was made from the n…"),
        (30, " ✓ done"),
    ],
)
def test_a_sentence_without_room_is_shortened_before_it_goes(width: int, shown: str) -> None:
    pieces = [(" ✓ done", PLAIN), ("  ? the text was made from the name", PLAIN)]
    text = "".join(segment.text for segment in bar(pieces, [("12 ms", PLAIN)], width, PLAIN))
    assert text.removesuffix("12 ms").rstrip() == shown.rstrip()
