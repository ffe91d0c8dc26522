"""A rename follows into the links of documentation: roles and directives of Sphinx."""

from __future__ import annotations

import pytest

from spark_tui.codemods.checks.harm import check
from spark_tui.codemods.plan import Plan
from spark_tui.codemods.registry import parse
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

CART = '''\
"""Carts: :class:`Cart` and :func:`total`."""


class Cart:
    """See :meth:`add`, :meth:`Cart.drop` and the function :func:`sum <total>`."""

    def add(self, item):
        # As :py:meth:`.Cart.add`, not as :meth:`Basket.add`.
        self.items.append(item)

    def drop(self, item):
        """The reverse of :meth:`~cart.Cart.add()`; not ``add``, `add` or add."""
        self.items.remove(item)


class Basket:
    def add(self, item):
        """See :meth:`add`."""


def total(cart):
    """A text that stands alone: ":func:`total`"."""
    return sum(cart.items), ":func:`total`"
'''
USES = '''\
"""Uses :class:`Cart`, :meth:`Cart.add` and :func:`cart.total`, not :func:`total`."""

from cart import Cart
'''
DOCUMENT = """\
.. currentmodule:: cart

.. autoclass:: Cart

   .. automethod:: add

.. autoclass:: Basket

   .. automethod:: add

.. autofunction:: total

See :meth:`Cart.add`, :class:`cart.Cart`, :func:`other.total` and :meth:`.add`.
"""
FILES = {"cart.py": CART, "uses.py": USES, "docs/api.rst": DOCUMENT, "docs/other.rst": ":func:`total`\n"}


@pytest.mark.parametrize(
    ("line", "replaced"),
    [
        (
            "rename cart.py::Cart.add put",
            {
                "cart.py": {
                    "See :meth:`add`, :meth:`Cart.drop`": "See :meth:`put`, :meth:`Cart.drop`",
                    "    def add(self, item):\n        #": "    def put(self, item):\n        #",
                    ":py:meth:`.Cart.add`": ":py:meth:`.Cart.put`",
                    ":meth:`~cart.Cart.add()`": ":meth:`~cart.Cart.put()`",
                },
                "uses.py": {":meth:`Cart.add`": ":meth:`Cart.put`"},
                "docs/api.rst": {
                    "Cart\n\n   .. automethod:: add": "Cart\n\n   .. automethod:: put",
                    ":meth:`Cart.add`": ":meth:`Cart.put`",
                },
            },
        ),
        (
            "rename cart.py::total add_up",
            {
                "cart.py": {
                    "and :func:`total`.": "and :func:`add_up`.",
                    "<total>": "<add_up>",
                    "def total": "def add_up",
                    '":func:`total`".': '":func:`add_up`".',
                },
                "uses.py": {":func:`cart.total`": ":func:`cart.add_up`"},
                "docs/api.rst": {"autofunction:: total": "autofunction:: add_up"},
            },
        ),
        (
            "rename cart.py::Cart Trolley",
            {
                "cart.py": {
                    ":class:`Cart`": ":class:`Trolley`",
                    "class Cart:": "class Trolley:",
                    "Cart.drop": "Trolley.drop",
                    ".Cart.add": ".Trolley.add",
                },
                "uses.py": {"`Cart": "`Trolley", "import Cart": "import Trolley"},
                "docs/api.rst": {
                    "autoclass:: Cart": "autoclass:: Trolley",
                    "`Cart.add`": "`Trolley.add`",
                    "cart.Cart": "cart.Trolley",
                },
            },
        ),
    ],
)
def test_links_follow_what_they_mean(line: str, replaced: dict[str, dict[str, str]]) -> None:
    repo = Repository(DictTree(FILES))
    plan = parse(line).plan(repo)
    assert isinstance(plan, Plan)
    wanted = dict(FILES)
    for path, changes in replaced.items():
        for old, new in changes.items():
            assert old in wanted[path]
            wanted[path] = wanted[path].replace(old, new)
    texts = plan.texts(repo)
    assert {**FILES, **texts} == wanted
    assert set(texts) == set(replaced)
    assert check(repo, repo.with_changes(texts), plan.paths) == []


SHOP = {
    "shop/__init__.py": "from shop.cart import Cart, total\nfrom shop.stock import Stock\n",
    "shop/cart.py": """\
class Cart:
    \"\"\":c:func:`total`, x:func:`total`, :func:`total`, :meth:`total`, :any:`total`, :meth:`.add`.\"\"\"

    def add(self, item):
        self.items.append(item)

    def total(self):
        return total(self)


def total(cart):
    return sum(cart.items)


def add(item):
    return item
""",
    "shop/stock.py": """\
class Stock:
    \"\"\":meth:`shop.Cart.add`, :func:`total`, :meth:`Cart.add`, :meth:`.add` and :meth:`file.read`.\"\"\"

    def __init__(self, file):
        self.file = file

    def add(self, item):
        self.file.write(item)
""",
    "docs/api.rst": """\
.. currentmodule:: shop

.. autoclass:: Cart
\t:members: total, add

\t.. automethod:: add

.. autofunction:: total

.. automodule:: shop.cart
   :members: add

.. class:: Cart
   :noindex:

.. function:: add(item)

Not of the class: :func:`add`, but :func:`shop.total`.
""",
}


@pytest.mark.parametrize(
    ("target", "replaced"),
    [
        (
            "shop/cart.py::Cart.add",
            {
                "shop/cart.py": {"`.add`": "`.put`", "def add(self": "def put(self"},
                "shop/stock.py": {"shop.Cart.add": "shop.Cart.put", "`Cart.add": "`Cart.put"},
                "docs/api.rst": {"automethod:: add": "automethod:: put", "total, add": "total, put"},
            },
        ),
        (
            "shop/cart.py::Cart.total",
            {
                "shop/cart.py": {":meth:`total": ":meth:`put", "def total(self": "def put(self"},
                "docs/api.rst": {"members: total": "members: put"},
            },
        ),
        ("shop/stock.py::Stock.file", {"shop/stock.py": {"self.file": "self.put"}}),
        (
            "shop/cart.py::add",
            {
                "shop/cart.py": {"def add(item)": "def put(item)"},
                "docs/api.rst": {
                    ": add": ": put",
                    ":func:`add`": ":func:`put`",
                    "automethod:: put": "automethod:: add",
                },
            },
        ),
        (
            "shop/cart.py::total",
            {
                "shop/__init__.py": {"total": "put"},
                "shop/cart.py": {
                    ", :func:`total": ", :func:`put",
                    ":any:`total": ":any:`put",
                    "return total": "return put",
                    "def total(cart)": "def put(cart)",
                },
                "shop/stock.py": {"total": "put"},
                "docs/api.rst": {":: total": ":: put", "shop.total": "shop.put"},
            },
        ),
    ],
)
def test_links_mean_what_sphinx_finds(target: str, replaced: dict[str, dict[str, str]]) -> None:
    repo = Repository(DictTree(SHOP))
    plan = parse(f"rename {target} put").plan(repo)
    assert isinstance(plan, Plan)
    wanted = dict(SHOP)
    for path, changes in replaced.items():
        for old, new in changes.items():
            assert old in wanted[path]
            wanted[path] = wanted[path].replace(old, new)
    assert {**SHOP, **plan.texts(repo)} == wanted
