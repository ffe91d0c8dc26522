"""Calls that no longer fit after a change."""

from __future__ import annotations

import re

import pytest

from spark_tui.codemods.checks.harm import check
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

CART = """import os
from shop.prices import price_of


class Basket:
    def size(self): return 1


class Cart(Basket):
    def __init__(self, owner):
        self.owner = owner

    def add(self, item, count=1):
        print(item)
        return price_of(item) * count

    def twice(self, item):
        return self.add(item, 2)


def cart_of(owner):
    cart = Cart(owner)
    cart.add("a")
    return cart
"""
PRICES = """def price_of(item): return 1
def other(a, b): return 2
"""
USES = """from shop.cart import Cart, cart_of

cart = cart_of("me")
cart.add("b", 3)
cart.size()
Cart("you").twice("c")
"""
FILES = {"shop/__init__.py": "", "shop/cart.py": CART, "shop/prices.py": PRICES, "shop/uses.py": USES}

FITTING = {
    "a guard": (
        "        print(item)\n",
        '        if item is None:\n            raise ValueError("item")\n        print(item)\n',
    ),
    "an early return": (
        "        print(item)\n",
        "        if not item:\n            return None\n        print(item)\n",
    ),
    "a statement less": ("        print(item)\n", ""),
    "a docstring": ("        print(item)\n", '        """Add an item."""\n        print(item)\n'),
    "an import from elsewhere": ("import os\n", "import logging\nimport os\n"),
    "a name that nothing mentions": ("import os\n", "import os\nLIMIT = 3\n"),
    "a handler": (
        "        print(item)\n",
        "        try:\n            print(item)\n        except OSError:\n            pass\n",
    ),
    "a parameter that no call passes": ("item, count=1", "item, count=1, strict=False"),
    "a method that nobody calls": ("    def twice", "    def reset(self, to): return None\n\n    def twice"),
    "another argument of a call that makes an object": ("cart = Cart(owner)", "cart = Cart(owner.name)"),
    "another argument of a call in a result": ("return self.add(item, 2)", "return self.add(item, 3)"),
    "a parameter that calls may leave out now": ("self, owner)", "self, owner=None)"),
    "a new call that fits": ("        print(item)\n", '        self.twice("b")\n'),
}
BREAKING = {
    "a parameter that every call lacks": (
        "item, count=1",
        "item, count, more",
        "cart.add(…) does not fit: add needs 'count', 'more'",
    ),
    "a new call": (
        "        print(item)\n",
        "        self.twice()\n",
        "self.twice(…) does not fit: twice needs 'item'",
    ),
    "another function behind a name": (
        "import price_of",
        "import other as price_of",
        "price_of(…) does not fit: other needs 'b'",
    ),
}


def changed(old: str, new: str) -> tuple[Repository, Repository]:
    assert CART.count(old) >= 1
    before = Repository(DictTree(FILES))
    return before, before.with_changes({"shop/cart.py": CART.replace(old, new, 1)})


@pytest.mark.parametrize("name", FITTING)
def test_a_change_after_which_all_calls_fit_is_no_harm(name: str) -> None:
    before, after = changed(*FITTING[name])
    assert check(before, after, ["shop/cart.py"], ("calls",)) == []


@pytest.mark.parametrize("name", BREAKING)
def test_a_call_that_no_longer_fits_is_named(name: str) -> None:
    *edit, reason = BREAKING[name]
    before, after = changed(*edit)
    found = check(before, after, ["shop/cart.py"], ("calls",))
    assert reason in [item.reason for item in found]


@pytest.mark.parametrize(
    ("old", "new"), [("Cart", "Trolley"), ("twice", "double"), ("cart_of", "trolley_of")]
)
def test_after_a_renaming_all_calls_fit(old: str, new: str) -> None:
    before = Repository(DictTree(FILES))
    texts = {path: re.sub(rf"\b{old}\b", new, FILES[path]) for path in ("shop/cart.py", "shop/uses.py")}
    assert check(before, before.with_changes(texts), list(texts), ("calls",)) == []


def test_a_change_that_mends_one_call_and_breaks_another_names_the_other() -> None:
    text = CART.replace("Cart(owner)", "Cart()")
    before = Repository(DictTree({**FILES, "shop/cart.py": text}))
    mended = text.replace("self, owner)", "self, owner=None)")
    paths = ["shop/cart.py"]
    assert check(before, before.with_changes({"shop/cart.py": mended}), paths, ("calls",)) == []
    broken = mended.replace("        print(item)\n", "        self.twice()\n")
    (found,) = check(before, before.with_changes({"shop/cart.py": broken}), paths, ("calls",))
    assert (found.line, found.reason) == (14, "self.twice(…) does not fit: twice needs 'item'")
