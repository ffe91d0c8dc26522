"""Imports of names that a module of the repository does not have."""

from __future__ import annotations

import pytest
from codemods.repositories import reasons

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
    text = FILES["api.py"].replace("from shop.cart import pay, lost", line)
    assert reasons("new imports", FILES, {"api.py": text}) == ([reason] if reason else [])


@pytest.mark.parametrize(
    ("imported", "line", "reason"),
    [
        ("import shop.cart as cart", "cart.charge(order)", "shop/cart.py has no charge"),
        ("from shop import cart", "cart.charge(order)", "shop/cart.py has no charge"),
        ("from shop import cart", "cart.pay(order)", ""),
        ("from shop import all", "all.pay(order)", ""),
        ("from shop import lazy", "lazy.charge(order)", ""),
        ("from shop import half", "half.charge(order)", ""),
        ("import shop", "shop.cart.charge(order)", ""),  # what shop.cart is, is not followed
        ("import shop", "shop.__file__", ""),
        ("from elsewhere import cart", "cart.charge(order)", ""),
    ],
)
def test_a_new_attribute_is_looked_for_in_the_module(imported: str, line: str, reason: str) -> None:
    text = f"{imported}\n\n\ndef checkout(order):\n    return {line}\n"
    assert reasons("new attributes", FILES, {"api.py": text}) == ([reason] if reason else [])
