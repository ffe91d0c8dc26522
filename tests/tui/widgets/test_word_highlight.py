from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from spark_tui.tui.widgets.row_text import word_ranges


def test_the_words_that_changed_are_found() -> None:
    old, new = word_ranges(("return len(lines) == 0",), ("return not lines",))
    assert ["return len(lines) == 0"[a:b] for a, b in old[0]] == ["len(", ") == 0"]
    assert ["return not lines"[a:b] for a, b in new[0]] == ["not "]


def test_a_line_without_a_partner_has_no_ranges() -> None:
    old, new = word_ranges(("a = 1",), ("zzz()", "a = 2"))
    assert list(new) == [1]
    assert list(old) == [0]


def test_a_change_far_to_the_right_of_a_long_line_is_found() -> None:
    head = "x" * 9_000
    old, new = word_ranges((head + "aaa end",), (head + "bbb end",))
    assert new[0] == ((9_000, 9_003),)
    assert old[0] == ((9_000, 9_003),)


@given(
    st.lists(st.text("ab =(", max_size=12), max_size=5), st.lists(st.text("ab =(", max_size=12), max_size=5)
)
def test_what_is_outside_the_ranges_is_the_same_on_both_sides(old: list[str], new: list[str]) -> None:
    left, right = word_ranges(tuple(old), tuple(new))

    def outside(text: str, ranges: tuple[tuple[int, int], ...]) -> str:
        return "".join(c for i, c in enumerate(text) if not any(a <= i < b for a, b in ranges))

    same_left = [outside(old[i], ranges) for i, ranges in sorted(left.items())]
    same_right = [outside(new[i], ranges) for i, ranges in sorted(right.items())]
    assert same_left == same_right
