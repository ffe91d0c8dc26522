"""A file may define tens of thousands of things: what is done for each must not grow with how many there
are."""

from types import SimpleNamespace

from hypothesis import given
from hypothesis import strategies as st

from spark_tui.context.relevance import FileRelevance
from spark_tui.context.symbols import _nested, outline
from spark_tui.context.windows import choose_windows, tile_windows


class Counting:
    """A definition that counts how often it is looked at."""

    looks = 0

    def __init__(self, first, last):
        self._first, self._last = first, last

    @property
    def first(self):
        Counting.looks += 1
        return self._first

    @property
    def last(self):
        Counting.looks += 1
        return self._last


def looks(definitions):
    Counting.looks = 0
    found = SimpleNamespace(definitions=[Counting(4 * n + 1, 4 * n + 3) for n in range(definitions)])
    windows = tile_windows(4 * definitions, found, lambda _: 5, most_tokens=100, most_lines=50)
    assert len(windows) == definitions // 5
    return Counting.looks


def test_twice_as_many_definitions_are_twice_the_work():
    assert looks(2000) < 2.2 * looks(1000)


def test_windows_with_a_named_place_are_found_without_asking_every_place_of_every_window():
    lines = [line for n in range(500) for line in (f"def f{n}(qty):", f"    return qty + {n}", "", "")]
    found = outline("a.py", lines)
    windows = tile_windows(len(lines), found, lambda _: 5, most_tokens=100, most_lines=50)
    choice = choose_windows(windows, FileRelevance(lines, found), "rename qty to quantity everywhere")
    assert (len(choice.windows), choice.missed) == (8, len(windows) - 8)
    assert choice.windows == windows[:8]


@given(depths=st.lists(st.integers(0, 6), max_size=40))
def test_what_ends_and_what_holds_a_line_is_what_a_look_at_all_of_them_says(depths):
    ends, holders = _nested(depths)
    for at, depth in enumerate(depths):
        after = [n for n in range(at + 1, len(depths)) if depths[n] <= depth]
        before = [n for n in range(at) if depths[n] < depth]
        assert ends[at] == (after[0] if after else len(depths))
        assert holders[at] == (before[-1] if before else -1)


class Depth(int):
    """A depth that says when it is compared."""

    compared: list[int]

    def __ge__(self, other):
        Depth.compared.append(int(self))
        return int(self) >= int(other)


def test_deep_and_flat_lines_are_compared_a_few_times_each():
    Depth.compared = []
    _nested([Depth(n % 7) for n in range(5000)])
    assert 5000 <= len(Depth.compared) < 3 * 5000
