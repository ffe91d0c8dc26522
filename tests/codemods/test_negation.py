"""The opposite of a condition."""

from __future__ import annotations

import itertools

import pytest

from spark_tui.codemods.rewriting.negation import negate_code


@pytest.mark.parametrize(
    ("code", "wanted"),
    [
        ("x < 1 or y is None", "x >= 1 and y is not None"),
        ("not x or y < 1", "x and y >= 1"),
        ("x != 0 and not y", "x == 0 or y"),
        ("x or y", "not (x or y)"),
        ("x < 1 or (y and x)", "not (x < 1 or (y and x))"),
        ("0 < x < 2 or y == 1", "not (0 < x < 2 or y == 1)"),
        ("not (x or y) or x == 1", "not (not (x or y) or x == 1)"),
        ("x < (y if y else 1)", "x >= (y if y else 1)"),
        ("x < (y if y else 1) or not x", "x >= (y if y else 1) and x"),
        ("(z := x) == 1 or x == 2", "(z := x) != 1 and x != 2"),
        ("(x < 1) == (x == 2)", "(x < 1) != (x == 2)"),
        ("not (x ==\n 1) or x == 2", "(x ==\n 1) and x != 2"),
        ("not (z := x)", "(z := x)"),
    ],
)
def test_the_parts_turn_round_where_each_is_a_comparison_or_denied(code: str, wanted: str) -> None:
    assert negate_code(code) == wanted
    for x, y in itertools.product((0, 1, 2), (None, 0, 1)):
        if "y <" not in code or y is not None:
            assert bool(eval(wanted, {}, {"x": x, "y": y})) is not bool(eval(code, {}, {"x": x, "y": y}))
