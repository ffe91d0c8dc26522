from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from spark_tui.tui.text.buffer import TextBuffer

_MOVES = "left right up down home end ctrl+left ctrl+right ctrl+home ctrl+end pageup pagedown"
_PLAIN = _MOVES.split()
MOVES = [*_PLAIN, *(f"shift+{key}" for key in _PLAIN)]
EDITS = ["enter", "tab", "backspace", "delete"]
ACTS = ["undo", "redo", "all", "word.delete", "line.end.delete"]
TEXT = st.text("ab _\t\x0c\u2028\x85é", max_size=6)
STEPS = st.lists(
    st.one_of(
        st.sampled_from([*MOVES, *EDITS, "x", "y"]).map(lambda key: ("press", key)),
        st.sampled_from(ACTS).map(lambda act: ("do", act)),
        st.text("ab\n \r", max_size=5).map(lambda text: ("paste", text)),
        st.just(("cut", "")),
    ),
    max_size=40,
)


def typed(buffer: TextBuffer, *keys: str) -> TextBuffer:
    for key in keys:
        buffer.press(key, key if len(key) == 1 else None)
    return buffer


def take(buffer: TextBuffer, step: tuple[str, str]) -> None:
    kind, what = step
    if kind == "press":
        typed(buffer, what)
    elif kind == "do":
        buffer.do(what)
    elif kind == "paste":
        buffer.paste(what)
    else:
        buffer.cut()


def test_letters_go_in_at_the_cursor() -> None:
    assert typed(TextBuffer(["ac"], 0, 1), "b").lines == ["abc"]


def test_a_new_line_keeps_the_indent() -> None:
    buffer = typed(TextBuffer(["    a = 1"], 0, 9), "enter", "b")
    assert buffer.lines == ["    a = 1", "    b"]


def test_backspace_in_an_indent_goes_back_to_the_stop_before() -> None:
    assert typed(TextBuffer(["      x"], 0, 6), "backspace").lines == ["    x"]


def test_backspace_at_the_start_joins_lines() -> None:
    buffer = typed(TextBuffer(["a", "b"], 1, 0), "backspace")
    assert (buffer.lines, buffer.row, buffer.column) == (["ab"], 0, 1)


def test_words_are_gone_over_and_removed() -> None:
    assert typed(TextBuffer(["one two"], 0, 7), "ctrl+left").column == 4
    buffer = TextBuffer(["one two"], 0, 7)
    buffer.do("word.delete")
    assert buffer.lines == ["one "]


def test_going_up_and_down_over_a_short_line_keeps_the_column() -> None:
    buffer = typed(TextBuffer(["abcdef", "x", "abcdef"], 0, 5), "down")
    assert (buffer.row, buffer.column) == (1, 1)
    assert typed(buffer, "down").column == 5


def test_separators_other_than_newline_stay_inside_their_line() -> None:
    buffer = TextBuffer(["a\x0cb\u2028c\x85d"], 0, 0)
    assert typed(buffer, "end", "!").lines == ["a\x0cb\u2028c\x85d!"]


def test_a_run_of_letters_is_one_step_of_undo() -> None:
    buffer = typed(TextBuffer([""]), *"abc", "left", "x")
    buffer.undo()
    assert buffer.lines == ["abc"]
    buffer.undo()
    assert buffer.lines == [""]
    buffer.redo()
    assert buffer.lines == ["abc"]


def test_what_is_selected_is_typed_over_and_comes_back_with_undo() -> None:
    buffer = typed(TextBuffer(["one two", "three"], 0, 4), "shift+down", "shift+end", "x")
    assert buffer.lines == ["one x"]
    buffer.undo()
    assert buffer.lines == ["one two", "three"]


def test_cut_and_paste_move_a_line_or_what_is_selected() -> None:
    buffer = TextBuffer(["a", "b", "c"], 0, 0)
    assert buffer.cut() == "a\n"
    assert buffer.lines == ["b", "c"]
    buffer.press("ctrl+end", None)
    assert buffer.cut() == "c\n"
    assert buffer.lines == ["b"]
    typed(buffer, "shift+home")
    assert buffer.cut() == "b"
    assert buffer.lines == [""]


def test_a_paste_has_our_line_ends_and_no_nul() -> None:
    buffer = TextBuffer([""])
    buffer.paste("a\r\nb\rc\x00\u2028d")
    assert buffer.lines == ["a", "b", "c\u2028d"]


def test_leaving_a_selection_with_an_arrow_goes_to_its_end() -> None:
    buffer = typed(TextBuffer(["abcd"], 0, 1), "shift+right", "shift+right", "left")
    assert buffer.at == (0, 1)


def test_a_key_that_means_nothing_here_is_not_taken() -> None:
    assert not TextBuffer(["a"]).press("f4", None)
    assert not TextBuffer(["a"]).press("ctrl+s", "\x13")


@given(st.lists(TEXT, max_size=4), STEPS)
def test_the_cursor_always_stands_in_the_text(lines: list[str], steps: list[tuple[str, str]]) -> None:
    buffer = TextBuffer(lines)
    for step in steps:
        take(buffer, step)
        assert 0 <= buffer.row < len(buffer.lines)
        assert 0 <= buffer.column <= len(buffer.line)
        assert not any("\n" in line or "\r" in line for line in buffer.lines)


