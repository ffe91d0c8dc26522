"""The text below a constant or an attribute stays with it."""

from __future__ import annotations

import pytest
from codemods.repositories import after, texts_after

CODE = '''\
A = 1
"""What A is."""
B = 2
"""What B is."""


class Cart:
    size: int = 3
    """How much goes in."""
    kept = 4
'''
MADE = {
    "remove_definition A": ('A = 1\n"""What A is."""\n', ""),
    "remove_definition Cart.size": ('    size: int = 3\n    """How much goes in."""\n', ""),
    "insert_statements 'after A' 'C = 3'": ('A is."""\n', 'A is."""\nC = 3\n'),
    "insert_statements m.py:3 'C = 3' after": ('B is."""\n', 'B is."""\nC = 3\n'),
    "move_statements m.py:1 m.py:3 after": (CODE[:46], 'B = 2\n"""What B is."""\nA = 1\n"""What A is."""\n'),
    "move_statements m.py:3 m.py:1 before": (CODE[:46], 'B = 2\n"""What B is."""\nA = 1\n"""What A is."""\n'),
    "add_field Cart weight float 1.0 true": (
        'goes in."""\n    kept = 4\n',
        'goes in."""\n    kept = 4\n    weight: float = 1.0\n',
    ),
}


@pytest.mark.parametrize("call", MADE)
def test_it_is_removed_and_moved_with_it_and_nothing_comes_between(call: str) -> None:
    old, new = MADE[call]
    assert CODE.count(old) == 1
    assert after(call, CODE) == CODE.replace(old, new)


def test_a_definition_that_moves_takes_it_along() -> None:
    found = texts_after("move_definition B n.py", {"m.py": CODE, "n.py": '"""N."""\n'})
    assert found["m.py"] == CODE.replace('B = 2\n"""What B is."""\n', "")
    assert '\nB = 2\n"""What B is."""\n' in (found["n.py"] or "")
