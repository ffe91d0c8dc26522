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


def test_a_property_that_others_override_stays() -> None:
    files = {"cart.py": CART, "big.py": "from cart import Cart\n\n\nclass Big(Cart):\n    total = 4\n"}
    files["big.py"] = files["big.py"].replace(
        "total = 4", "@property\n    def total(self):\n        return 4"
    )
    assert "override" in str(refusal(CALL, files))


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
