"""Renames reach every place that means the symbol, name what they leave, and refuse what would break."""

from __future__ import annotations

import pytest
from codemods.repositories import SHOP, changed_lines, plan, refusal, repository, texts_after

from spark_tui.codemods.checks.harm import checked


def test_a_function_is_renamed_where_it_is_imported_exported_and_reached_through_its_module() -> None:
    assert changed_lines("rename total sum_up") == {
        "shop/__init__.py": ["from .cart import Cart, sum_up", '__all__ = ["Cart", "sum_up"]'],
        "shop/cart.py": [
            '__all__ = ["Cart", "sum_up"]',
            "def sum_up(cart: Cart, tax=0.1):",
            "half = functools.partial(sum_up, tax=0.5)",
        ],
        "app/main.py": [
            "from shop import Cart as C, sum_up",
            'print(shop.sum_up(cart), sum_up(cart, tax=2), sc.sum_up(cart), mock("shop.cart.sum_up"))',
        ],
        "tests/test_cart.py": ['print(sum_up(Cart("x")))'],
    }


def test_a_method_is_renamed_in_related_classes_and_on_objects_of_known_class() -> None:
    assert changed_lines("rename Cart.add put") == {
        "shop/cart.py": [
            'def put(self, qty: int = 1) -> "Base":',
            'def put(self, qty: int = 1, *, price=None) -> "Cart":',
            "return super().put(qty=qty)",
            "return other.put(qty=2).lines",
        ],
        "app/main.py": ["cart.put(qty=3)", 'getattr(cart, "put")(2)'],
    }
    left = plan("rename Cart.add put").unfollowed
    assert [(unfollowed.path, unfollowed.line) for unfollowed in left] == [("app/main.py", 9)]


def test_a_parameter_is_renamed_with_overriding_methods_keywords_and_partials() -> None:
    assert changed_lines("rename Cart.add.qty n")["app/main.py"] == ["cart.add(n=3)"]
    assert changed_lines("rename total.tax vat") == {
        "app/main.py": [
            'print(shop.total(cart), total(cart, vat=2), sc.total(cart), mock("shop.cart.total"))'
        ],
        "shop/cart.py": [
            "def total(cart: Cart, vat=0.1):",
            'return f"{sum(cart.lines)} {vat!r:>{vat}}"  # total',
            "half = functools.partial(total, vat=0.5)",
        ],
    }


def test_everything_of_a_name_is_renamed_with_objects_that_are_called_like_their_class() -> None:
    files = {
        "a.py": "class Tree:\n    def __init__(self, height):\n        self.height = height\n",
        "b.py": "class Wall:\n    height: int\n",
        "c.py": "def both(wall, page):\n    return wall.height, page.height\n",
    }
    assert changed_lines("rename_all height size", files) == {
        "a.py": ["def __init__(self, size):", "self.size = size"],
        "b.py": ["size: int"],
        "c.py": ["return wall.size, page.height"],
    }
    doubts = [
        (unfollowed.path, unfollowed.line) for unfollowed in plan("rename_all height size", files).unfollowed
    ]
    assert doubts == [("c.py", 2), ("c.py", 2)]


def test_each_of_several_definitions_of_one_name_is_renamed_in() -> None:
    files = {
        "a.py": "if WIDE:\n    def area(cost):\n        return cost\n"
        "else:\n    def area(cost):\n        return -cost\n"
    }
    assert changed_lines("rename_all cost price", files) == {
        "a.py": ["def area(price):", "return price", "def area(price):", "return -price"]
    }


def test_a_name_that_cannot_be_given_to_all_is_given_to_none() -> None:
    files = {"a.py": "def deep(cost, price):\n    return cost\n", "b.py": "cost = 1\n"}
    assert "price exists already" in str(refusal("rename_all cost price", files))
    assert refusal("rename_all expense price", files).why == "unknown"


def test_an_import_gets_an_alias_and_its_module_keeps_its_name() -> None:
    assert changed_lines("rename app/main.py::total sum_up") == {
        "app/main.py": [
            "from shop import Cart as C, total as sum_up",
            'print(shop.total(cart), sum_up(cart, tax=2), sc.total(cart), mock("shop.cart.total"))',
        ]
    }


