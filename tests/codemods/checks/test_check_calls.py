"""Changes that are sure to make no call a misfit, and those that may."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from codemods.repositories import findings, reasons, repository

from spark_tui.codemods.checks.calls import misfits, misfits_of_new, other_calls_fit
from spark_tui.codemods.checks.renamings import is_renaming
from spark_tui.pysource.repository import Repository

CART = """import os
from shop.prices import price_of


class Basket:
    def size(self): return 1


class Cart(Basket):
    def __init__(self, owner):
        self.owner = owner

    def add(self, item, count=1):
        print(item)
        return price_of(item) * count

    def twice(self, item):
        return self.add(item, 2)


def cart_of(owner):
    cart = Cart(owner)
    cart.add("a")
    return cart
"""
PRICES = """def price_of(item): return 1
def other(a, b): return 2
"""
USES = """from shop.cart import Cart, cart_of

cart = cart_of("me")
cart.add("b", 3)
cart.size()
Cart("you").twice("c")
"""
NOTES = """from shop.cart import Basket

def note(kit):
    kit.logger.info(kit.__repr__, kit.rates, Basket().__str__)
"""
FILES = {
    "shop/__init__.py": "",
    "shop/cart.py": CART,
    "shop/notes.py": NOTES,
    "shop/prices.py": PRICES,
    "shop/uses.py": USES,
}

SURE = {
    "a guard": (
        "        print(item)\n",
        '        if item is None:\n            raise ValueError("item")\n        print(item)\n',
    ),
    "an early return": (
        "        print(item)\n",
        "        if not item:\n            return None\n        print(item)\n",
    ),
    "a statement less": ("        print(item)\n", ""),
    "a docstring": ("        print(item)\n", '        """Add an item."""\n        print(item)\n'),
    "an import from elsewhere": ("import os\n", "import logging\nimport os\n"),
    "a name that nothing mentions": ("import os\n", "import os\nLIMIT = 3\n"),
    "a handler": (
        "        print(item)\n",
        "        try:\n            print(item)\n        except OSError:\n            pass\n",
    ),
    "a parameter that no call passes": ("item, count=1", "item, count=1, strict=False"),
    "a method that nobody calls": ("    def twice", "    def reset(self, to): return None\n\n    def twice"),
    "another argument of a call that makes an object": ("cart = Cart(owner)", "cart = Cart(owner.name)"),
    "another argument of a call in a result": ("return self.add(item, 2)", "return self.add(item, 3)"),
    "a parameter that calls may leave out now": ("self, owner)", "self, owner=None)"),
    "a logger, which others have too": (
        "import os\n",
        "import logging\nimport os\nlogger = logging.getLogger(__name__)\n",
    ),
    "a special method": ("    def twice", '    def __repr__(self): return "a cart"\n\n    def twice'),
    "slots": ("    def twice", '    __slots__ = ("owner",)\n\n    def twice'),
    "a decorator that keeps results": ("    def twice", "    @cache\n    def twice"),
    "a new call that fits": ("        print(item)\n", '        self.twice("b")\n'),
}
UNSURE = {
    "a parameter that every call lacks": ("item, count=1", "item, count, more"),
    "a parameter that a call leaves out": ("count=1", "count"),
    "a new call that does not fit": ("        print(item)\n", "        self.twice()\n"),
    "another function behind a name": ("import price_of", "import other as price_of"),
    "another base": ("(Basket)", "(object)"),
    "an object of another class": ("cart = Cart(owner)", "cart = Basket()"),
    "another result": ("    return cart\n", "    return os\n"),
    "a method that is called already": (
        "    def twice",
        "    def size(self, unit): return 1\n\n    def twice",
    ),
    "a local name that is used": ("    cart.add", "    Cart = owner\n    cart.add"),
    "a function under a name that others have": ("\n\ndef cart_of", "rates = price_of\n\n\ndef cart_of"),
    "a special method that is handed on": (
        "    def twice",
        '    def __str__(self): return "a cart"\n\n    def twice',
    ),
    "a decorator": ("    def twice", "    @staticmethod\n    def twice"),
}


def changed(old: str, new: str) -> tuple[Repository, Repository]:
    assert CART.count(old) >= 1
    before = repository(FILES)
    return before, before.with_changes({"shop/cart.py": CART.replace(old, new, 1)})


def fits_as_before(before: Repository, after: Repository, paths: list[str]) -> bool:
    others = other_calls_fit(before, after, paths)
    return others is not None and not list(misfits_of_new(before, after, paths, others.methods))


@pytest.mark.parametrize("name", SURE)
def test_a_change_that_makes_no_call_a_misfit_is_seen_without_all_calls(name: str) -> None:
    before, after = changed(*SURE[name])
    assert fits_as_before(before, after, ["shop/cart.py"])


@pytest.mark.parametrize("name", UNSURE)
def test_a_change_of_what_names_mean_is_not_taken_for_sure(name: str) -> None:
    before, after = changed(*UNSURE[name])
    assert not fits_as_before(before, after, ["shop/cart.py"])


@pytest.mark.parametrize("name", [*SURE, *UNSURE])
def test_what_is_sure_is_what_all_calls_say(name: str) -> None:
    before, after = changed(*{**SURE, **UNSURE}[name])
    paths = ["shop/cart.py"]
    old = Counter(misfit.key for misfit in misfits(before, after, before, paths))
    new = Counter(misfit.key for misfit in misfits(before, after, after, paths))
    others = other_calls_fit(before, after, paths)
    if others is not None:
        fewer = [
            Counter(misfit.key for misfit in misfits_of_new(*pair, paths, others.methods))
            for pair in ((before, after), (after, before))
        ]
        # Where calls were mended, only that no call is a misfit is sure.
        assert (others.mended and fewer[0]) or fewer[0] - fewer[1] == new - old


def test_a_change_that_mends_one_call_and_breaks_another_names_the_other() -> None:
    text = CART.replace("Cart(owner)", "Cart()")
    files = {**FILES, "shop/cart.py": text}
    mended = text.replace("self, owner)", "self, owner=None)")
    assert findings("calls", files, {"shop/cart.py": mended}) == []
    broken = mended.replace("        print(item)\n", "        self.twice()\n")
    (found,) = findings("calls", files, {"shop/cart.py": broken})
    assert (found.line, found.reason) == (14, "self.twice(…) does not fit: twice needs 'item'")


RENAMED = {
    "a class": ("Cart", "Trolley", True),
    "a method": ("twice", "double", True),
    "a function": ("cart_of", "trolley_of", True),
    "a name that is there": ("Cart", "Basket", False),
    "the name of a builtin": ("Cart", "property", False),
    "a name that objects from elsewhere have": ("twice", "append", False),
    "a name that a file has": ("Cart", "uses", False),
    "a part of another word": ("size", "sizes", True),
}


@pytest.mark.parametrize("name", RENAMED)
def test_a_word_in_the_place_of_another_one_leaves_what_calls_mean(name: str) -> None:
    old, new, sure = RENAMED[name]
    before = repository(FILES)
    texts = {path: re.sub(rf"\b{old}\b", new, FILES[path]) for path in ("shop/cart.py", "shop/uses.py")}
    after = before.with_changes(texts)
    assert is_renaming(before, after, list(texts)) is sure
    if sure:
        assert fits_as_before(before, after, list(texts))
        assert not any(True for _ in misfits(before, after, after, list(texts)))


def test_a_word_that_stays_in_one_place_is_no_renaming() -> None:
    before = repository(FILES)
    cart = CART.replace("twice", "double")
    assert not is_renaming(before, before.with_changes({"shop/cart.py": cart}), ["shop/cart.py"])
    other = cart.replace("print(item)", "print(item, 1)")
    texts = {"shop/cart.py": other, "shop/uses.py": USES.replace("twice", "double")}
    assert not is_renaming(before, before.with_changes(texts), list(texts))
    kept = {**texts, "shop/cart.py": cart.replace("return cart\n", "return cart.twice\n")}
    assert not is_renaming(before, before.with_changes(kept), list(kept))


@pytest.mark.parametrize(
    "text, sure", [("# a Cart\n'Cart'\n", True), ("made(Cart=1)\n", False), ("(", False)]
)
def test_a_word_may_stay_in_texts(text: str, sure: bool) -> None:
    before = repository({**FILES, "text.py": f"{text}  # not a Cart"})
    texts = {path: re.sub(r"\bCart\b", "Trolley", FILES[path]) for path in ("shop/cart.py", "shop/uses.py")}
    assert is_renaming(before, before.with_changes(texts), list(texts)) is sure


LOCALS = (
    "count = 1\n\ndef put(item, twice=False):\n    total = [item for item in (item, count)]\n"
    "    return lambda size: total + [size]\n\nclass Shelf:\n    size = 2\n    def fill(self, size):\n"
    "        return put(size, twice=True)\n"
)
RENAMED_LOCALS = {
    "a parameter, whose keyword is elsewhere": ("item", "thing", True),
    "a parameter that a keyword names": ("twice", "often", True),
    "a local that is to be what a global one is": ("total", "count", False),
    "a local and a builtin": ("total", "item", False),
    "a name of the module": ("count", "number", False),
    "a name of a class too": ("size", "width", False),
}


@pytest.mark.parametrize("name", RENAMED_LOCALS)
def test_a_local_name_may_stay_elsewhere(name: str) -> None:
    old, new, sure = RENAMED_LOCALS[name]
    before = repository({"shelf.py": LOCALS, "other.py": f"class Other:\n    {old} = {new} = 1\n"})
    after = before.with_changes({"shelf.py": re.sub(rf"\b{old}\b", new, LOCALS)})
    assert is_renaming(before, after, ["shelf.py"]) is sure


def test_a_file_that_comes_or_goes_is_not_taken_for_sure() -> None:
    before = repository(FILES)
    after = before.with_changes({"shop/prices.py": None, "shop/new.py": PRICES})
    assert not fits_as_before(before, after, ["shop/prices.py", "shop/new.py"])


def test_only_the_calls_of_changed_statements_are_looked_at(monkeypatch):
    """In a large file most calls stay: what they call is not found out again."""
    asked = []
    many = "".join(f"def f{at}():\n    return price_of({at})\n\n\n" for at in range(50))
    files = {"a.py": PRICES + many + "def last():\n    return other(1, 2)\n"}
    before = repository(files)
    after = before.with_changes({"a.py": files["a.py"].replace("price_of(7)", "price_of(7, 8)")})
    values = after.infer.values
    monkeypatch.setattr(after.infer, "values", lambda *given: asked.append(given) or values(*given))
    found = list(misfits_of_new(before, after, ["a.py"], ()))
    assert [misfit.called for misfit in found] == ["price_of"]
    assert len({given[1] for given in asked}) < 5


@pytest.mark.parametrize(
    ("new", "problem"),
    [
        ("json.dumps(data, handle)", "dumps takes 1 positional arguments, not 2"),
        ("dumps(data, handle)", "dumps takes 1 positional arguments, not 2"),
        ("json.load(data, handle)", "load takes 1 positional arguments, not 2"),
        ("json.dumps(data, indent=2)", ""),
        ("text.dumps(data, handle)", ""),
        ("time.strftime(1, 2, 3)", ""),  # Python does not tell what it takes
    ],
)
def test_a_call_fits_a_function_of_the_library(new: str, problem: str) -> None:
    code = "import json, time\nfrom json import dumps\n\n\ndef save(data, handle, text):\n"
    code += "    json.dump(data, handle)\n"
    text = code.replace("json.dump(data, handle)", new)
    told = f"{new.partition('(')[0]}(…) does not fit: {problem}"
    assert reasons("calls", {"a.py": code}, {"a.py": text}) == ([told] if problem else [])
