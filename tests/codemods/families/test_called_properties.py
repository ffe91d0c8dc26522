"""A property that becomes a method is called where it was read."""

from __future__ import annotations

import pytest
from codemods.repositories import plan, refusal, repository, texts_after

CALL = "remove_decorator Cart.total property"
CART = """class Cart:
    @property
    def total(self):
        return 3

    def double(self):
        return 2 * self.total
"""


def test_what_reads_a_property_calls_the_method() -> None:
    use = (
        "from cart import Cart\n\n\ndef show(cart: Cart, other):\n    print(f'{cart.total} {other.totals}')\n"
    )
    found = texts_after(CALL, {"cart.py": CART, "use.py": use})
    assert "@property" not in found["cart.py"]
    assert "2 * self.total()" in found["cart.py"]
    assert "{cart.total()} {other.totals}" in found["use.py"]
    assert plan(CALL, {"cart.py": CART, "use.py": use}).unmarked


@pytest.mark.parametrize(
    ("line", "follows", "reason"),
    [
        ("other.total", True, "other.total was assumed to read it"),
        ("Cart.total", False, "Cart.total may read it"),
        ("del other.total", False, "other.total may read it"),
    ],
)
def test_what_only_may_read_it_is_named(line: str, follows: bool, reason: str) -> None:
    files = {"cart.py": CART, "use.py": f"from cart import Cart\n\n\ndef show(other):\n    {line}\n"}
    made = plan(CALL, files)
    assert [one.reason for one in made.unfollowed] == [reason]
    assert ("total()" in made.texts(repository(files)).get("use.py", "")) is follows


@pytest.mark.parametrize(
    "body",
    [
        "    @property\n    def total(self):\n        return 4\n",
        "    total = 4\n",
        "    def __init__(self):\n        self.total = 4\n",
    ],
)
def test_a_property_that_others_override_stays(body: str) -> None:
    files = {"cart.py": CART, "big.py": f"from cart import Cart\n\n\nclass Big(Cart):\n{body}"}
    assert "override" in str(refusal(CALL, files))


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("return getattr(cart, 'total')", "a text names it"),
        ("return getattr(other, 'total', None)", "getattr(other, 'total', None) may read it"),
        ("return patch('cart.Cart.total', 4)", "a text names it"),
        ("return patch.object(Cart, 'total', 4)", "a text names it"),
        ("return sorted(other, key=attrgetter('total'))", "attrgetter('total') may read it"),
        ("return Mock(total=4)", "the Mock may stand for an object of the class"),
        ("match cart:\n        case Cart(total=4): return 1", "Cart(total=4) may read it"),
    ],
)
def test_what_has_its_name_and_cannot_call_it_is_named(line: str, reason: str) -> None:
    use = f"from cart import Cart\n\n\ndef show(cart: Cart, other):\n    {line}\n"
    assert [one.reason for one in plan(CALL, {"cart.py": CART, "use.py": use}).unfollowed] == [reason]


def test_a_template_a_protocol_another_name_and_a_decorator_above_are_named() -> None:
    code = CART.replace("    @property", "    @shown\n    @property") + "\n    amount = total\n"
    protocol = "from typing import Protocol\n\n\nclass Priced(Protocol):\n    total: int\n"
    files = {"cart.py": code, "cart.html": "{{ cart.total }}", "priced.py": protocol}
    assert sorted(one.reason for one in plan(CALL, files).unfollowed) == [
        "@shown takes the method without @property now",
        "a template uses .total",
        "the protocol Priced has a member total",
        "total may be read as a property",
    ]


def test_an_object_of_a_base_may_be_one_of_another_class() -> None:
    code = f"class Base: ...\n\n\n{CART.replace('Cart:', 'Cart(Base):')}\n\nclass Box(Base):\n    total = 4\n"
    files = {"cart.py": code, "use.py": "from cart import Base\n\n\ndef f(b: Base):\n    return b.total\n"}
    made = plan(CALL, files)
    assert [one.reason for one in made.unfollowed] == ["b.total may read it"]
    assert "use.py" not in made.texts(repository(files))


FAR = {
    "cart.py": CART,
    "words.py": "import rows\n\nNAMES = ['total']\n",
    "rows.py": "def row(one, names):\n    return [getattr(one, name) for name in names]\n",
}


@pytest.mark.parametrize(("imports", "said"), [("", False), ("import cart\n", True)])
def test_a_text_that_has_nothing_to_do_with_the_class_is_not_named(imports: str, said: bool) -> None:
    files = {**FAR, "words.py": imports + FAR["words.py"]}
    assert any("may be looked up" in one.reason for one in plan(CALL, files).unfollowed) is said


def test_a_property_becomes_one_that_is_kept_and_slots_have_no_place_for_it() -> None:
    call = "add_decorator Cart.total functools.cached_property"
    files = {"cart.py": CART}
    assert CART.replace("property", "functools.cached_property", 1) in texts_after(call, files)["cart.py"]
    for slots in ("    __slots__ = ('items',)\n", ""):
        head = "class Cart:\n" if slots else "@dataclass(slots=True)\nclass Cart:\n"
        files = {
            "cart.py": "from dataclasses import dataclass\n" + CART.replace("class Cart:\n", head + slots)
        }
        assert "have slots" in "; ".join(one.reason for one in plan(call, files).unfollowed)
    assert "have slots" not in "; ".join(one.reason for one in plan(call, {"cart.py": CART}).unfollowed)
