from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from spark_tui.tui.textbuf import TextBuffer

_MOVES = "left right up down home end ctrl+left ctrl+right ctrl+home ctrl+end pageup pagedown"
_EDITS = "enter tab backspace delete ctrl+w ctrl+k ctrl+z ctrl+y"
KEYS = [*_MOVES.split(), *_EDITS.split()]


def typed(buffer: TextBuffer, *keys: str) -> TextBuffer:
    for key in keys:
        buffer.press(key, key if len(key) == 1 else None)
    return buffer


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
    assert typed(TextBuffer(["one two"], 0, 7), "ctrl+w").lines == ["one "]


def test_separators_other_than_newline_stay_inside_their_line() -> None:
    buffer = TextBuffer(["a\x0cb\u2028c\x85d"], 0, 0)
    assert typed(buffer, "end", "!").lines == ["a\x0cb\u2028c\x85d!"]


def test_a_run_of_letters_is_one_step_of_undo() -> None:
    buffer = typed(TextBuffer([""]), *"abc", "left", "x", "ctrl+z")
    assert buffer.lines == ["abc"]
    assert typed(buffer, "ctrl+z").lines == [""]
    assert typed(buffer, "ctrl+y").lines == ["abc"]


def test_a_key_that_means_nothing_here_is_not_taken() -> None:
    assert not TextBuffer(["a"]).press("f4", None)
    assert not TextBuffer(["a"]).press("ctrl+s", "\x13")


@given(st.lists(st.text("ab \t", max_size=6), max_size=4), st.lists(st.sampled_from([*KEYS, "x", "y"]), max_size=40))
def test_the_cursor_always_stands_in_the_text(lines: list[str], keys: list[str]) -> None:
    buffer = TextBuffer(lines)
    for key in keys:
        typed(buffer, key)
        assert 0 <= buffer.row < len(buffer.lines)
        assert 0 <= buffer.column <= len(buffer.line)
        assert not any("\n" in line for line in buffer.lines)


@given(
    st.lists(st.text("ab \t", max_size=6), min_size=1, max_size=4),
    st.lists(st.sampled_from([*KEYS[:-2], "x"]), max_size=30),
)
def test_undoing_everything_gives_the_first_text_back_and_redoing_the_last(lines: list[str], keys: list[str]) -> None:
    buffer = typed(TextBuffer(lines), *keys)
    last = list(buffer.lines)
    for _ in range(60):
        buffer.undo()
    assert buffer.lines == lines
    for _ in range(60):
        buffer.redo()
    assert buffer.lines == last
