"""What is named several times, in the plural, or only by what stands there already."""

from __future__ import annotations

import pytest
from intent.asking import edited

TRY = "def load(d):\n    try:\n        return d[1]\n    except {}:\n        {}\n"
TWO = "def one(a):\n    {0}\n\n\ndef two(a):\n    {0}\n"
CART = "class Cart:\n    def __init__(self, owner):\n        self._owner = owner\n        self.lines = []\n"


@pytest.mark.parametrize(
    ("text", "intent", "slots", "code", "wanted"),
    [
        (
            "catch only KeyError and IndexError in load",
            "set_except",
            {"exception": "KeyError + IndexError", "function": "load"},
            TRY.format("Exception", "return 0"),
            TRY.format("(KeyError, IndexError)", "return 0"),
        ),
        (
            "narrow `except Exception` to KeyError",
            "set_except",
            {"old": "except Exception", "exception": "KeyError"},
            TRY.format("(Exception, OSError)", "return 0"),
            TRY.format("(KeyError, OSError)", "return 0"),
        ),
        (
            "raise the ValueError from None",
            "raise_from",
            {"exception": "ValueError"},
            TRY.format("KeyError", "raise ValueError(d)"),
            TRY.format("KeyError", "raise ValueError(d) from None"),
        ),
        (
            "not from None, the KeyError is the cause",
            "raise_from",
            {"exception": "KeyError"},
            TRY.format("KeyError as err", "raise ValueError(d) from None"),
            TRY.format("KeyError as err", "raise ValueError(d) from err"),
        ),
        (
            "raise TypeError instead of the assert in check",
            "change_raised",
            {"exception": "TypeError", "old": "assert", "function": "check"},
            'def check(a):\n    assert a > 1, "small"\n',
            'def check(a):\n    if a <= 1:\n        raise TypeError("small")\n',
        ),
        (
            "raise NotImplementedError, don't assert False, in check",
            "change_raised",
            {"exception": "NotImplementedError", "old": "assert False", "function": "check"},
            'def check(a):\n    assert False, "not here"\n',
            'def check(a):\n    raise NotImplementedError("not here")\n',
        ),
        (
            'the "too big" error should be a KeyError(a)',
            "change_raised",
            {"exception": "KeyError", "old": "too big"},
            'def f(a):\n    raise OSError("too small")\n\n\ndef g(a):\n    raise OSError("far too big")\n',
            'def f(a):\n    raise OSError("too small")\n\n\ndef g(a):\n    raise KeyError(a)\n',
        ),
        (
            "turn the ValueErrors into KeyErrors",
            "change_raised",
            {"old": "ValueErrors", "exception": "KeyErrors"},
            TWO.format("raise ValueError(a)"),
            TWO.format("raise KeyError(a)"),
        ),
        (
            "h.close() belongs in a finally",
            "add_finally",
            {"code": "h.close()"},
            "def f(h):\n    try:\n        h.read()\n    except OSError:\n        pass\n    h.close()\n",
            "def f(h):\n    try:\n        h.read()\n    except OSError:\n        pass\n"
            "    finally:\n        h.close()\n",
        ),
        (
            "Cart gets a property size that returns len(lines)",
            "add_method",
            {"class": "Cart", "name": "size", "result": "len(lines)"},
            CART,
            CART + "\n    @property\n    def size(self):\n        return len(self.lines)\n",
        ),
        (
            'Cart gets a method kind that returns "full"',
            "add_method",
            {"class": "Cart", "name": "kind", "result": "full"},
            CART,
            CART + '\n    def kind(self):\n        return "full"\n',
        ),
        (
            "__slots__ for Cart: _owner, lines",
            "add_field",
            {"class": "Cart", "name": "__slots__", "default": "_owner, lines"},
            CART,
            CART.replace("Cart:\n", 'Cart:\n    __slots__ = ("_owner", "lines")\n\n'),
        ),
        (
            "give Cart __slots__",
            "add_field",
            {"class": "Cart", "name": "__slots__"},
            CART,
            CART.replace("Cart:\n", 'Cart:\n    __slots__ = ("_owner", "lines")\n\n'),
        ),
        (
            "a __repr__ of Cart with the owner",
            "add_special_method",
            {"class": "Cart", "method": "__repr__", "attribute": "owner"},
            CART,
            CART + '\n    def __repr__(self):\n        return f"Cart(_owner={self._owner!r})"\n',
        ),
        (
            "two Cart with the same owner should be equal",
            "add_special_method",
            {"class": "Cart", "method": "equal", "attribute": "owner"},
            CART,
            CART + "\n    def __eq__(self, other):\n        if not isinstance(other, Cart):\n"
            "            return NotImplemented\n        return self._owner == other._owner\n",
        ),
        (
            "Broken should derive from ValueError",
            "add_base",
            {"class": "Broken", "base": "ValueError"},
            "class Broken(Exception):\n    pass\n",
            "class Broken(ValueError):\n    pass\n",
        ),
        (
            "make `make` a class method",
            "make_class_method",
            {"function": "make"},
            "class A:\n    @staticmethod\n    def make(x):\n        return x\n",
            "class A:\n    @classmethod\n    def make(cls, x):\n        return x\n",
        ),
        (
            "cache size 64 for f",
            "cache_results",
            {"size": "64", "function": "f"},
            "from functools import lru_cache\n\n\n@lru_cache(maxsize=8)\ndef f(a):\n    return a\n",
            "from functools import lru_cache\n\n\n@lru_cache(maxsize=64)\ndef f(a):\n    return a\n",
        ),
        (
            "cache size",
            "cache_results",
            {"function": "size"},
            "class A:\n    cache = 1\n\n    def size(self, depth):\n        return depth\n",
            "import functools\n\n\nclass A:\n    cache = 1\n\n    @functools.cache\n"
            "    def size(self, depth):\n        return depth\n",
        ),
        (
            "everything after first keyword-only in f",
            "make_keyword_only",
            {"parameter": "everything after first", "function": "f"},
            "def f(first, b, c):\n    return b\n",
            "def f(first, *, b, c):\n    return b\n",
        ),
        (
            "returns bool: all is_*",
            "annotate_return",
            {"type": "bool", "function": "is_*"},
            "def is_one(a):\n    return a\n\n\ndef is_two(a):\n    return a\n\n\ndef as_is():\n    pass\n",
            "def is_one(a) -> bool:\n    return a\n\n\ndef is_two(a) -> bool:\n    return a\n\n\n"
            "def as_is():\n    pass\n",
        ),
        (
            "rename a to b everywhere",
            "rename",
            {"symbol": "a", "new": "b"},
            TWO.format("return a"),
            TWO.format("return a").replace("(a", "(b").replace("n a", "n b"),
        ),
        (
            "import os is not needed",
            "remove_import",
            {"module": "os"},
            "import os\nimport os.path\n",
            "import os.path\n",
        ),
    ],
)
def test_all_that_is_named_is_done(
    text: str, intent: str, slots: dict[str, str], code: str, wanted: str
) -> None:
    assert edited(text, intent, slots, code) == wanted


