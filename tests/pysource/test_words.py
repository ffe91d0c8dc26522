"""The words that an identifier is made of."""

from __future__ import annotations

import pytest

from spark_tui.pysource.words import identifier_words


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("load_rows", ("load", "rows")),
        ("loadRows", ("load", "rows")),
        ("HTTPServer2", ("http", "server", "2")),
        ("_MAX_ROWS", ("max", "rows")),
        ("parseJSON", ("parse", "json")),
        ("__", ()),
    ],
)
def test_an_identifier_is_cut_where_its_words_begin(name: str, expected: tuple[str, ...]) -> None:
    assert identifier_words(name) == expected
