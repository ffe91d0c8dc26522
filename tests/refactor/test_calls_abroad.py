# ruff: noqa: E501 - short files read better on one line
"""Parameters that have another name take the calls in other files with them; calls that do not fit any more are told."""

from __future__ import annotations

import pytest

from spark_tui.refactor.rename.calls_abroad import other_parameters, with_keywords
from spark_tui.refactor.source import Source

WAS = "def area(width, height=1):\n    return width * height\n\n\nclass Cart:\n    def __init__(self, owner):\n        self.owner = owner\n\n    def scan(self, sku, qty=1):\n        return sku\n"


def _source(text: str) -> Source:
    return Source(text.split("\n")[:-1])


def found(old: str, new: str):
    return other_parameters(_source(WAS), _source(WAS.replace(old, new)))


@pytest.mark.parametrize(
    "old, new",
    [
        ("(width, height=1)", "(width, height=2)"),
        ("(width, height=1)", "(width, height=1, depth=1)"),
        ("(width, height=1)", "(width=0, height=1)"),
        ("(width, height=1)", "(width, height=1, *, depth=1)"),
        ("(width, height=1)", "(width, *rest, **more)"),
        ("(self, sku, qty=1)", "(self, sku, qty=1, note='')"),
    ],
)
def test_what_takes_the_same_calls_is_nothing(old, new):
    assert found(old, new) == ()


@pytest.mark.parametrize(
    "old, new, keywords, breaks",
    [
        ("(width, height=1)", "(wide, height=1)", (("width", "wide"),), False),
        ("(width, height=1)", "(wide, high=1)", (("width", "wide"), ("height", "high")), False),
        ("(width, height=1)", "(width)", (), True),
        ("(width, height=1)", "(height, width=1)", (), True),
        ("(width, height=1)", "(width, height=1, *, depth)", (), True),
        ("(width, height=1)", "(width, *, height=1)", (), True),
        ("(self, sku, qty=1)", "(self, sku, count=1)", (("qty", "count"),), False),
        ("(self, owner)", "(self, who)", (("owner", "who"),), False),
    ],
)
def test_other_names_are_told_from_calls_that_break(old, new, keywords, breaks):
    (one,) = found(old, new)
    assert (dict(one.keywords), one.breaks) == (dict(keywords), breaks)


@pytest.mark.parametrize(
    "old, new, text, wanted",
    [
        ("(width,", "(wide,", "from shop.cart import area\n\nprint(area(width=1), other(width=2))\n", "area(wide=1), other(width=2)"),
        ("(width,", "(wide,", "from shop import cart\n\nprint(cart.area(height=1, width=2))\n", "area(height=1, wide=2)"),
        ("qty", "count", "from shop.cart import Cart\n\nCart(1).scan(2, qty=3)\nx.scan(qty=4)\n", "Cart(1).scan(2, count=3)\nx.scan(qty=4)"),
        ("(self, owner)", "(self, who)", "from shop.cart import Cart\n\nCart(owner=3)\n", "Cart(who=3)"),
        ("(width,", "(wide,", "def area(width):\n    pass\n\n\narea(width=1)\n", "area(width=1)"),
    ],
)  # fmt: skip
def test_keywords_of_its_calls_follow_and_others_stay(old, new, text, wanted):
    (one,) = found(old, new)
    what = with_keywords(_source(text), "tests/test_x.py", one, "shop/cart.py")
    assert wanted in what.text
    assert what.unsure == 0


def test_calls_that_may_not_fit_are_counted_and_left():
    (one,) = found("(width, height=1)", "(width)")
    text = "from shop.cart import area\n\nprint(area(1, 2), area(3))\n"
    what = with_keywords(_source(text), "desk.py", one, "shop/cart.py")
    assert (what.text, what.unsure) == (text, 2)
