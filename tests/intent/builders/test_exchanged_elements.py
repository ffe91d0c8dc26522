"""What a list or tuple has is exchanged in it, and the list is not replaced."""

from __future__ import annotations

import pytest
from intent.asking import changed

CODE = """class Format:
    title = 'sql'
    extensions = ('sql',)
    levels = [1, 2, 3]


NAMES = {"sql", "csv"}
"""


@pytest.mark.parametrize(
    ("text", "variable", "old", "value", "new"),
    [
        ("extensions should be ddl, not sql", "extensions", "sql", "ddl", "extensions = ('ddl',)"),
        ("extensions should be 'ddl', not 'sql'", "extensions", "sql", "ddl", "extensions = ('ddl',)"),
        ("levels: 4 instead of 3", "levels", "3", "4", "levels = [1, 2, 4]"),
        ("NAMES has csv, should be tsv", "NAMES", "csv", "tsv", 'NAMES = {"sql", "tsv"}'),
        ("title should be ddl, not sql", "title", "sql", "ddl", "title = 'ddl'"),
    ],
)
def test_one_element_is_exchanged(text: str, variable: str, old: str, value: str, new: str) -> None:
    made = changed(CODE, text, "set_value", variable=variable, old=old, value=value)
    was = next(line for line in CODE.splitlines() if line.strip().startswith(variable))
    assert made == CODE.replace(was.strip(), new)
