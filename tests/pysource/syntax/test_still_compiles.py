"""Whether a changed file compiles, by its changed statements alone."""

import pytest

from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.parsing import compile_error
from spark_tui.pysource.tree_comparison import still_compiles

TEXT = '''"""A shop."""
from __future__ import annotations

import os

count = 0


def add(item):
    global count
    count += 1
    return item


class Cart:
    def size(self):
        return os.sep
'''


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("return item", "return [item]"),
        ("import os\n", "import os\nimport re\n"),
        ('"""A shop."""\n', ""),
        ("def size(self)", "def size(self, unit: str)"),
    ],
)
def test_a_change_that_compiles_by_itself_is_seen(old: str, new: str) -> None:
    text = TEXT.replace(old, new)
    assert text != TEXT and still_compiles(Source(TEXT), Source(text)) and compile_error(text) is None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("return item", "return item)"),
        ("count = 0\n", "count = 0\nreturn count\n"),
        ("def add(item)", "def add(item, item)"),
        ("from __future__", "import re\nfrom __future__"),
        ("from __future__", "'No comment.'\nfrom __future__"),
        ("from __future__ import annotations", "from __future__ import nothing"),
        ("return item", "nonlocal count"),
        ("def size(self)", "def size(self, unit: (yield))"),
        ("class Cart", "global add\n\nclass Cart"),
    ],
)
def test_a_change_that_keeps_a_file_from_compiling_is_not_taken_for_sure(old: str, new: str) -> None:
    text = TEXT.replace(old, new)
    assert text != TEXT and not still_compiles(Source(TEXT), Source(text)) and compile_error(text) is not None


def test_what_did_not_compile_before_is_not_held_against_a_change() -> None:
    broken = TEXT + "return\n"
    assert still_compiles(Source(broken), Source(broken.replace("count = 0", "count = 1")))


def test_what_future_does_not_have_is_not_judged() -> None:
    for name in ("__init__", "all_feature_names", "braces"):
        assert not still_compiles(Source(TEXT), Source(f"from __future__ import {name}\n{TEXT}"))
