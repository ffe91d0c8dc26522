"""A name for a line that is shown is for what the line sets."""

from __future__ import annotations

import pytest
from intent.support import PATH, situation

from spark_tui.intent.answering.shown_lines import with_name_set

CODE = """def digest(path, lines):
    with open(path) as f:
        while b := f.read(4096):
            print(b)
    for one, two in lines:
        total = one + two
    return total
"""


@pytest.mark.parametrize(
    ("said", "comes"),
    [
        ("`while b := f.read(4096):` call it block", "rename `b` to `block` in digest"),
        ("in line 2: name it `file`", "rename `f` to `file` in digest"),
        ("`total = one + two`, rename it to last.", "rename `total` to `last` in digest"),
        ("`for one, two in lines:` call it pair", None),
        ("`return total` name it result", None),
        ("`total = one + two` call it twice", "rename `total` to `twice` in digest"),
        ("`total = one + two` call it with b", None),
    ],
)
def test_the_only_name_that_a_shown_line_sets_is_renamed(said: str, comes: str | None) -> None:
    assert with_name_set(said, situation({PATH: CODE})) == (comes or said)