def test_a_function_that_is_excepted_stays_as_it_is() -> None:
    code = TWO.format("return a")
    made = edited("rename a to b everywhere but in two", "rename", {"symbol": "a", "new": "b"}, code, "two")
    assert made == code.replace("one(a):\n    return a", "one(b):\n    return b")


def test_an_attribute_that_is_not_there_is_not_left_away() -> None:
    slots = {"class": "Cart", "method": "__repr__", "attribute": "owner + number of lines"}
    assert edited("__repr__ of Cart: owner, number of lines", "add_special_method", slots, CART) is None


def test_types_that_stand_already_are_not_replaced_by_those_that_are_missing() -> None:
    code = "def f(a) -> str:\n    return a\n"
    assert edited("-> int everywhere it is missing", "annotate_return", {"type": "int"}, code) is None


@pytest.mark.parametrize(
    ("said", "intent", "slots"),
    [
        ("print(a) before return in one and two", "insert_before", {"code": "print(a)", "anchor": "return"}),
        (
            "ignore KeyErrors of return in one and two",
            "try_pass",
            {"code": "return", "exception": "KeyErrors"},
        ),
    ],
)
def test_lines_of_one_place_do_not_move_those_of_the_next(
    said: str, intent: str, slots: dict[str, str]
) -> None:
    code = "def one(a):\n    b = a\n    return b\n\n\ndef two(a):\n    b = a\n    return b\n"
    new = edited(said, intent, {**slots, "function": "one + two"}, code) or ""
    one, _, two = new.partition("\n\n\n")
    assert one.replace("one", "two") + "\n" == two != code, new
