"""Loops that add to something else than 0, as a sum with a start."""

from __future__ import annotations

import pytest
from codemods.repositories import after, plan, refusal

IMPORTS = (
    "import datetime as dt\nfrom datetime import timedelta\nfrom decimal import Decimal\n"
    "from fractions import Fraction\n\n\n"
)
ROUNDS = "from Python 3.12 on sum rounds floats in another way"


def function(body: str, parameters: str = "xs, start") -> str:
    return f"def f({parameters}):\n" + "".join(f"    {line}\n" for line in body.split("\n"))


@pytest.mark.parametrize(
    "start",
    [
        'Decimal("0")',
        "timedelta()",
        "dt.timedelta(days=-1)",
        "Fraction(1, 2)",
        "dt.date(2024, 1, 1)",
        "10",
        "-3",
    ],
)
def test_a_constant_start_is_given_to_sum(start: str) -> None:
    old = IMPORTS + function(f"t = {start}\nfor x in xs:\n    t += x.y\nreturn t")
    assert after("apply_pattern sum 'in f'", old) == IMPORTS + function(
        f"return sum((x.y for x in xs), {start})"
    )
    assert plan("apply_pattern sum 'in f'", {"m.py": old}).unmarked


@pytest.mark.parametrize(
    ("loop", "summed"),
    [
        ("for x in xs:\n    t += x", "xs"),
        ("for x in xs:\n    t = t + x.y", "(x.y for x in xs)"),
        ("for x in xs:\n    if x:\n        t += x.y", "(x.y for x in xs if x)"),
        ("for x in xs:\n    if x:\n        continue\n    t += x.y", "(x.y for x in xs if not x)"),
        ("for x in xs:\n    for y in x:\n        t += y.z", "(y.z for x in xs for y in x)"),
        ("for k, v in xs.items():\n    t += v", "xs.values()"),
    ],
)
def test_every_loop_that_is_summed_may_have_a_start(loop: str, summed: str) -> None:
    old = IMPORTS + function(f"t: Decimal = Decimal(0)\n{loop}\nprint(t)")
    new = IMPORTS + function(f"t: Decimal = sum({summed}, Decimal(0))\nprint(t)")
    assert after("apply_pattern sum 'in f'", old) == new


@pytest.mark.parametrize("parameters", ["xs, start: int", "xs, start: Decimal", "xs, start=0"])
def test_a_name_is_a_start_where_the_code_shows_a_number(parameters: str) -> None:
    old = IMPORTS + function("t = start\nfor x in xs:\n    t += x.y\nreturn t", parameters)
    new = IMPORTS + function("return sum((x.y for x in xs), start)", parameters)
    assert after("apply_pattern sum 'in f'", old) == new
    assert plan("apply_pattern sum 'in f'", {"m.py": old}).unmarked


@pytest.mark.parametrize(
    ("start", "parameters"), [("0.0", "xs"), ("float()", "xs"), ("start", "xs, start: float")]
)
def test_a_float_may_be_rounded_in_another_way(start: str, parameters: str) -> None:
    old = function(f"t = {start}\nfor x in xs:\n    t += x.y\nreturn t", parameters)
    made = plan("apply_pattern sum 'in f'", {"m.py": old})
    assert [unfollowed.reason for unfollowed in made.unfollowed] == [ROUNDS]
    assert after("apply_pattern sum 'in f'", old) == function(
        f"return sum((x.y for x in xs), {start})", parameters
    )


@pytest.mark.parametrize(
    ("start", "parameters", "reason"),
    [
        ('""', "xs", "sum may add to"),
        ("[]", "xs", "sum may add to"),
        ("()", "xs", "sum may add to"),
        ("Counter()", "xs", "sum may add to"),
        ("start", "xs, start", "sum may add to"),
        ("start", "xs, start: list", "sum may add to"),
        ("start", "xs, start=None", "sum may add to"),
        ("start", "xs, *start: int", "sum may add to"),
        ("self.start", "self, xs", "sum may add to"),
        ("read()", "xs", "sum may add to"),
        ("Decimal(read())", "xs", "Decimal(read()) may do something"),
        ("x", "xs, x: int", "sum may add to"),
    ],
)
def test_a_start_that_sum_may_add_in_another_way_is_left(start: str, parameters: str, reason: str) -> None:
    code = IMPORTS + function(f"t = {start}\nfor x in xs:\n    t += x.y\nreturn t", parameters)
    assert reason in str(refusal("apply_pattern sum 'in f'", {"m.py": code}))


def test_a_name_that_means_another_class_is_no_number() -> None:
    code = "from other import Decimal\n\n\n" + function("t = Decimal(0)\nfor x in xs:\n    t += x")
    assert "sum may add to" in str(refusal("apply_pattern sum 'in f'", {"m.py": code}))


def test_a_start_that_a_function_sets_is_read_where_it_was() -> None:
    code = "START = 1\n\n\ndef rows():\n    global START\n    START = 2\n    return []\n\n\n" + function(
        "t = START\nfor x in rows():\n    t += x\nreturn t"
    )
    assert "a function may set START" in str(refusal("apply_pattern sum 'in f'", {"m.py": code}))
    assert after("apply_pattern sum 'in f'", code.replace("    global START\n", "")).endswith(
        "    return sum(rows(), START)\n"
    )


@pytest.mark.parametrize(
    ("methods", "rows", "fits"),
    [
        ("n: int = 0", "xs", True),
        ("def __init__(self, n):\n        self.n = n", "xs", True),
        ("def __init__(self, n):\n        self.n = n", "rows(xs)", False),
        ("def __iadd__(self, other):\n        return self", "xs", False),
    ],
)
def test_an_own_class_is_summed_where_it_adds_anew(methods: str, rows: str, fits: bool) -> None:
    added = "    def __add__(self, other):\n        return Money(self.n + other.n)\n"
    code = f"class Money:\n    {methods}\n\n{added}\n\n" + function(
        f"t = Money(0)\nfor x in {rows}:\n    t += x\nreturn t"
    )
    if fits:
        assert after("apply_pattern sum 'in f'", code).endswith(f"    return sum({rows}, Money(0))\n")
    else:
        assert "sum may add to" in str(refusal("apply_pattern sum 'in f'", {"m.py": code}))
