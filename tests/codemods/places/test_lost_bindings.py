"""Names that have no value once the statement that sets them is gone."""

from __future__ import annotations

import pytest
from codemods.repositories import plan


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("try:\n    import trio\nexcept ImportError:\n    trio = None\nprint(trio)\n", 4),
        ("if a:\n    trio = 1\nelif b:\n    trio = 2\nelse:\n    trio = 3\nprint(trio)\n", 4),
        ("if a:\n    trio = 1\nelif b:\n    trio = 2\nelse:\n    trio = 3\nprint(trio)\n", 6),
    ],
)
def test_what_another_branch_sets_may_have_no_value(text: str, line: int) -> None:
    found = plan(f"delete_statements m.py:{line}", {"m.py": text})
    assert [one.reason for one in found.unfollowed] == ["trio may have no value there any more"]


def test_what_is_set_on_every_way_before_has_a_value() -> None:
    text = "trio = 1\ntry:\n    import trio\nexcept ImportError:\n    trio = None\nprint(trio)\n"
    assert not plan("delete_statements m.py:5", {"m.py": text}).unfollowed


@pytest.mark.parametrize(
    ("inside", "doubts"),
    [
        ("        quoted = '!' in row\n        if quoted:\n            print(row)\n", 0),
        ("        if row:\n            quoted = '!' in row\n        print(quoted)\n", 1),
        ("        print(quoted)\n        quoted = '!' in row\n", 1),
    ],
)
def test_what_is_set_again_before_it_is_read_has_a_value(inside: str, doubts: int) -> None:
    text = f"def show(rows):\n    quoted = False\n    for row in rows:\n{inside}"
    assert len(plan("delete_statements m.py:2", {"m.py": text}).unfollowed) == doubts
