"""Values that are used as their kind does not allow."""

from __future__ import annotations

import pytest
from codemods.repositories import findings

CODE = """from itertools import chain
from typing import Protocol


class Cart:
    pass


class Rule:
    def __call__(self, row): ...


class Query(Protocol):
    name: str


def numbers(n):
    for i in range(n):
        yield i


def split(row) -> tuple[str, tuple[str, ...]]:
    return row[0], row[1:]


def parse(row):
    if not row:
        return None
    return row[0], row[1:]


def either(row):
    return "none" if not row else (row,)


def lines(carts: list[Cart], names: set[str], prices: dict, rows, rule: Rule, query: Query):
    values = numbers(3)
    evens = (row for row in rows if row)
    both = chain(rows, rows)
    made = list(numbers(3))
    left, right = split(rows)
    cart = Cart()
    maybe = Cart() if rows else None
    count: Optional[int] = len(rows)
    pairs = zip(rows, rows)
    pairs = list(pairs)
    with open("a") as file:
        print(HERE)
"""
PATH = "main.py"


def reasons(new: str) -> list[str]:
    found = findings("value uses", {PATH: CODE.replace("HERE", "0")}, {PATH: CODE.replace("HERE", new)})
    return [item.reason for item in found if not item.sure]


@pytest.mark.parametrize(
    ("new", "reason"),
    [
        ('"n: " + len(rows)', "'n: ' + len(rows) adds a text and a number"),
        ('[1] + "a"', "[1] + 'a' adds a text and a list"),
        ("writer.writerows(prices)", "writerows() does not take a dictionary: prices"),
        ("len(values)", "len() does not take an iterator: values"),
        ("reversed(numbers(2))", "reversed() does not take an iterator: numbers(2)"),
        ("reversed(evens)", "reversed() does not take an iterator: evens"),
        ("both[0]", "both is an iterator: it has no items by number"),
        ("reversed(names)", "reversed() does not take a set: names"),
        ("prices.items()[0]", "prices.items() is a view of a dictionary: it has no items by number"),
        ("reversed(file)", "reversed() does not take an open file: file"),
        ("1 if not evens else 2", "evens is an iterator, which is always true"),
        ("values.sort()", "values is an iterator, which has no sort"),
        ("[row for row in len(rows)]", "len(rows) is a number: it has no items"),
        ("min(rows)[0]", "min() gives one of the items"),
        ("sorted(len(rows))", "sorted() does not take a number: len(rows)"),
        ("None[0]", "None is None: it has no items by number"),
        ("1 if getattr else 2", "getattr is a function, which is always true"),
        ("len(made).size", "len(made) is a number, which has no size"),
        ("made.size", "made is a list, which has no size"),
        ("rows.strip().kind", "rows.strip() is a text, which has no kind"),
        ("random.choice(names)", "choice() does not take a set: names"),
        ("parse(rows).lower()", "parse(rows) is a tuple, which has no lower"),
        ('"row: " + parse(rows)', "'row: ' + parse(rows) adds a text and a tuple"),
        ("len(rows)()", "len(rows) is a number, which cannot be called"),
        ("list(isinstance(rows, str))", "list() does not take a truth value: isinstance(rows, str)"),
        ("right.strip()", "right is a tuple, which has no strip"),
        ("OSError(rows, hint=1)", "OSError() takes no hint"),
        ("1 if not cart else 2", "cart is an object without a length, which is always true"),
        ("count()", "count is a number, which cannot be called"),
        ("cart()", "cart is an object without a length, which cannot be called"),
        ("sorted(carts)", "objects of Cart have no order"),
        ("max([1, 'a'])", "the items of [1, 'a'] cannot be compared with each other"),
    ],
)
def test_what_a_value_does_not_take_is_found(new: str, reason: str) -> None:
    assert reasons(new) == [reason]


@pytest.mark.parametrize(
    "new",
    [
        "len(made)",
        "made[0]",
        "pairs[0]",  # set to a list, too
        "reversed(prices.items())",
        "sorted(values)",
        "len(names)",
        "names and 1",
        "sorted(carts, key=id)",
        "max([1, 2.0])",
        "[*evens][0]",
        "random.choice(made)",
        "1 if maybe else 2",
        "left.strip(), right[0]",
        "ImportError(rows, name=left)",
        "[key for key in sorted(prices)]",
        "rows.strip().decode().upper()[0]",
        "made.append(len(made).real)",
        "either(rows).lower()",
        "parse(rows)[0], len(parse(rows))",
        "rule(rows)",
        "query(rows) if query else 1",
    ],
)
def test_what_a_value_takes_is_no_finding(new: str) -> None:
    assert reasons(new) == []


def test_what_was_there_before_is_no_finding() -> None:
    old, new = CODE.replace("HERE", "len(values)"), CODE.replace("HERE", "len(values), 1")
    assert findings("value uses", {PATH: old}, {PATH: new}) == []


def test_a_value_that_becomes_an_iterator_is_looked_at_where_it_is_used() -> None:
    old = "def first(rows):\n    found = [row for row in rows]\n    return found[0]\n"
    new = old.replace("[row for row in rows]", "(row for row in rows)")
    found = findings("value uses", {PATH: old}, {PATH: new})
    assert [item.line for item in found] == [3]


@pytest.mark.parametrize(
    ("test", "found"), [("isinstance(row, str)", True), ("row is None", True), ("row == 1", False)]
)
def test_items_of_several_kinds_are_not_sorted(test: str, found: bool) -> None:
    old = f"def show(rows):\n    for row in rows:\n        if {test}:\n            print(row)\n"
    new = old.replace("in rows", "in sorted(rows)")
    assert bool(findings("value uses", {PATH: old}, {PATH: new})) is found


def test_a_dictionary_is_not_sorted_to_its_keys() -> None:
    old = "def show(rows: dict):\n    rows = dict(rows)\n    return rows\n"
    new = old.replace("return rows", "return sorted(rows)")
    found = findings("value uses", {PATH: old}, {PATH: new})
    assert [item.reason for item in found] == ["sorted() gives the keys of rows alone"]