def test_string_annotations_and_bounds_follow_a_class() -> None:
    files = {
        "m.py": (
            'from typing import TypeVar\nclass Cart: ...\nT = TypeVar("T", bound="Cart")\nx: "list[Cart]" ='
            " []\n"
        )
    }
    assert changed_lines("rename Cart Basket", files)["m.py"] == [
        "class Basket: ...",
        'T = TypeVar("T", bound="Basket")',
        'x: "list[Basket]" = []',
    ]


def test_a_class_is_followed_into_literal_types() -> None:
    code = (
        "import typing as t\nclass E: A = 1\n"
        'One: t.TypeAlias = t.Literal[E.A, "E"]\nx: "t.Literal[E.A]" = E.A\n'
    )
    assert changed_lines("rename E Kind", {"m.py": code})["m.py"] == [
        "class Kind: A = 1",
        'One: t.TypeAlias = t.Literal[Kind.A, "E"]',
        'x: "t.Literal[Kind.A]" = Kind.A',
    ]


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("m.py", 'TypeVar("Old", bound=int)'),
        ("m.pyi", 'NewType("Old", object)'),
        ("m.py", 'namedtuple("Old", "a b")'),
    ],
)
def test_a_type_that_is_told_its_own_name_follows(path: str, value: str) -> None:
    new = changed_lines("rename Old New", {path: f"Old = {value}\nOther = {value}\nx: Old\n"})[path]
    assert new == [f"New = {value.replace('Old', 'New')}", "x: New"]


def test_overloads_and_stubs_are_renamed_with_what_they_describe() -> None:
    stub = (
        "from typing import overload\n@overload\ndef size(a: int) -> int: ...\n@overload\n"
        "def size(a: str) -> str: ...\n"
    )
    files = {"m.pyi": stub, "m.py": "def size(a):\n    return a\n", "n.py": "from m import size\nsize(a=1)\n"}
    for target, line in (("m.py::size", ""), ("m.pyi::size", "@3")):
        found = changed_lines(f"rename {target} length", files)
        assert sorted(found) == ["m.py", "m.pyi", "n.py"] and len(found["m.pyi"]) == 2
        found = changed_lines(f"rename {target}.a{line} b", files)
        assert found["m.pyi"] == ["def size(b: int) -> int: ...", "def size(b: str) -> str: ..."]
        assert found["n.py"] == ["size(b=1)"]


def test_an_import_that_cannot_take_the_new_name_keeps_the_old_one() -> None:
    files = {"a.py": "def old(): ...\n", "b.py": "from a import old\nnew = old()\n"}
    assert changed_lines("rename a.py::old new", files)["b.py"] == ["from a import new as old"]


def test_other_classes_with_a_method_of_that_name_are_left_alone() -> None:
    files = {"m.py": "class A:\n    def go(self): ...\nclass B:\n    def go(self): ...\nA().go()\nB().go()\n"}
    found = plan("rename A.go run", files)
    assert (
        found.texts(repository(files))["m.py"]
        == "class A:\n    def run(self): ...\nclass B:\n    def go(self): ...\nA().run()\nB().go()\n"
    )
    assert found.unmarked


def test_a_field_of_a_dataclass_follows_into_keywords_and_patterns() -> None:
    files = {
        "m.py": (
            "from dataclasses import dataclass\n@dataclass\nclass P:\n    qty: int\n"
            "def f(p: P):\n    match p:\n        case P(qty=1):\n            return p.qty\nP(qty=2)\n"
        )
    }
    assert changed_lines("rename P.qty n", files)["m.py"] == [
        "n: int",
        "case P(n=1):",
        "return p.n",
        "P(n=2)",
    ]


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        ("rename total class", "keyword"),
        ("rename total 2x", "not a valid name"),
        ("rename total Cart", "exists already"),
        ("rename total sum", "builtin"),
        ("rename Cart.add both", "has a member both"),
        ("rename total total", "already"),
        ("rename run.x cart", "exists already"),
        ("rename run.cart total", "captured"),
        ("rename Cart.__init__ start", "special name"),
        ("rename Crat X", "no symbol"),
        ("rename add X", "2 symbols"),
        ("rename nowhere.py::x y", "no such file"),
    ],
)
def test_what_would_break_is_refused_with_its_reason(call: str, reason: str) -> None:
    assert reason in str(refusal(call))


