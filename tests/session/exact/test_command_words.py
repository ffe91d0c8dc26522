"""Words of a typed command."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spark_tui.session.exact.command_words import quoted, split


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("/rename Cart.add  put", ["/rename", "Cart.add", "put"]),
        ('add_guard "qty < 1" "raise ValueError(qty)"', ["add_guard", "qty < 1", "raise ValueError(qty)"]),
        ('set LIMIT ["a b", 2]', ["set", "LIMIT", '["a b", 2]']),
        ("add note default='a b' value=\"\"", ["add", "note", "default=a b", "value="]),
        ("set X '\"text\"'", ["set", "X", '"text"']),
        ("rename(Cart.add, put)", ["rename(Cart.add, put)"]),
        ('open "quote', ["open", "quote"]),
        ("a  (b", ["a", "(b"]),
        ("x=a='b c'", ["x=a='b c'"]),
        ("", []),
    ],
)
def test_lines_are_split_at_spaces_outside_of_quotes_and_brackets(line: str, words: list[str]) -> None:
    assert [word.text for word in split(line)] == words


@given(st.text(alphabet="ab '\"()[]{}=._<", max_size=30))
def test_words_lie_one_behind_the_other_and_nothing_but_space_is_left_out(line: str) -> None:
    at = 0
    for word in split(line):
        assert not line[at : word.start].strip()
        assert word.start < word.end
        at = word.end
    assert not line[at:].strip()


@given(st.text(alphabet="ab ()[]=._<'", min_size=1, max_size=20))
def test_a_quoted_text_is_one_word_again(text: str) -> None:
    assert [word.text for word in split(f"x {quoted(text)}")] == ["x", text]
