# ruff: noqa: E501 - one case a line reads better unbroken
"""Members of classes that an order spells out are written as the class would have them."""

from __future__ import annotations

import pytest

from spark_tui.refactor.members import RULES
from spark_tui.refactor.order import Order
from spark_tui.refactor.source import Source

SHOP = '''from dataclasses import dataclass, field
from enum import Enum


class Color(Enum):
    RED = "red"
    BLUE = "blue"


@dataclass
class Reading:
    """One reading."""

    station: str
    temp: float
    wind: float = 0.0


class Cart:
    RATE = 0.2

    def __init__(self, owner, limit=5):
        self.owner = owner
        self.items = []
        self.limit = limit
        self.open = False

    def total(self):
        return sum(i.price for i in self.items)

    def close(self):
        self.open = False


def main():
    cart = Cart("bob")
    print(cart.total())
'''
END = "        self.open = False\n\n\ndef main"
"""What stands around the end of the last class."""


def plainly(text: str, instruction: str) -> list[str]:
    """Texts that account for all that is said."""
    order = Order(Source(text.split("\n")[:-1]), instruction)
    edits = [edit for rule in RULES if rule.trigger.search(order.said) for edit in rule.make(order)]
    return list(dict.fromkeys(edit.text for edit in edits if not order.left_over(edit) and edit.text != text))


def with_method(*lines: str) -> str:
    """The shop, with a method at the end of the cart."""
    assert SHOP.count(END) == 1
    body = "".join(f"    {line}\n" if line else "\n" for line in lines)
    return SHOP.replace(END, f"        self.open = False\n\n{body}\n\ndef main")


def replaced(old: str, new: str) -> str:
    assert SHOP.count(old) == 1, old
    return SHOP.replace(old, new)


REPR = (
    "def __repr__(self):",
    '    return f"Cart(owner={self.owner!r}, items={self.items!r}, limit={self.limit!r}, open={self.open!r})"',
)
EQ = (
    "def __eq__(self, other):",
    "    if not isinstance(other, Cart):",
    "        return NotImplemented",
    "    return (self.owner, self.limit) == (other.owner, other.limit)",
)
LEN = ("def __len__(self):", "    return len(self.items)")
MANAGED = ("def __enter__(self):", "    return self", "", "def __exit__(self, exc_type, exc, tb):", "    self.close()")


@pytest.mark.parametrize(
    ("instruction", "lines"),
    [
        ("add a __repr__ to Cart", REPR),
        ("give the cart a repr", REPR),
        ("give Cart a repr like Cart(owner, limit)", ("def __repr__(self):", '    return f"Cart({self.owner}, {self.limit})"')),
        ("Cart needs a __repr__ that shows only owner and limit", ("def __repr__(self):", '    return f"Cart(owner={self.owner!r}, limit={self.limit!r})"')),
        ('add __str__ to Cart that returns f"{self.owner}: {self.total()}"', ("def __str__(self):", '    return f"{self.owner}: {self.total()}"')),
        ("str(cart) should be the owner", ("def __str__(self):", "    return str(self.owner)")),
        ("len(cart) should give the number of items", LEN),
        ("Cart needs a len method", LEN),
        ("make Cart iterable", ("def __iter__(self):", "    return iter(self.items)")),
        ("make carts sortable by limit", ("def __lt__(self, other):", "    return self.limit < other.limit")),
        ("two carts are equal if owner and limit are the same", EQ),
        ("make Cart hashable by owner", ("def __hash__(self):", "    return hash((self.owner,))")),
        ("make Cart a context manager", MANAGED),
        ("add a method count to Cart that returns len(self.items)", ("def count(self):", "    return len(self.items)")),
        ("add a method clear to Cart that empties the items", ("def clear(self):", "    self.items = []")),
        ("give Cart a clear method which empties the items", ("def clear(self):", "    self.items = []")),
        ("add a method put(item) to Cart that appends item to items", ("def put(self, item):", "    self.items.append(item)")),
        ("Cart needs a toggle method that flips open", ("def toggle(self):", "    self.open = not self.open")),
        ("add a method grow(by) to Cart that increases limit by by", ("def grow(self, by):", "    self.limit += by")),
        ("add a method rename(name) to Cart that sets owner to name", ("def rename(self, name):", "    self.owner = name")),
        ("add a method reset which sets items to an empty list and limit to 5", ("def reset(self):", "    self.items = []", "    self.limit = 5")),
        ("write a method is_full that returns whether len(items) >= limit", ("def is_full(self):", "    return len(self.items) >= self.limit")),
        ("add a property is_empty to Cart that returns not self.items", ("@property", "def is_empty(self):", "    return not self.items")),
        ("give Cart a has_items property returning bool(self.items)", ("@property", "def has_items(self):", "    return bool(self.items)")),
        ("add an empty method checkout to Cart", ("def checkout(self):", "    pass")),
        ("add a stub for refund to Cart", ("def refund(self):", "    pass")),
        ("I want to be able to do len(cart)", LEN),
        ("Cart objects should be comparable with ==, only owner and limit", EQ),
        ("implement __getitem__ for Cart, delegating to items", ("def __getitem__(self, index):", "    return self.items[index]")),
        ("add a method is_open returning open", ("def is_open(self):", "    return self.open")),
        ("add a size property to Cart which returns the number of items", ("@property", "def size(self):", "    return len(self.items)")),
        ("add method has(item) to Cart: return item in self.items", ("def has(self, item):", "    return item in self.items")),
        ("add a method discount that takes percent and returns total * percent", ("def discount(self, percent):", "    return self.total() * percent")),
        ("I'll write apply_coupon later, only put an empty one in Cart", ("def apply_coupon(self):", "    pass")),
    ],
)  # fmt: skip
def test_a_method_that_is_spelled_out_is_written(instruction: str, lines: tuple[str, ...]) -> None:
    assert plainly(SHOP, instruction) == [with_method(*lines)]


