"""Lines that begin inside of a string are found without the tokens of the file."""

from __future__ import annotations

import pytest

from spark_tui.codemods.rewriting.edits import string_lines
from spark_tui.pysource.source import Source

TRIPLE = "'" * 3


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        (f"x = {TRIPLE}a\n# b\n{TRIPLE}\ny = 1\n", {1, 2}),
        (f"x = {TRIPLE}a\r\nb{TRIPLE}\r\ny = 1\r\n", {1}),
        ("x = 'a\\\nb'\ny = 1\n", {1}),
        ("x = ('a'\n  'b')  # it's\ny = 'c'\n", set()),
        (f"\ufeffx = rb{TRIPLE}\\{TRIPLE}\n{TRIPLE}\n", {1}),
        (f"x = f{TRIPLE}{{a['b']}}\n{TRIPLE}\n", {1}),
        (f"x = (\ny = {TRIPLE}a\nb{TRIPLE}\n", {2}),  # it does not parse
    ],
)
def test_lines_inside_of_strings(text: str, inside: set[int]) -> None:
    source = Source(text)
    assert string_lines(source) == inside
    if source.tree is not None and "f'" not in text:
        assert "tokens" not in source.__dict__