def test_a_name_that_is_not_there_names_the_nearest() -> None:
    assert refusal("rename Crat X").nearest == ("Cart",)
    assert [text.split("@")[0] for text in refusal("rename add X").nearest] == [
        "shop/cart.py::Base.add",
        "shop/cart.py::Cart.add",
    ]


def test_the_checks_find_nothing_in_a_rename() -> None:
    for call in (
        "rename total sum_up",
        "rename Cart Basket",
        "rename Cart.lines rows",
        "rename run.cart basket",
    ):
        assert checked(plan(call), repository(SHOP)).findings == ()


def test_a_definition_and_its_stub_are_renamed_together() -> None:
    files = {"m.py": "def total():\n    pass\n", "m.pyi": "def total() -> None: ...\n"}
    assert set(changed_lines("rename m.py::total amount", files)) == {"m.py", "m.pyi"}
    assert set(changed_lines("rename m.pyi::total amount", files)) == {"m.py", "m.pyi"}


def test_relative_imports_in_a_folder_without_an_init_belong_to_the_package() -> None:
    files = {
        "shop/__init__.py": "",
        "shop/tools.py": "def total():\n    pass\n",
        "shop/inner/use.py": "from ..tools import total\n\ntotal()\n",
    }
    changed = changed_lines("rename shop/tools.py::total amount", files)
    assert changed["shop/inner/use.py"] == ["from ..tools import amount", "amount()"]


def test_a_submodule_that_its_package_imports_is_followed() -> None:
    files = {
        "shop/__init__.py": "from . import tools\n",
        "shop/tools.py": "def total():\n    pass\n",
        "shop/use.py": "from . import tools\n\ntools.total()\n",
    }
    assert changed_lines("rename shop/tools.py::total amount", files)["shop/use.py"] == ["tools.amount()"]


def test_a_submodule_is_followed_in_the_package_that_imports_it() -> None:
    files = {
        "shop/__init__.py": "from . import tools\n\n\ndef f():\n    return tools.total()\n",
        "shop/tools.py": "def total():\n    pass\n",
    }
    assert changed_lines("rename shop/tools.py::total amount", files)["shop/__init__.py"] == [
        "return tools.amount()"
    ]
    assert "shop/__init__.py:5" in str(refusal("remove_definition shop/tools.py::total", files))


def test_what_a_package_imports_from_itself_keeps_the_name_of_the_module() -> None:
    files = {
        "shop/__init__.py": "from shop import tools\n\n__all__ = ['tools']\n",
        "shop/tools.py": "def total():\n    pass\n",
        "use.py": "import shop\n\nshop.tools.total()\n",
    }
    assert changed_lines("rename shop/__init__.py::tools parts", files) == {
        "shop/__init__.py": ["from shop import tools as parts", "__all__ = ['parts']"],
        "use.py": ["shop.parts.total()"],
    }


def test_an_override_of_a_method_outside_of_the_repository_is_not_renamed() -> None:
    text = (
        "from urllib.request import Request\n\n\nclass Own(Request):\n    def add_header(self, key, val):\n"
    )
    files = {"m.py": text + "        super().add_header(key, val)\n"}
    assert "overrides add_header" in str(refusal("rename Own.add_header put", files))


def test_a_use_that_is_not_known_is_named_though_its_line_is_edited() -> None:
    text = "class Key:\n    sep = 1\n\n\ndef copy(last, key: Key):\n    last.sep = key.sep\n"
    found = plan("rename Key.sep mark", {"m.py": text})
    assert [unfollowed.line for unfollowed in found.unfollowed] == [6]


@pytest.mark.parametrize(
    ("call", "lines"),
    [
        ("rename Sub.put.self this", ["def put(this, a, /, b, *rest):", "return this.x(a, b, rest)"]),
        ("rename Sub.put.rest more", ["def put(self, a, /, b, *more):", "return self.x(a, b, more)"]),
        ("rename Sub.put.a c", ["def put(self, c, /, b, *rest):", "return self.x(c, b, rest)"]),
    ],
)
def test_a_parameter_that_no_call_can_name_stays_in_overriding_methods(call: str, lines: list[str]) -> None:
    top = "class Top:\n    def put(self, a, /, b, *rest):\n        return self, a, rest\n"
    sub = "class Sub(Top):\n    def put(self, a, /, b, *rest):\n        return self.x(a, b, rest)\n"
    assert changed_lines(call, {"m.py": top + sub})["m.py"] == lines