INIT = "        self.items = []\n        self.limit = limit\n        self.open = False\n"
FIELDS = "    wind: float = 0.0\n"
COLORS = '    BLUE = "blue"\n'


@pytest.mark.parametrize(
    ("instruction", "old", "more"),
    [
        ("add an attribute created to Cart, initially None", INIT, "        self.created = None\n"),
        ("carts should have a discount attribute starting at zero", INIT, "        self.discount = 0\n"),
        ("add self.count = 0 to Cart's __init__", INIT, "        self.count = 0\n"),
        ("give Cart a notes attribute, an empty list", INIT, "        self.notes = []\n"),
        ('Cart needs a currency attribute with default "EUR"', INIT, '        self.currency = "EUR"\n'),
        ("keep `owner` as self.payer, in the constructor of Cart", INIT, "        self.payer = owner\n"),
        ("new attribute `coupon` on Cart, None by default", INIT, "        self.coupon = None\n"),
        ("Cart.__init__ should also set self.coupon to None", INIT, "        self.coupon = None\n"),
        ("add a humidity field to Reading, float, default 0.0", FIELDS, "    humidity: float = 0.0\n"),
        ("Reading needs a humidity too, float with default 0.0", FIELDS, "    humidity: float = 0.0\n"),
        ('add field unit: str = "C" to Reading', FIELDS, '    unit: str = "C"\n'),
        ("Reading should have an optional note, a string", FIELDS, "    note: str | None = None\n"),
        ("add a list of strings called tags to Reading", "    temp: float\n", "    tags: list[str]\n"),
        ("add GREEN to Color", COLORS, '    GREEN = "green"\n'),
        ('new color GREEN = "green"', COLORS, '    GREEN = "green"\n'),
        ('add a member YELLOW with value "yellow" to the Color enum', COLORS, '    YELLOW = "yellow"\n'),
        ("Color is missing BLACK", COLORS, '    BLACK = "black"\n'),
        ("add a class attribute MAX_ITEMS = 10 to Cart", "    RATE = 0.2\n", "    MAX_ITEMS = 10\n"),
    ],
)  # fmt: skip
def test_what_a_class_holds_is_added_behind_its_like(instruction: str, old: str, more: str) -> None:
    assert plainly(SHOP, instruction) == [replaced(old, old + more)]


def test_a_type_that_is_not_known_yet_is_imported() -> None:
    (made,) = plainly(SHOP, "add a timestamp: datetime to Reading")
    assert "from datetime import datetime\n" in made
    assert "    temp: float\n    timestamp: datetime\n" in made


@pytest.mark.parametrize(
    "instruction", ["make total a property", "turn Cart.total into a property", "total should be a property"]
)
def test_calls_of_what_becomes_a_property_lose_their_brackets(instruction: str) -> None:
    wanted = replaced("    def total(", "    @property\n    def total(").replace("cart.total()", "cart.total")
    assert plainly(SHOP, instruction) == [wanted]


def test_a_setter_stands_behind_its_property() -> None:
    text = "class A:\n    @property\n    def x(self):\n        return self._x\n"
    assert plainly(text, "add a setter for x") == [
        f"{text}\n    @x.setter\n    def x(self, value):\n        self._x = value\n"
    ]


def test_a_function_goes_behind_the_others() -> None:
    added = "\n\ndef is_even(n):\n    return n % 2 == 0\n"
    assert plainly(SHOP, "add a function is_even(n) that returns n % 2 == 0") == [SHOP + added]


def test_a_lonely_pass_gives_way() -> None:
    assert plainly("class A:\n    pass\n", "add an empty method run_all to A") == [
        "class A:\n    def run_all(self):\n        pass\n"
    ]


def test_numbers_of_an_enum_go_on() -> None:
    text = "from enum import Enum\n\n\nclass Mode(Enum):\n    OFF = 0\n    ON = 1\n"
    assert plainly(text, "add an AUTO mode") == [f"{text}    AUTO = 2\n"]
    assert plainly(text, "add AUTO to Mode") == [f"{text}    AUTO = 2\n"]


@pytest.mark.parametrize(
    "instruction",
    [
        "add an attribute owner to Cart, initially None",
        "add a method total to Cart that returns 3",
        "add a temp field to Reading, float",
        "add RED to Color",
        "Cart should sort the items by price",
        "add a method pay to Cart that charges the owner via stripe",
        "add a field payload of type Blob to Reading",
        "total should return the length of the items",
        "make main a property",
        "print the length of the cart in main",
        "why is Cart not iterable",
        "loop over the cart items",
        "check the length of the cart",
        "sort the carts by owner",
        "start counter at 1",
        "add TIMEOUT = 5 at the top",
        "set self.limit to 3",
        "add a docstring to the total method",
    ],
)
def test_what_is_there_or_not_spelled_out_is_left_alone(instruction: str) -> None:
    assert plainly(SHOP, instruction) == []
