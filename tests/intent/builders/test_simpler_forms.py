"""*Simplify f* is done by the first form that fits, with a mark; a returned condition needs none."""

from __future__ import annotations

import pytest
from intent.asking import answer_to
from intent.support import PATH, result

HEAD = "def f(a, b):\n"


@pytest.mark.parametrize(
    ("before", "after", "assumed"),
    [
        ("    if a == b:\n        return True\n    return False\n", "    return a == b\n", False),
        (
            "    if a:\n        return b\n    else:\n        return None\n",
            "    return b if a else None\n",
            True,
        ),
        (
            "    if a not in b:\n        b[a] = 0\n    b[a] += 1\n",
            "    b[a] = b.get(a, 0) + 1\n",
            True,
        ),
    ],
)
def test_the_first_form_that_fits(before: str, after: str, assumed: bool) -> None:
    found = answer_to(HEAD + before, "simplify f", "pattern.return_condition", function="f")
    assert result(found, {PATH: HEAD + before}) == HEAD + after
    assert any("assumed to be simpler" in str(doubt) for doubt in found.ways[0].marked) == assumed
