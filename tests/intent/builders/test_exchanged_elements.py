"""What a list or tuple has is exchanged in it, and the list is not replaced."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed
from intent.support import PATH

from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

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


@pytest.mark.parametrize(
    ("value", "new"), [("None", "None"), ('["ddl"]', '["ddl"]'), ("('ddl', 'x')", "('ddl', 'x')")]
)
def test_another_kind_of_value_is_that_of_the_whole(value: str, new: str) -> None:
    text = f"extensions should be {value}, not sql"
    made = changed(CODE, text, "set_value", variable="extensions", old="sql", value=value)
    assert f"    extensions = {new}\n" in made


@pytest.mark.parametrize("value", ["empty", "ddl first"])
def test_words_about_the_whole_are_no_element(value: str) -> None:
    text = f"extensions should be {value}, not sql"
    found = answer_to(CODE, text, "set_value", variable="extensions", old="sql", value=value)
    after = [way.plan.texts(Repository(DictTree({PATH: CODE})))[PATH] or "" for way in found.ways]
    assert not any(f"extensions = ({text!r},)" in one for text in ("", "ddl first") for one in after)
