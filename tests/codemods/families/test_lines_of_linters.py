"""Comments for linters on lines that become something else."""

from __future__ import annotations

import pytest
from codemods.repositories import after, refusal


@pytest.mark.parametrize(
    "comment", ["# noqa", "# NOQA: E731, F401", "# pylint: disable=unnecessary-lambda-assignment"]
)
def test_what_a_linter_is_told_of_a_line_goes_with_the_line(comment: str) -> None:
    code = f"f = lambda x: x + 1  {comment}\n"
    assert after("lambda_to_function m.py:1 f", code) == "def f(x):\n    return x + 1\n"
    assert "would be lost" in str(
        refusal("lambda_to_function m.py:1 f", {"m.py": code.replace("\n", " why\n")})
    )


def test_one_of_two_comments_with_the_same_text_is_not_lost() -> None:
    code = "if a == 1:  # why\n    b()\nelse:\n    c()  # why\n"
    assert "'# why' would be lost" in str(refusal("apply_pattern invert_if 'in m.py'", {"m.py": code}))
