"""Which methods count: `__len__` gives back what they give."""

from __future__ import annotations

import pytest

from spark_tui.codemods.classes.special_methods import adds_unknown, gives_count
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository


@pytest.mark.parametrize(
    ("body", "counts", "unknown"),
    [
        ("n = 0\n        for row in self.rows:\n            n += 1\n        return n", True, False),
        ("n = 0\n        for row in self.rows:\n            n += len(row)\n        return n", True, False),
        ("n = 0\n        for row in self.rows:\n            n += row.price\n        return n", True, True),
        ("return len(self.rows)", True, False),
        ("return self.rows", False, False),
    ],
)
def test_a_sum_of_unknown_numbers_is_a_count_with_a_doubt(body: str, counts: bool, unknown: bool) -> None:
    code = f"class Cart:\n    def total(self):\n        {body}\n"
    source = Repository(DictTree({"m.py": code})).index.source("m.py")
    method = source.functions[0]
    assert (gives_count(source, method), adds_unknown(method)) == (counts, unknown)
