from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from spark_tui.tui.text import safe_text
from spark_tui.tui.text.safe_text import column_of, index_at, one_line, shorten, visible, width, wrap


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


@given(st.text(alphabet="ab é中\t\u202e\n", max_size=80), st.integers(2, 20))
def test_wrapped_lines_fit_and_have_every_letter_in_order(text: str, cells: int) -> None:
    rows = wrap(text, cells)
    assert all(cell_len(row) <= cells for row in rows)
    shown = "".join(map(visible, text.split("\n")))
    assert "".join(rows).replace(" ", "") == shown.replace(" ", "")


def test_a_long_line_is_measured_once_and_not_again_for_each_row(monkeypatch: pytest.MonkeyPatch) -> None:
    measured: list[int] = []

    def counted(text: str) -> int:
        measured.append(len(text))
        return cell_len(text)

    monkeypatch.setattr(safe_text, "cell_len", counted)
    text = "what a model says, – and on, " * 400
    assert len(wrap(text, 40)) > 250
    assert sum(measured) <= 2 * len(text)
