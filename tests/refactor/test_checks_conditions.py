"""Conditions that are said in words become the code that one would type."""

from __future__ import annotations

import pytest

from spark_tui.refactor.conditions import condition
from spark_tui.refactor.naming import naming_in
from spark_tui.refactor.predicates import oppose
from spark_tui.refactor.source import Source

CODE = """\
def pay(user, amount, items, path, seen, key, name, qty, config):
    total = amount
    print(user.email, config["port"])
    for item in items:
        print(item["price"])
    with open(path) as f:
        return f.read()
"""


@pytest.mark.parametrize(
    ("said", "test"),
    [
        ("if amount is negative", "amount < 0"),
        ("negative amounts", "amount < 0"),
        ("amount is zero or less", "amount <= 0"),
        ("the amount isn't positive", "amount <= 0"),
        ("user is missing (None)", "user is None"),
        ("None as user", "user is None"),
        ("user.email is missing", "user.email is None"),
        ("the user's email is empty", "not user.email"),
        ("user has no email", "not user.email"),
        ("no items", "not items"),
        ("items has no elements", "not items"),
        ("qty is below one", "qty < 1"),
        ("qty exceeds a hundred", "qty > 100"),
        ("path doesn't exist", "not os.path.exists(path)"),
        ("key is already in seen", "key in seen"),
        ("key not in seen", "key not in seen"),
        ("name isn't a string", "not isinstance(name, str)"),
        ("name is not a str or int", "not isinstance(name, (str, int))"),
        ("a non-dict config", "not isinstance(config, dict)"),
        ("name is longer than 20 characters", "len(name) > 20"),
        ("the length of name is over ten", "len(name) > 10"),
        ("amount isn't between 1 and 100", "not 1 <= amount <= 100"),
        ("amount is outside 0..100", "not 0 <= amount <= 100"),
        ("name starts with a dash", 'name.startswith("-")'),
        ("name doesn't end with .txt", 'not name.endswith(".txt")'),
        ('name is not one of "a", "b" or "c"', 'name not in ("a", "b", "c")'),
        ("qty is divisible by 3", "qty % 3 == 0"),
        ("user or name is None", "user is None or name is None"),
        ("amount is None or negative", "amount is None or amount < 0"),
        ("item has no price", '"price" not in item'),
        ("config has no port key", '"port" not in config'),
        ("unless amount > 0", "amount <= 0"),
        ("`not items`", "not items"),
        ("the quantity is negative", None),
        ("amount is fishy", None),
        ("the cart is empty", None),
    ],
)
def test_what_is_said_of_a_thing_is_a_test(said: str, test: str | None) -> None:
    src = Source(CODE.split("\n"))
    found = condition(said, naming_in(src, src.functions[0]))
    assert (found.test if found else None) == test


def test_a_message_tells_what_is_demanded() -> None:
    src = Source(CODE.split("\n"))
    naming = naming_in(src, src.functions[0])
    said = ["amount is negative", "user is None", "qty is below 1", "name isn't a string", "no items"]
    assert [found.message for one in said if (found := condition(one, naming))] == [
        "amount must not be negative",
        "user must not be None",
        "qty must be at least 1",
        "name must be of type str",
        "items must not be empty",
    ]


@pytest.mark.parametrize(
    ("test", "opposite"),
    [
        ("x is None", "x is not None"),
        ("not x", "x"),
        ("x", "not x"),
        ("x < 0", "x >= 0"),
        ("a in b", "a not in b"),
        ("a or b", "not (a or b)"),
        ("0 <= x <= 9", "not 0 <= x <= 9"),
    ],
)
def test_the_opposite_is_the_shortest(test: str, opposite: str) -> None:
    assert oppose(test) == opposite
