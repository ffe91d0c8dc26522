"""Parameters go and change places, in the head and in the calls."""

from __future__ import annotations

import pytest
from signature_texts import made

from spark_tui.refactor import signatures


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """What other families make of the same words is theirs."""
    monkeypatch.setattr("spark_tui.refactor.known.RULES", signatures.RULES)


CART = """class Cart:
    def add(self, item, qty, note=""):
        self.items.append((item, qty))

    def total(self, rate, rounded=True):
        return sum(q for _, q in self.items) * rate


def main():
    cart = Cart()
    cart.add("pen", 3, note="blue")
    cart.add("ink", 1, "x")
    print(cart.total(1.2, True))
"""


@pytest.mark.parametrize(
    "instruction",
    [
        "drop the note parameter of add",
        "note is never used in add, remove it",
        "`add` doesn't need `note`, get rid of it",
        "Cart.add: remove note",
        "can we lose the note argument in add?",
        "remvoe note from add",
        "strip note from add's parameters",
        "remove the last parameter of add",
    ],
)
def test_a_parameter_goes_with_what_is_given_for_it(instruction: str) -> None:
    wanted = CART.replace(', note="")', ")").replace(', note="blue"', "").replace('1, "x"', "1")
    assert made(CART, instruction) == [(wanted, 2)]


@pytest.mark.parametrize(
    "instruction",
    [
        "remove qty from add",
        "remove the default of note in add",
        "remove self from add",
        "drop the loud parameter of add",
    ],
)
def test_what_is_read_or_is_no_parameter_stays(instruction: str) -> None:
    assert all("qty" in text and "self, item" in text and "note" in text for text, _ in made(CART, instruction))
    assert not any(plain == 2 and "note" not in text for text, plain in made(CART, instruction))


@pytest.mark.parametrize(
    ("head", "instruction", "wanted"),
    [
        ("def f(a, *, b):", "remove b from f", "def f(a):"),
        ("def f(a, *, b, c):", "remove b from f", "def f(a, *, c):"),
        ("def f(\n    a,\n    b,  # unused\n    c,\n):", "remove b", "def f(\n    a,\n    c,\n):"),
        ("def f(\n    a,  # kept\n    b,\n):", "remove b", "def f(\n    a,  # kept\n):"),
        ("def f(a: str = \"x, y\", b=(1, 2)) -> int:", "remove a", "def f(b=(1, 2)) -> int:"),
        ("def f(a, *args):", "remove args from f", "def f(a):"),
    ],
)  # fmt: skip
def test_heads_of_every_form(head: str, instruction: str, wanted: str) -> None:
    assert made(f"{head}\n    return 1\n", instruction) == [(f"{wanted}\n    return 1\n", 2)]


@pytest.mark.parametrize(
    "instruction",
    [
        "swap item and qty in add",
        "swap the arguments item and qty of Cart.add",
        "item and qty are in the wrong order in add",
        "add should take qty before item",
        "in add, item should come after qty",
        "exchange `item` and `qty` in the signature of add and update the calls",
    ],
)
def test_two_change_places_in_the_calls_too(instruction: str) -> None:
    wanted = (
        CART.replace("item, qty, note", "qty, item, note")
        .replace('"pen", 3', '3, "pen"')
        .replace('"ink", 1', '1, "ink"')
    )
    assert made(CART, instruction) == [(wanted, 2)]


@pytest.mark.parametrize("instruction", ["add should take item before qty", "item should come first in add"])
def test_what_is_so_already_is_left(instruction: str) -> None:
    assert made(CART, instruction) == []


@pytest.mark.parametrize(
    ("instruction", "wanted"),
    [
        ("make c the first parameter of f", "def f(c, a, b):"),
        ("move a to the end of f's parameters", "def f(b, c, a):"),
        ("reorder the parameters of f: c, b, a", "def f(c, b, a):"),
        ("c should come before a", "def f(c, a, b):"),
        ("swap a and c", "def f(c, b, a):"),
    ],
)
def test_one_moves(instruction: str, wanted: str) -> None:
    text = "def f(a, b, c):\n    return a + b + c\n"
    assert made(text, instruction) == [(text.replace("def f(a, b, c):", wanted), 2)]


def test_calls_inside_of_calls_are_not_made_half() -> None:
    text = "def f(a, b):\n    return a + b\n\n\nprint(f(f(1, 2), 3))\n"
    assert made(text, "swap a and b in f") == []


def test_names_that_are_not_ascii_are_placed_by_characters() -> None:
    text = 'def grüße(wen, wie="é", laut=True):\n    print(wen, wie)\n\n\ngrüße("ä", "ö", laut=False)\n'
    wanted = 'def grüße(wen, wie="é"):\n    print(wen, wie)\n\n\ngrüße("ä", "ö")\n'
    assert made(text, "remove laut from grüße") == [(wanted, 2)]
