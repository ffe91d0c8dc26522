from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from spark_tui.tui.text.safe_text import column_of, index_at, one_line, shorten, visible, width


def test_an_escape_sequence_becomes_a_mark() -> None:
    assert visible("a\x1b[31mb") == "a␛[31mb"


def test_bidi_overrides_and_zero_width_characters_become_marks() -> None:
    assert visible("user\u202e) #") == "user‹202E›) #"
    assert visible("ab\u200bcd") == "ab‹200B›cd"


def test_a_byte_that_is_not_of_the_encoding_is_shown_as_its_number() -> None:
    assert visible(b"caf\xe9".decode("utf-8", "surrogateescape")) == "caf‹E9›"


def test_tabs_go_to_the_next_stop_from_where_the_text_starts() -> None:
    assert visible("\tx") == "    x"
    assert visible("a\tx", column=1) == "a  x"


@given(st.text(alphabet=st.characters(), max_size=60), st.integers(0, 9))
def test_what_is_shown_never_steers_a_terminal(text: str, column: int) -> None:
    shown = visible(text, column)
    assert not [c for c in shown if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp")]
    shown.encode()


@given(st.text(alphabet=st.sampled_from("ab\t\x1b漢é\u0301\u200b"), max_size=30))
def test_a_column_leads_back_to_its_character(text: str) -> None:
    for index in range(len(text)):
        if width(text[: index + 1]) > width(text[:index]):
            assert index_at(text, column_of(text, index)) == index
    assert index_at(text, width(text)) == len(text)


@given(st.text(max_size=40), st.integers(0, 30), st.booleans())
def test_a_shortened_text_fits(text: str, cells: int, keep_end: bool) -> None:
    assert cell_len(shorten(text, cells, keep_end=keep_end)) <= cells


def test_line_ends_in_names_become_spaces() -> None:
    assert one_line("a\nb\tc\r") == "a b c␍"