@given(
    st.lists(TEXT, min_size=1, max_size=4), STEPS.map(lambda all: [item for item in all if item[1] != "undo"])
)
def test_undoing_everything_gives_the_first_text_back_and_redoing_the_last(
    lines: list[str], steps: list[tuple[str, str]]
) -> None:
    buffer = TextBuffer(lines)
    for step in steps:
        take(buffer, step)
    last = list(buffer.lines)
    for _ in range(60):
        buffer.undo()
    assert buffer.lines == lines
    assert not buffer.changed
    for _ in range(60):
        buffer.redo()
    assert buffer.lines == last


class Model:
    """The same text as one string with two offsets: what a key does is a slice of it."""

    def __init__(self, buffer: TextBuffer) -> None:
        self.text = "\n".join(buffer.lines)

    @staticmethod
    def offset(buffer: TextBuffer, at: tuple[int, int]) -> int:
        return sum(len(line) + 1 for line in buffer.lines[: at[0]]) + at[1]

    def type(self, buffer: TextBuffer, step: tuple[str, str]) -> None:
        """Called before the buffer takes the step."""
        kind, what = step
        here = self.offset(buffer, buffer.at)
        span = buffer.selection
        low, high = (self.offset(buffer, span[0]), self.offset(buffer, span[1])) if span else (here, here)
        line = self.text[self.text.rfind("\n", 0, here) + 1 :].split("\n")[0]
        if kind == "paste":
            put = what.replace("\r\n", "\n").replace("\r", "\n")
        elif kind == "press" and len(what) == 1:
            put = what
        elif kind == "press" and what == "enter":
            head = line[: buffer.column]
            put = "\n" + head[: len(head) - len(head.lstrip(" \t"))]
        elif kind == "press" and what == "tab":
            put = "\t" if line.startswith("\t") else " " * (4 - buffer.column % 4)
        elif kind == "press" and what == "delete":
            put, high = "", high if span else min(here + 1, len(self.text))
        else:
            return
        self.text = self.text[:low] + put + self.text[high:]


_SIMPLE = STEPS.map(
    lambda all: [
        s for s in all if s[0] == "paste" or s[1] in ("all", "enter", "tab", "delete", "x", "y", *MOVES)
    ]
)


@given(st.lists(TEXT, min_size=1, max_size=5), _SIMPLE)
def test_every_key_is_a_slice_of_one_string(lines: list[str], steps: list[tuple[str, str]]) -> None:
    buffer = TextBuffer(lines)
    model = Model(buffer)
    for step in steps:
        model.type(buffer, step)
        take(buffer, step)
        assert "\n".join(buffer.lines) == model.text


@given(st.lists(TEXT, min_size=1, max_size=5), STEPS)
def test_the_selection_is_what_stands_between_its_ends(
    lines: list[str], steps: list[tuple[str, str]]
) -> None:
    buffer = TextBuffer(lines)
    for step in steps:
        take(buffer, step)
        span, text = buffer.selection, "\n".join(buffer.lines)
        if span:
            low, high = (Model.offset(buffer, end) for end in span)
            assert buffer.selected == text[low:high]
        else:
            assert buffer.selected == ""


def test_a_line_after_one_that_opens_a_block_stands_deeper() -> None:
    for line, at, wanted in (
        ("    def f():", 12, ["    def f():", "        "]),
        ("\tif x {", 7, ["\tif x {", "\t\t"]),
        ("    x = f()", 11, ["    x = f()", "    "]),
        ("d[a:b] = c", 4, ["d[a:", "b] = c"]),
    ):
        assert typed(TextBuffer([line], 0, at), "enter").lines == wanted


def test_tab_and_its_opposite_move_the_selected_lines() -> None:
    buffer = TextBuffer(["if x:", "    a", "", "    b", "c"], 1, 2)
    buffer.press("shift+down", None)
    buffer.press("shift+down", None)
    buffer.press("tab", None)
    assert buffer.lines == ["if x:", "        a", "", "        b", "c"]
    assert buffer.selected == "        a\n\n        b"
    buffer.press("shift+tab", None)
    buffer.press("shift+tab", None)
    assert buffer.lines == ["if x:", "a", "", "b", "c"]
    buffer.undo()
    assert buffer.lines == ["if x:", "    a", "", "    b", "c"]


def test_a_line_alone_is_indented_less_at_the_cursor() -> None:
    buffer = TextBuffer(["      a", "b"], 0, 6)
    buffer.press("shift+tab", None)
    assert (buffer.lines, buffer.at) == (["  a", "b"], (0, 2))
    buffer.press("shift+tab", None)
    buffer.press("shift+tab", None)
    assert (buffer.lines, buffer.at) == (["a", "b"], (0, 0))
    buffer.press("shift+down", None)
    buffer.press("tab", None)
    assert buffer.lines == ["    a", "b"]
    buffer.select_all()
    buffer.press("x", "x")
    assert buffer.lines == ["x"]


def test_a_tab_is_a_step_of_indentation_too() -> None:
    buffer = TextBuffer(["\ta", "\t\tb"], 1, 3)
    buffer.select_all()
    buffer.press("tab", None)
    assert buffer.lines == ["\t\ta", "\t\t\tb"]
    buffer.press("shift+tab", None)
    buffer.press("shift+tab", None)
    assert buffer.lines == ["a", "\tb"]
