# ruff: noqa: E501 - short files read better on one line
"""A definition that has another name takes the files with it that use it, and no others."""

from __future__ import annotations

import pytest

from spark_tui.refactor.rename.abroad import followed, has, renamed
from spark_tui.refactor.source import Source

HOME = "shop/cart.py"
CART = """LIMIT = 3


class Cart:
    def __init__(self, owner):
        self.owner = owner

    def add(self, sku):
        return sku


@dataclass
class Line:
    qty: int = 1


def area(width):
    return width
"""


def names(old: str, new: str):
    return renamed(_source(CART), _source(CART.replace(old, new)))


def _source(text: str) -> Source:
    return Source(text.split("\n")[:-1])


def after(text: str, old: str, new: str, path: str = "shop/desk.py", alone: bool = False, home: str = HOME):
    found = followed(_source(text), path, names(old, new), home, {old.split()[-1].strip("(")} if alone else ())
    return found.text, found.unsure


@pytest.mark.parametrize(
    "old, new, owner, name, became",
    [
        ("def area", "def size", "", "area", "size"),
        ("LIMIT", "MOST", "", "LIMIT", "MOST"),
        ("class Cart", "class Basket", "", "Cart", "Basket"),
        ("def add", "def put", "Cart", "add", "put"),
        ("qty", "count", "Line", "qty", "count"),
        ("self.owner", "self.who", "Cart", "owner", "who"),
    ],
)
def test_what_has_another_name_is_found_with_its_class(old, new, owner, name, became):
    (one,) = names(old, new)
    assert (one.owner, one.name, one.new) == (owner, name, became)
    assert one.keyword is (name == "qty")
    assert one.called is (name == "add")


def test_an_edit_that_brings_takes_or_turns_a_definition_renames_nothing():
    assert names("LIMIT = 3", "LIMIT = 3\nMOST = 4") == ()
    assert names("    qty: int = 1", "    pass") == ()
    assert names("def area(width):\n    return width", "class Area:\n    pass") == ()
    assert names("return sku", "return [sku]") == ()


@pytest.mark.parametrize(
    "path, text",
    [
        ("shop/desk.py", "from shop.cart import area\n\nprint(area(1), area)\n"),
        ("shop/desk.py", "from .cart import LIMIT, area\n\nprint(area(1))\n"),
        ("shop/sub/desk.py", "from ..cart import area\n\nprint(area(1))\n"),
        ("tests/test_x.py", "def f():\n    from shop.cart import area\n    return area(2)\n"),
        ("tests/test_x.py", "from shop.cart import area as a\n\nprint(a(1))\n"),
        ("tests/test_x.py", "import shop.cart\n\nprint(shop.cart.area(1))\n"),
        ("tests/test_x.py", "from shop import cart\n\nprint(cart.area(1))\n"),
        ("tests/test_x.py", "import shop.cart as c\n\nprint(c.area(1))\n"),
        ("tests/test_x.py", "from shop.cart import *\n\nprint(area(1))\n"),
        ("shop/__init__.py", 'from .cart import area\n\n__all__ = ["area"]\n'),
        ("tests/test_x.py", "from shop import area\n\nprint(area(1))\n"),
        ("tests/test_x.py", '@patch("shop.cart.area")\ndef test(fake):\n    pass\n'),
    ],
)
def test_a_name_of_the_module_is_followed_through_every_way_to_it(path, text):
    assert after(text, "def area", "def size", path) == (text.replace("area", "size"), 0)


@pytest.mark.parametrize(
    "path, text",
    [
        ("shop/desk.py", "from shop.plan import area\n\nprint(area(1))\n"),
        ("shop/desk.py", "def area(x):\n    return x\n\n\nprint(area(1))\n"),
        ("shop/desk.py", "from geometry import area\n\nprint(area(1))\n"),
        ("other/desk.py", "from .cart import area\n\nprint(area(1))\n"),
        ("shop/desk.py", "from shop.cart import LIMIT\n\n\ndef f(area):\n    return area\n"),
        ("shop/desk.py", 'import os.path\n\nprint("area", os.path.area)\n'),
    ],
)
def test_the_same_name_of_something_else_stays(path, text):
    assert after(text, "def area", "def size", path) == (text, 0)


def test_a_name_that_is_taken_in_the_other_file_stays_and_is_told():
    text = "from shop.cart import area\n\n\ndef size():\n    return area(1)\n"
    assert after(text, "def area", "def size") == (text, 1)


def test_an_alias_keeps_its_name_where_only_the_import_changes():
    text = "from shop.cart import area as cart_area\n\n\ndef size():\n    return cart_area(1)\n"
    assert after(text, "def area", "def size")[0] == text.replace("import area as", "import size as")


@pytest.mark.parametrize(
    "text",
    [
        "from shop.cart import Cart\n\ncart = Cart(1)\ncart.add(2)\nCart(3).add(4)\nCart.add(cart, 5)\n",
        "from shop.cart import Cart as C\n\n\ndef f(basket: C):\n    basket.add(1)\n",
        'from shop.cart import Cart\n\n\ndef f(basket: "Cart | None"):\n    basket.add(1)\n',
        "from shop.cart import Cart\n\n\ndef made():\n    return Cart(1)\n\n\nmade().add(2)\nbasket = made()\nbasket.add(1)\n",
        "from shop.cart import Cart\n\n\nclass Desk:\n    def __init__(self):\n        self.mine = Cart(self)\n\n    def f(self):\n        self.mine.add(1)\n",
        "from shop.cart import Cart\n\n\nclass Special(Cart):\n    def add(self, sku):\n        return super().add(sku)\n\n    def f(self):\n        self.add(1)\n",
        "from shop import cart\n\nbasket = cart.Cart(1)\nbasket.add(2)\n",
        "def f(cart):\n    cart.add(1)\n    cart.inner.cart.add(2)\n",
    ],
)
def test_a_member_is_followed_to_what_is_known_to_be_of_its_class(text):
    assert after(text, "def add", "def put") == (text.replace("add(", "put("), 0)


def test_what_may_be_something_else_stays_and_is_counted():
    text = "from shop.cart import Cart\n\nseen = load()\nseen.add(1)\nbag = Bag()\nbag.add(2)\nprint(bag.add)\n"
    assert after(text, "def add", "def put") == (text, 1)


def test_what_nothing_else_has_is_of_its_class_but_not_what_sets_have():
    text = "def f(x):\n    x.scan(1)\n    x.add(2)\n"
    home = CART.replace("def add", "def scan")
    found = renamed(_source(home), _source(home.replace("def scan", "def probe")))
    assert followed(_source(text), "desk.py", found, HOME, {"scan"}).text == text.replace("scan", "probe")
    assert followed(_source(text), "desk.py", found, HOME).unsure == 1
    assert after(text, "def add", "def put", alone=True) == (text, 1)


def test_a_keyword_follows_a_field_and_no_attribute_that_is_set_by_hand():
    text = "from shop.cart import Cart, Line\n\nprint(Line(qty=2).qty, Cart(owner=3).owner)\n"
    assert after(text, "qty", "count")[0] == text.replace("qty", "count")
    assert after(text, "self.owner", "self.who")[0] == text.replace(").owner", ").who")


def test_what_a_file_has_itself_is_told_by_definitions_and_by_what_it_sets():
    src = _source("class A:\n    total = 1\n\n\ndef f(b):\n    b.rest = 2\n    return b.seen\n")
    assert has(src, {"total", "rest", "seen"}) == {"total", "rest"}
