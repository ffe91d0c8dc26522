"""An expression gets a name: that of a variable which is set to a value of itself holds from there on."""

from __future__ import annotations

import pytest
from codemods.repositories import after, plan

LATER = "if 1 in {0}:\n        {0} = {0} | {{2}}\n    return [x for x in {0}]\n"


@pytest.mark.parametrize(
    ("line", "before", "wanted"),
    [
        (
            2,
            "def f(rows):\n    rows = set(rows)\n    " + LATER.format("rows"),
            "def f(rows):\n    sizes = set(rows)\n    " + LATER.format("sizes"),
        ),
        (
            3,
            "def f(rows):\n    if rows:\n        rows = set(rows)\n        use(rows)\n",
            "def f(rows):\n    if rows:\n        sizes = set(rows)\n        use(sizes)\n",
        ),
    ],
)
def test_a_value_of_the_variable_itself_has_the_name_from_there_on(
    line: int, before: str, wanted: str
) -> None:
    assert after(f"extract_variable m.py:{line} 'set(rows)' sizes", before) == wanted


@pytest.mark.parametrize(
    ("line", "before"),
    [
        (3, "def f(rows):\n    if rows:\n        rows = set(rows)\n    return rows\n"),
        (3, "def f(rows):\n    for _ in 1, 2:\n        rows = set(rows)\n"),
        (3, "def f(rows):\n    read = lambda: rows\n    rows = set(rows)\n    return read\n"),
        (2, "def f(rows):\n    found = set(rows)\n    return found\n"),
        (2, "def f(rows):\n    rows = set(rows)\n    return f'{rows=}'\n"),
    ],
)
def test_a_variable_is_set_as_before_where_something_may_see_its_first_value(line: int, before: str) -> None:
    new = after(f"extract_variable m.py:{line} 'set(rows)' sizes", before)
    kept = before.splitlines()[line - 1].replace("set(rows)", "sizes")
    assert kept in new and "sizes = set(rows)" in new


def test_what_looks_names_up_is_named() -> None:
    for line in ("rows = set(rows)", "found = set(rows)"):
        code = f"def f(rows):\n    {line}\n    return show(**locals())\n"
        found = plan("extract_variable m.py:2 'set(rows)' sizes", {"m.py": code}).unfollowed
        assert [one.reason for one in found] == ["locals() may use it by its name"]
