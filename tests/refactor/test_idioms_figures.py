"""Assertions that say what they compare, and decimals that are asked for."""

from __future__ import annotations

import pytest

from spark_tui.refactor.known import PLAIN, known

CODE = """class T(TestCase):
    def test_a(self):
        self.assertTrue(a() == 3)
        self.assertTrue(x in y)
        self.assertEqual(b, None)


def show(price, total):
    print(f"{price} of {total:.1f}")


def rounded(price):
    return round(price, 1)
"""
LINES = CODE.split("\n")[:-1]


@pytest.mark.parametrize(
    ("order", "old", "new"),
    [
        ("assertEqual instead of assertTrue in test_a", "assertTrue(a() == 3)", "assertEqual(a(), 3)"),
        ("use assertIn", "assertTrue(x in y)", "assertIn(x, y)"),
        ("assertIsNone for b", "assertEqual(b, None)", "assertIsNone(b)"),
        ("total with 3 decimals in show", "{total:.1f}", "{total:.3f}"),
        ("show the price with two decimals in show", "{price}", "{price:.2f}"),
        ("round to 2 decimals in rounded", "round(price, 1)", "round(price, 2)"),
    ],
)
def test_the_one_place_that_is_named_changes(order: str, old: str, new: str) -> None:
    found = known(LINES, order)
    assert found
    assert found[0].plain == PLAIN
    out = list(LINES)
    for hunk in reversed(found[0].hunks):
        out[hunk.first : hunk.last] = hunk.new
    assert "\n".join(out) + "\n" == CODE.replace(old, new)


def test_what_is_asserted_so_already_stays() -> None:
    assert not known(LINES, "use assertNotIn")
