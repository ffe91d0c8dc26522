"""An augmented assignment becomes a plain one, where it is the one that is there."""

from __future__ import annotations

import pytest
from intent.asking import answer_to
from intent.support import PATH

from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

CODE = """def total(items, left):
    count = 0
    for item in items:
        count += item.qty
    left -= count if count else 1
    return left
"""


@pytest.mark.parametrize(
    ("said", "lines"),
    [
        ("use = instead of +=", ["count = count + item.qty", "count = item.qty"]),
        ("left: = instead of -=", ["left = left - (count if count else 1)", "left = count if count else 1"]),
        ("count = item.qty instead of +=", ["count = item.qty"]),
        ("use -= instead of +=", ["count -= item.qty"]),
    ],
)
def test_what_stands_behind_instead_of_becomes_each_plain_form_or_the_one_that_is_shown(
    said: str, lines: list[str]
) -> None:
    answer = answer_to(CODE, said, "pattern.augmented")
    repo = Repository(DictTree({PATH: CODE}))
    written = [(way.plan.texts(repo)[PATH] or "").splitlines() for way in answer.ways]
    found = [line.strip() for text in written for line in text if line not in CODE.splitlines()]
    assert found == lines
