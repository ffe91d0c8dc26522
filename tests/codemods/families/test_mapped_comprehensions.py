"""Loops that name what they make of an item before they append it, as comprehensions."""

from __future__ import annotations

import pytest
from codemods.repositories import after, refusal


def function(*lines: str, start: str = "r = []") -> str:
    inside = "".join(f"        {line}\n" for part in lines for line in part.split("\n"))
    return f"def f(self, rows, day):\n    {start}\n    for row in rows:\n{inside}"


@pytest.mark.parametrize(
    ("body", "made"),
    [
        (
            "loan = self._to_loan(row)\nif loan.late(day) > 0:\n    r.append(loan)",
            "[loan for loan in map(self._to_loan, rows) if loan.late(day) > 0]",
        ),
        (
            "loan = load(row)\nif not loan.late:\n    continue\nr.append(loan.id)",
            "[loan.id for loan in map(load, rows) if loan.late]",
        ),
        ("loan = load(row)\nr.append(loan.id)", "[loan.id for loan in map(load, rows)]"),
        ("row = load(row)\nif row.late:\n    r.append(row)", "[row for row in map(load, rows) if row.late]"),
        ("loan = load(row, day)\nr.append(loan)", "[load(row, day) for row in rows]"),
        (
            "loan = load(row, day)\nif loan is not None:\n    r.append(loan)",
            "[loan for row in rows if (loan := load(row, day)) is not None]",
        ),
        (
            "loan = load(row, day)\nif loan is None:\n    continue\nr.append(loan)",
            "[loan for row in rows if (loan := load(row, day)) is not None]",
        ),
        (
            "loan = load(row)\nif loan:\n    r.append((row, loan))",
            "[(row, loan) for row in rows if (loan := load(row))]",
        ),
    ],
)
@pytest.mark.parametrize("start", ["r = []", "r: list[int] = []"])
def test_a_name_of_one_item_goes_into_the_comprehension(body: str, made: str, start: str) -> None:
    old = function(body, start=start) + "    return r\n"
    new = f"def f(self, rows, day):\n    {start.removesuffix('[]')}{made}\n    return r\n"
    assert after("apply_pattern list_comprehension 'in f'", old) == new


def test_it_is_returned_where_that_is_asked_for() -> None:
    old = function("loan = load(row)\nif loan.late:\n    r.append(loan)") + "    return r\n"
    new = "def f(self, rows, day):\n    return [loan for loan in map(load, rows) if loan.late]\n"
    assert after("apply_pattern list_comprehension_returned 'in f'", old) == new


@pytest.mark.parametrize(
    ("body", "behind", "reason"),
    [
        ("loan = load(row)\nif loan.late:\n    r.append(loan)", "print(loan)", "loan is used on line"),
        ("loan = load(row)\nif loan.late:\n    r.append(loan)", "print(row)", "row is used on line"),
        ("loan = load(row)\nif loan.late and row:\n    r.append(loan)", "", "row is used in the rest"),
        ("loan = load(row)\nif loan.late:\n    r.append(len(r))", "", "r is used in the rest"),
        ("loan = next(row)\nif loan.late:\n    r.append(loan)", "", "StopIteration"),
        ("loan = first(row)\nif loan.late:\n    r.append(loan)", "", "StopIteration"),
        ("loan = self.by[day](row)\nif loan.late:\n    r.append(loan)", "", "another function for each item"),
        ("load = load(row)\nif load.late:\n    r.append(load)", "", "load is used in the rest"),
        ("loan = load(load(row), 1)\nif loan:\n    r.append(loan)", "", "does not read well"),
        ("loan = row.loan\nif loan:\n    r.append(loan)", "", "does not read well"),
        ("loan = load(row, day)\nif loan.late:\n    r.append(loan)", "", "nothing there looks like"),
        ("loan = load(row)\nprint(loan)\nr.append(loan)", "", "nothing there looks like"),
        ("loan = await load(row)\nr.append(loan)", "", "await"),
    ],
)
def test_what_would_not_be_the_same_or_not_read_well_stays(body: str, behind: str, reason: str) -> None:
    head = "def first(row):\n    return next(iter(row))\n\n\n"
    code = head + function(body) + (f"    {behind}\n" if behind else "") + "    return r\n"
    if "await" in body:
        code = code.replace("def f(", "async def f(")
    assert reason in str(refusal("apply_pattern list_comprehension 'in f'", {"m.py": code}))


def test_two_names_of_an_item_are_no_item_for_map() -> None:
    code = (
        "def f(rows):\n    r = []\n    for a, b in rows:\n        x = load((a, b))\n        r.append(x.y)\n"
    )
    reason = str(refusal("apply_pattern list_comprehension 'in f'", {"m.py": code}))
    assert reason == "a, b is not a plain name"


def test_a_function_that_another_one_sets_is_not_mapped() -> None:
    head = "load = int\n\n\ndef change():\n    global load\n    load = str\n\n\n"
    code = head + function("loan = load(row)\nif loan.late:\n    r.append(loan)")
    assert "another function" in str(refusal("apply_pattern list_comprehension 'in f'", {"m.py": code}))


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("list_comprehension", "list(f(o, x) for x in g(o))", "[f(o, x) for x in g(o)]"),
        ("dict_comprehension", "dict((x, o.y) for x in o.xs if x)", "{x: o.y for x in o.xs if x}"),
        ("dict_comprehension", "dict((k, v) for k, v in xs)", "{k: v for k, v in xs}"),
    ],
)
def test_a_call_with_a_generator_becomes_a_comprehension(name: str, old: str, new: str) -> None:
    assert after(f"apply_pattern {name} 'in m.py'", f"r = {old}\n") == f"r = {new}\n"