def test_a_keyword_that_reaches_a_function_through_a_decorator_is_named() -> None:
    code = (
        "def wrap(f):\n    def inner(item, more=None):\n        return f(item, more)\n    return inner\n"
        "@wrap\ndef run(item, more=None): ...\ndef other(more): ...\nrun(1, more=2)\nother(more=3)\n"
    )
    found = plan("rename wrap.inner.more extra", {"m.py": code})
    assert [(unfollowed.line, "may call it" in unfollowed.reason) for unfollowed in found.unfollowed] == [
        (8, True)
    ]


def test_a_class_may_bind_the_new_name_after_it_uses_the_outer_one() -> None:
    code = "codec = 1\n\n\nclass A:\n    codec = codec\n"
    there = changed_lines("rename m.py::codec@1 renamed", {"m.py": code})
    assert there["m.py"] == ["renamed = 1", "codec = renamed"]
    back = code.replace("codec = 1", "renamed = 1").replace("codec = codec", "codec = renamed")
    assert changed_lines("rename renamed codec", {"m.py": back})["m.py"] == ["codec = 1", "codec = codec"]
    late = "renamed = 1\n\n\nclass A:\n    codec = 2\n    other = renamed\n"
    assert "another name" in str(refusal("rename renamed codec", {"m.py": late}))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("from a import X, Y as Z\nfrom b import W as W\n", "from a import X, Y\nfrom b import W as W\n"),
        ("from a import X as X\nfrom b import Y as Z\n", "from a import X as X\nfrom b import Y as Y\n"),
    ],
)
def test_an_import_that_gets_its_own_name_is_written_as_those_beside_it(old: str, new: str) -> None:
    files = {"m.py": old}
    assert texts_after("rename Z Y", files)["m.py"] == new


@pytest.mark.parametrize("target", ["a/core.py::make", "a/__init__.pyi::make", "a/__init__.py::make"])
def test_a_stub_of_a_module_that_only_imports_the_name_is_followed(target: str) -> None:
    files = {
        "a/core.py": "def make(): ...\n",
        "a/__init__.py": 'from .core import make\n__all__ = ["make"]\n',
        "a/__init__.pyi": "def make() -> None: ...\n",
        "u.py": "from a import make\nmake()\n",
    }
    changed = changed_lines(f"rename {target} build", files)
    assert changed["a/__init__.pyi"] == ["def build() -> None: ..."]
    assert changed["u.py"] == ["from a import build", "build()"]
    of_core = target.startswith("a/core")
    imported = "from .core import build" if of_core else "from .core import make as build"
    assert changed["a/__init__.py"] == [imported, '__all__ = ["build"]']
    assert ("a/core.py" in changed) == of_core


@pytest.mark.parametrize(
    "described",
    [
        "Args:\n        {}: the tax.\n        **{}: more.\n        {} (float): again, tax: no.",
        "Parameters\n    ----------\n    {} : float\n        The tax.\n    {}\n        It.",
        ":param {}: the tax\n    :param float {}: the tax\n    :type {}: float",
        "Args:\n        other: the\n        {}:\n            a rate\n\n    Returns:\n        tax: a rate",
    ],
)
def test_a_parameter_is_renamed_where_docstrings_describe_it(described: str) -> None:
    text = 'class A:\n    """A tax.\n\n    D\n    """\n\n    def __init__(self, tax):\n        """D"""\n'
    code = text.replace("D", f"{described}\n        ")
    found = plan("rename A.__init__.tax rate", {"m.py": code.replace("{}", "tax")})
    new = found.texts(repository({"m.py": code.replace("{}", "tax")}))["m.py"]
    assert new == code.replace("{}", "rate").replace("self, tax", "self, rate")
    assert found.unfollowed == ()
    nested = code.replace("{}", "tax").replace("tax):", "tax):\n        def inner(tax): ...\n")
    assert texts_after("rename A.__init__.inner.tax rate", {"m.py": nested})


def test_a_variable_is_told_from_that_of_a_comprehension() -> None:
    text = "def f(xs):\n    d = [d for d in xs]\n    return d\n"
    found = texts_after("rename f.d rows", {"m.py": text})
    assert found == {"m.py": "def f(xs):\n    rows = [d for d in xs]\n    return rows\n"}
