"""What an expression may be, where the text leads in circles."""

import ast

import pytest

from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.inference.values import UNKNOWN, InstanceValue
from spark_tui.pysource.repository import Repository


def last_value(text):
    """The value of the expression in the last line."""
    repo = Repository(DictTree({"a.py": text}))
    source, scopes = repo.index.source("a.py"), repo.index.scopes("a.py")
    statement = source.tree.body[-1]
    assert isinstance(statement, ast.Expr)
    return repo.infer.values("a.py", statement.value, scopes.module)


@pytest.mark.parametrize(
    "text",
    [
        "x: x = 1\nx.y\n",
        "class Row:\n    date: date\n\nrow: Row\nrow.date.day\n",
        "a: b\nb: a\na.c\n",
        "class Row:\n    date: 'date'\n\nRow().date\n",
    ],
)
def test_a_variable_that_is_its_own_annotation_is_unknown_and_ends(text):
    assert UNKNOWN in last_value(text)


def test_a_variable_that_is_asked_for_twice_is_known_both_times():
    text = "class Cart: ...\n\ncart: Cart\nother = cart\ncart or other\n"
    assert all(isinstance(item, InstanceValue) for item in last_value(text))


@pytest.mark.parametrize(
    "text",
    [
        "d = {}\nd.get(1)\n",
        "d = dict()\nd.pop(1)\n",
        "d = []\nd.pop()\n",
        "d = {}\nd.setdefault(1, y)\n",
        "import random\nrandom.choice(y)\n",
        "import heapq\nheapq.heappop(y)\n",
        "d = lambda: y\nd()\n",
    ],
)
def test_what_a_container_hands_out_may_be_of_the_repository(text):
    assert last_value(text) == (UNKNOWN,)


@pytest.mark.parametrize(
    ("body", "known"),
    [
        ("    return isinstance(other, Point) and other", True),
        (
            "    return 1 if isinstance(other, Point) and self else 2, isinstance(other, Point) or other",
            False,
        ),
        ("    if isinstance(other, Point) and self:\n        return other", True),
        ("    if isinstance(other, Point):\n        pass\n    else:\n        return other", False),
        ("    if not isinstance(other, Point):\n        raise TypeError\n    return other", True),
        ("    if not isinstance(other, Point):\n        print()\n    return other", False),
        ("    while isinstance(other, Point):\n        other = other.next\n        return other", False),
        ("    return isinstance(other, (Point, int)) and other", False),
        ("    return isinstance(other, Point) and (lambda other: other)(1)", False),
    ],
)
def test_a_name_that_was_tested_with_isinstance_is_an_object_of_the_class(body, known):
    repo = Repository(DictTree({"a.py": f"class Point: ...\n\ndef same(self, other):\n{body}\n"}))
    scopes = repo.index.scopes("a.py")
    use = [one for one in scopes.by_name["other"] if isinstance(one.node, ast.Name)][-1]
    found = repo.infer.values("a.py", use.node, scopes.scope_of[scopes.source.functions[0]])
    assert all(isinstance(one, InstanceValue) for one in found) is known


_CARTS = "class Cart: ...\n\ndef f(carts: list[Cart], of: dict[str, Cart], one: Cart, other: object):\n"


@pytest.mark.parametrize(
    ("body", "known"),
    [
        ("for at, cart in enumerate(carts):", True),
        ("for cart, at in enumerate(carts):", False),
        ("for name, cart in of.items():", True),
        ("for at, cart in zip(other, carts):", True),
        ("for at, *cart in zip(other, carts):", False),
        ("for cart in sorted(carts, key=len):", True),
        ("for at, cart in enumerate(reversed(carts), 1):", True),
        ("for at, cart in other(carts):", False),
        ("for at, cart in carts:", False),
        ("for enumerate, cart in enumerate(carts):", False),
        ("cart, at = one, other\n    if cart:", True),
        ("at, cart = one, other\n    if cart:", False),
        ("at, cart = one\n    if cart:", False),
    ],
)
def test_a_name_in_a_row_has_the_value_of_its_place(body: str, known: bool) -> None:
    repo = Repository(DictTree({"a.py": f"{_CARTS}    {body}\n        cart.total\n"}))
    use = repo.index.scopes("a.py").attributes_by_name["total"][0]
    found = repo.infer.values("a.py", use.node.value, use.scope)
    assert all(isinstance(item, InstanceValue) for item in found) is known
