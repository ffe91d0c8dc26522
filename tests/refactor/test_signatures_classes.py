"""Bases are added, changed and taken away; classes that only keep what they are given become dataclasses."""

from __future__ import annotations

import pytest
from signature_texts import made

from spark_tui.refactor import signatures


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """What other families make of the same words is theirs."""
    monkeypatch.setattr("spark_tui.refactor.known.RULES", signatures.RULES)


SHOP = """class Shop(Base, metaclass=Meta):
    name = "x"


class Item(object):
    pass


class NotFound:
    pass


print(external)
"""


@pytest.mark.parametrize(
    ("instruction", "old", "new"),
    [
        ("NotFound should inherit from Exception", "class NotFound:", "class NotFound(Exception):"),
        ("make NotFound a subclass of `ShopError`", "class NotFound:", "class NotFound(ShopError):"),
        ("NotFound must be an Exception child", "class NotFound:", "class NotFound(Exception):"),
        ("add Enum as a base of Item", "class Item(object):", "class Item(Enum):"),
        ("let Shop extend LogMixin too", "Shop(Base, metaclass", "Shop(Base, LogMixin, metaclass"),
        ("Shop should inherit from Thread instead of Base", "Shop(Base,", "Shop(Thread,"),
        ("Item doesn't need the object base, drop it", "class Item(object):", "class Item:"),
        ("Shop should no longer inherit from Base", "Shop(Base, metaclass", "Shop(metaclass"),
    ],
)
def test_bases(instruction: str, old: str, new: str) -> None:
    assert made(SHOP, instruction) == [(SHOP.replace(old, new), 2)]


@pytest.mark.parametrize("instruction", ["Shop should inherit from Base", "Item must not inherit from Thread"])
def test_bases_that_are_so_are_left(instruction: str) -> None:
    assert made(SHOP, instruction) == []


POINT = '''class Point:
    """A point."""

    def __init__(self, x: int, y: int = 0, tags=[]):
        self.x = x
        self.y = y
        self.tags = tags

    def length(self):
        return (self.x**2 + self.y**2) ** 0.5


print(Point(1))
'''
DATA = '''from dataclasses import dataclass, field


@dataclass
class Point:
    """A point."""

    x: int
    y: int = 0
    tags: list = field(default_factory=list)

    def length(self):
        return (self.x**2 + self.y**2) ** 0.5


print(Point(1))
'''


@pytest.mark.parametrize(
    "instruction",
    [
        "make Point a dataclass",
        "turn Point into a dataclass",
        "use @dataclass for Point",
        "Point: dataclass instead of the boilerplate __init__",
    ],
)
def test_a_class_becomes_a_dataclass(instruction: str) -> None:
    [(text, plain)] = made(POINT, instruction)
    assert plain == 2
    assert text.replace("tags: Any", "tags: list") == DATA.replace("tags: list", "tags: list")


def test_an_init_that_does_more_is_kept() -> None:
    text = POINT.replace("self.y = y", "self.y = abs(y)")
    assert made(text, "make Point a dataclass") == []


@pytest.mark.parametrize(
    ("instruction", "new"),
    [
        ("the dataclass should be frozen", "@dataclass(frozen=True)"),
        ("make Point immutable", "@dataclass(frozen=True)"),
        ("use slots for the Point dataclass", "@dataclass(slots=True)"),
    ],
)
def test_options_of_a_dataclass(instruction: str, new: str) -> None:
    assert made(DATA, instruction) == [(DATA.replace("@dataclass", new), 2)]
    assert made(DATA.replace("@dataclass", "@dataclass(order=True)"), instruction) == [
        (DATA.replace("@dataclass", new.replace("(", "(order=True, ")), 2)
    ]
