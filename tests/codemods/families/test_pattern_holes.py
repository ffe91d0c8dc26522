"""Expressions that are replaced by a pattern with holes."""

from __future__ import annotations

import pytest
from codemods.repositories import after, refusal


@pytest.mark.parametrize(
    ("old", "new", "before", "wanted"),
    [
        ("'len(...) == 0'", "'not ...'", "x = len(a or b) == 0\n", "x = not (a or b)\n"),
        ("'d.get(..., ...)'", "'f(..., ...)'", "x = d.get(a, b[1])  # n\n", "x = f(a, b[1])  # n\n"),
        ("'list(...)'", "'[*...]'", "x = list(list(a))\n", "x = [*list(a)]\n"),
        ("'dict[str, ...]'", "X", "x: dict[str, ...] = {}\n", "x: X = {}\n"),
    ],
)
def test_a_hole_is_any_expression(old: str, new: str, before: str, wanted: str) -> None:
    assert after(f"replace_expression 'in m.py' {old} {new} every=true", before) == wanted


def test_a_hole_loses_nothing_and_needs_a_place() -> None:
    code = {"m.py": "x = hasattr(f(), 'run')\ny = hasattr(x, 'go')\n"}
    assert "would be lost" in str(refusal("replace_expression m.py:1 'hasattr(..., \"run\")' True", code))
    assert refusal("replace_expression 'in m.py' 'hasattr(..., \"stop\")' 'f(...)'", code)
    assert refusal("replace_expression 'in m.py' 'hasattr(*..., 1)' 'f(...)'", code)


@pytest.mark.parametrize(
    "comment", ["# noqa", "# NOQA: E731, F401", "# pylint: disable=unnecessary-lambda-assignment"]
)
def test_what_a_linter_is_told_of_a_line_goes_with_the_line(comment: str) -> None:
    code = f"f = lambda x: x + 1  {comment}\n"
    assert after("lambda_to_function m.py:1 f", code) == "def f(x):\n    return x + 1\n"
    assert "would be lost" in str(
        refusal("lambda_to_function m.py:1 f", {"m.py": code.replace("\n", " why\n")})
    )
