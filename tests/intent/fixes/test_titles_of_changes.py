"""What a choice says about a change of some characters."""

from __future__ import annotations

import pytest

from spark_tui.intent.fixes.seen_error import title_of_change
from spark_tui.pysource.source import Source

TEXT = """\
RATE = 1


class Cart:
    def total(self):
        result = sum(item.price * item.qty * self.rate * item.share for item in self.items if item)
        return result + 1
"""
CUT = "…* self.rate * item.shar… → …* self.rate / item.shar… in Cart.total, line 6"


@pytest.mark.parametrize(
    ("old", "new", "title"),
    [
        (" + 1", "", "return result + 1 → return result in Cart.total, line 7"),
        ("RATE = 1", "RATE = 2", "RATE = 1 → RATE = 2 at cart.py:1"),
        ("* item.share", "/ item.share", CUT),
    ],
)
def test_it_says_what_gives_way_to_what_and_where(old: str, new: str, title: str) -> None:
    low = TEXT.index(old)
    assert title_of_change(Source(TEXT, "cart.py"), low, low + len(old), new) == title


def test_a_new_line_is_inserted() -> None:
    at = TEXT.index("return")
    title = title_of_change(Source(TEXT, "cart.py"), at, at, "result += 2\n        ")
    assert title == "insert result += 2 in Cart.total, line 7"
