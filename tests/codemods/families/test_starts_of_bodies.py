"""What is put at the start of a body stands in front of the comment above its first statement."""

from __future__ import annotations

import pytest
from codemods.repositories import swapped

GUARD = "    if not name:\n        return None\n"
CALL = "add_guard 'in find' 'not name' 'return None'"


@pytest.mark.parametrize(
    "front",
    [
        "def find(name):\n",
        'def find(name):\n    """Find it."""\n',
        "def find(name):\n    # type: (str) -> int\n",
    ],
)
def test_a_comment_stays_with_its_statement(front: str) -> None:
    below = "    # the home folder first\n    if name == 'home':\n        return 1\n"
    swapped(CALL, front + below, (front + below, front + GUARD + below))
