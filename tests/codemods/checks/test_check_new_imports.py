"""Imports of names that a module of the repository does not have."""

from __future__ import annotations

import pytest

from spark_tui.codemods.checks.harm import check
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

FILES = {
    "shop/__init__.py": "",
    "shop/cart.py": "def pay(order):\n    return order\n",
    "shop/lazy.py": "def __getattr__(name):\n    return name\n",
    "shop/all.py": "from shop.cart import *\n",
    "shop/half.py": "def broken(:\n",
    "api.py": "from shop.cart import pay, lost\n\n\ndef checkout(order):\n    return pay(order)\n",
}


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("from shop.cart import charge as pay", "imports charge, which shop/cart.py does not have"),
        ("from shop.cart import pay, lost", ""),  # what was lost before is lost still
        ("from shop.all import pay", ""),
        ("from shop.lazy import pay", ""),
        ("from shop.half import pay", ""),
        ("from shop import cart", ""),
        ("from elsewhere import pay", ""),
        ("try:\n    from shop.cart import charge as pay\nexcept ImportError:\n    pay = None", ""),
    ],
)
def test_a_new_import_is_looked_for_in_the_module(line: str, reason: str) -> None:
    before = Repository(DictTree(FILES))
    text = FILES["api.py"].replace("from shop.cart import pay, lost", line)
    found = check(before, before.with_changes({"api.py": text}), ["api.py"], ("new imports",))
    assert [item.reason for item in found] == ([reason] if reason else [])
