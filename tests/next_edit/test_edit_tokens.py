"""Tokens of a text that hardly differs from another one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.long_texts import ENDLESS

from spark_tui.next_edit.tokens import Tokens

_PARTS = st.sampled_from(
    ["a", "b = 1", "\n", "\r\n", "(", ")", '"""', "'x'", "#", " ", "    ", "\\\n", "def f(x):", "'", '"', "é"]
)
_TEXTS = st.lists(_PARTS, max_size=25).map("".join)


@given(_TEXTS, _TEXTS, _TEXTS, _TEXTS)
def test_reading_again_what_differs_is_the_same_as_reading_all(head, went, came, tail):
    before, after = Tokens(head + went + tail), head + came + tail
    one, two = Tokens(after), Tokens(after, before)
    assert (one.texts, one.starts, one.ends, one.prose) == (two.texts, two.starts, two.ends, two.prose)


def test_a_long_number_that_ends_in_a_letter_is_read_at_once() -> None:
    text = "1" * ENDLESS + "z"
    assert Tokens(text).texts == [text]


@pytest.mark.parametrize(
    "line, kinds",
    [
        ("def f(a: X, b: Dict[str, X] = X, *, c=X) -> X: pass", "type type def def type"),
        ("self.a: List[X] = g(X, b=X)", "type . ."),
        ("y = {X: X, 'a': X}", ". . ."),
        ("if a[X:X]: f(X)", ". . ."),
        ("async def g(X, y: X): pass", "def type"),
        ("class A(X): pass", "class"),
    ],
)
def test_the_types_of_a_line_are_told_from_its_values(line: str, kinds: str) -> None:
    tokens = Tokens(f"{line}\n")
    found = [tokens.kind(at) for at, word in enumerate(tokens.texts) if word == "X"]
    assert found == [{"type": "annotation", ".": ""}.get(word, word) for word in kinds.split()]
