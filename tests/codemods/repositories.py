"""A small repository for tests of codemods, and helpers."""

from __future__ import annotations

from collections.abc import Mapping

from spark_tui.codemods import registry
from spark_tui.codemods.checks.harm import check
from spark_tui.codemods.plan import Finding, Plan, Refused
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

SHOP = {
    "shop/__init__.py": 'from .cart import Cart, total\n\n__all__ = ["Cart", "total"]\n',
    "shop/cart.py": """from __future__ import annotations

import functools

__all__ = ["Cart", "total"]


class Base:
    def add(self, qty: int = 1) -> "Base":
        return self


class Cart(Base):
    count: int = 0

    def __init__(self, owner: str):
        self.owner = owner
        self.lines = []

    def add(self, qty: int = 1, *, price=None) -> "Cart":
        self.lines.append((qty, price))
        return super().add(qty=qty)

    def both(self, other: Cart):
        return other.add(qty=2).lines


def total(cart: Cart, tax=0.1):
    return f"{sum(cart.lines)} {tax!r:>{tax}}"  # total


half = functools.partial(total, tax=0.5)
""",
    "app/main.py": """import shop
from shop import Cart as C, total
import shop.cart as sc


def run(x):
    cart = C("me")
    cart.add(qty=3)
    x.add(qty=1)
    getattr(cart, "add")(2)
    print(shop.total(cart), total(cart, tax=2), sc.total(cart), mock("shop.cart.total"))
""",
    "tests/test_cart.py": 'from shop.cart import *\n\nprint(total(Cart("x")))\n',
}


def repository(files: Mapping[str, str] = SHOP) -> Repository:
    return Repository(DictTree(files))


def plan(text: str, files: Mapping[str, str] = SHOP) -> Plan:
    """The plan of a call; fails where it is refused."""
    found = registry.parse(text).plan(repository(files))
    assert isinstance(found, Plan), str(found)
    return found


def texts_after(call: str, files: Mapping[str, str] = SHOP) -> dict[str, str | None]:
    """The new texts of the files that a call changes."""
    return plan(call, files).texts(repository(files))


def after(call: str, code: str) -> str:
    """The new text of a file `m.py`."""
    return texts_after(call, {"m.py": code})["m.py"] or ""


def swapped(call: str, code: str, *pairs: tuple[str, str]) -> None:
    """The call changes these parts of `m.py` and nothing else."""
    wanted = code
    for old, new in pairs:
        assert wanted.count(old) == 1
        wanted = wanted.replace(old, new)
    assert after(call, code) == wanted


def changes_one_place(
    call: str, files: Mapping[str, str], path: str, old: str, new: str, newline: str
) -> None:
    """The call changes this part of a file and nothing else, whatever the line endings are."""
    wanted, ended = files[path], {name: text.replace("\n", newline) for name, text in files.items()}
    assert wanted.count(old) == 1
    assert texts_after(call, ended) == {path: wanted.replace(old, new).replace("\n", newline)}


def findings(kind: str, files: Mapping[str, str], changes: Mapping[str, str | None]) -> list[Finding]:
    """What one of the checks finds in the files that change."""
    before = repository(files)
    return check(before, before.with_changes(changes), list(changes), (kind,))


def reasons(kind: str, files: Mapping[str, str], changes: Mapping[str, str | None]) -> list[str]:
    return [finding.reason for finding in findings(kind, files, changes)]


def refusal(text: str, files: Mapping[str, str] = SHOP) -> Refused:
    found = registry.parse(text).plan(repository(files))
    assert isinstance(found, Refused), found
    return found


def changed_lines(text: str, files: Mapping[str, str] = SHOP) -> dict[str, list[str]]:
    """The new lines of each changed file after a call."""
    out: dict[str, list[str]] = {}
    for path, new in texts_after(text, files).items():
        old = set(files.get(path, "").splitlines())
        out[path] = [line.strip() for line in (new or "").splitlines() if line not in old]
    return out
