"""Constants and functions of a module that are replaced by what they are, wherever they are used."""

from __future__ import annotations

import pytest
from codemods.repositories import plan, refusal, texts_after

MONEY = """\
from decimal import ROUND_HALF_UP, Decimal

CURRENCY = "€"
\"\"\"In front of every amount.\"\"\"
RATE = Decimal("0.19")
STEPS = (1, -2, None)


def rounded(value):
    \"\"\"To whole cents.\"\"\"
    return int(value.quantize(Decimal("1"), rounding=ROUND_HALF_UP))


def share(cents, percent=50, *, of=100):
    return cents * percent / of


def shown(cents):
    return CURRENCY + str(cents)


def tell(text):
    print(text)
"""
BILL = """\
from money import rounded, share, shown
import money


def total(bill, tip):
    tell_all(bill)
    half = share(bill.sum + tip)
    third = share(percent=33, cents=tip)
    return rounded(half), money.shown(third), money.CURRENCY, money.STEPS
"""


def texts(call: str, money: str = MONEY, bill: str = BILL) -> dict[str, str | None]:
    return texts_after(call, {"money.py": money, "bill.py": bill})


def test_the_calls_of_a_function_become_its_expression_and_the_import_goes() -> None:
    found = texts("inline_function share")
    assert "def share" not in (found["money.py"] or "")
    bill = found["bill.py"] or ""
    assert "half = (bill.sum + tip) * 50 / 100\n" in bill
    assert "third = tip * 33 / 100\n" in bill
    assert "from money import rounded, shown\n" in bill


def test_what_the_expression_needs_is_imported_and_what_nothing_needs_any_more_is_not() -> None:
    found = texts("inline_function rounded")
    bill, money = found["bill.py"] or "", found["money.py"] or ""
    assert 'return int(half.quantize(Decimal("1"), rounding=ROUND_HALF_UP)), money.shown' in bill
    assert "from decimal import ROUND_HALF_UP, Decimal\n" in bill
    assert "from money import share, shown\n" in bill
    assert money.startswith("from decimal import Decimal\n")


def test_a_constant_goes_with_its_description() -> None:
    found = texts("inline_constant CURRENCY")
    assert "CURRENCY" not in "".join(filter(None, found.values()))
    assert "In front of" not in (found["money.py"] or "")
    assert 'return "€" + str(cents)' in (found["money.py"] or "")
    assert 'money.shown(third), "€", money.STEPS' in (found["bill.py"] or "")
    assert '"€", (1, -2, None)' not in (found["bill.py"] or "")
    assert "money.CURRENCY, (1, -2, None)" in (texts("inline_constant STEPS")["bill.py"] or "")


def test_locals_of_the_function_go_first_where_they_are_the_same_where_they_are_read() -> None:
    code = 'def half(n):\n    """Half."""\n    whole = n + 1\n    return whole / 2\n\n\n'
    use = "def f(x):\n    return half(x)\n"
    assert texts_after("inline_function half", {"m.py": code + use})["m.py"] == use.replace(
        "half(x)", "(x + 1) / 2"
    )
    twice = code.replace("whole / 2", "whole / whole").replace("n + 1", "n.pop()") + use
    assert "more than to give" in str(refusal("inline_function half", {"m.py": twice}))


def test_a_function_without_a_result_is_inlined_where_nobody_reads_one() -> None:
    bill = "import money\n\n\ndef run(rows):\n    for row in rows:\n        money.tell(row.name)\n"
    found = texts("inline_function tell", bill=bill)
    assert "    for row in rows:\n        print(row.name)\n" in (found["bill.py"] or "")
    read = bill.replace("money.tell(row.name)", "row.told = money.tell(row.name)")
    assert "gives None" in str(refusal("inline_function tell", {"money.py": MONEY, "bill.py": read}))


REFUSED = {
    "may be another object": ("inline_constant RATE", "", ""),
    "more than once": ("inline_function twice", "def twice(x):\n    return x + x\n", "twice(load())"),
    "not always": ("inline_function either", "def either(a, b):\n    return a or b\n", "either(x, load())"),
    "before or after": (
        "inline_function pair",
        "def pair(a, b):\n    return b - a\n",
        "pair(load(), load())",
    ),
    "evaluated later": ("inline_function put", "def put(x):\n    return lambda: x\n", "put(load)"),
    "without a call": ("inline_function put", "def put(x):\n    return x\n", "sorted([], key=put)"),
    "which arguments": ("inline_function put", "def put(x):\n    return x\n", "put(*load)"),
    "has a decorator": ("inline_function put", "@cache\ndef put(x):\n    return x\n", "put(1)"),
    "more than to give": ("inline_function put", "def put(x):\n    x += 1\n    return x\n", "put(1)"),
    "has a comment": ("inline_function put", "def put(x):\n    # why\n    return x\n", "put(1)"),
    "uses put": ("inline_function put", "def put(x):\n    return x and put(x - 1)\n", "put(1)"),
    "a name that": ("inline_function put", "def put(x):\n    return [x for row in x]\n", "put(row)"),
    "in a class": (
        "inline_function put",
        "def put(x):\n    return [x for row in 'ab']\n",
        "1\nclass A:\n    a = 1\n    b = put(a)",
    ),
    "something else there": (
        "inline_function put",
        "BASE = 1\ndef put(x):\n    return x + BASE\n",
        "2\ndef f(BASE):\n    return put(BASE)",
    ),
    "sets put": ("inline_function put", "def put(x):\n    return x\n", "put(1)\nimport m\nm.put = len"),
    "where nothing else can stand": (
        "inline_function put",
        "__all__ = ['put']\ndef put(x):\n    return x\n",
        "put(1)",
    ),
}


@pytest.mark.parametrize("reason", REFUSED)
def test_what_would_do_something_else_is_refused(reason: str) -> None:
    call, code, use = REFUSED[reason]
    files = {"m.py": f"from n import cache, load, x\n\n\n{code}\n\nresult = {use}\n"} if code else {}
    assert reason in str(refusal(call, files or {"money.py": MONEY, "bill.py": BILL}))


def test_what_may_be_changed_first_and_a_patch_of_a_test_are_named() -> None:
    code = "def put(x):\n    return run() + x\n\n\ndef f(a):\n    return put(a.size)\n"
    found = plan("inline_function put", {"m.py": f"from n import run\n\n\n{code}"})
    assert "what is called first may change a.size" in {one.reason for one in found.unfollowed}
    test = "from unittest.mock import patch\n\nwith patch('money.CURRENCY', '$'):\n    pass\n"
    found = plan("inline_constant CURRENCY", {"money.py": MONEY, "test_money.py": test})
    assert any(one.path == "test_money.py" for one in found.unfollowed)


OTHERWISE = {
    "sets x again": ("def f(x):\n    return sorted(x, key=lambda x: -ord(x))\n", "f('abc')"),
    "with what it gives": ("def f(x):\n    return x + 1\n", "f(f(1))"),
    "more than once": ("def f(x):\n    return x, x\n", "f([])"),
    "not always": ("def f(a, b):\n    return a\n", "f(1, 1 / rows)"),
    "sets a name": ("def f(a, b):\n    return b + a\n", "f(y := 3, 1)"),
    "would be a docstring": ("def f():\n    return 'text'\n", "0\n\n\nclass A:\n    f()"),
}


@pytest.mark.parametrize("reason", OTHERWISE)
def test_what_would_be_evaluated_otherwise_is_refused(reason: str) -> None:
    code, use = OTHERWISE[reason]
    text = f"from n import rows\n\n\n{code}\n\nresult = {use}\n"
    assert reason in str(refusal("inline_function f", {"m.py": text}))


def test_what_is_set_again_or_patched_in_the_home_is_not_copied_to_another_file() -> None:
    home = "from clock import now\n\nstate = None\n\n\n"
    home += "def configure(to):\n    global state\n    state = to\n\n\n"
    code = f"{home}def f():\n    return state\n\n\ndef g():\n    return now()\n"
    files = {"n.py": code, "m.py": "import n\n\nprint(n.f(), n.g())\n"}
    assert "state may be set again" in str(refusal("inline_function f", files))
    patched = {**files, "test_n.py": "from unittest.mock import patch\n\nwith patch('n.now'):\n    pass\n"}
    assert "test_n.py" in {one.path for one in plan("inline_function g", patched).unfollowed}


def test_an_argument_that_may_change_what_is_read_before_it_is_named() -> None:
    code = "def f(x):\n    return total + x\n\n\ndef g(up):\n    return f(up())\n\n\ntotal = 0\n"
    found = plan("inline_function f", {"m.py": code}).unfollowed
    assert [one.reason for one in found] == ["up() may change what is read before it"]
    asked = "from n import LIMIT\n\n\ndef f(x):\n    return x is LIMIT\n"
    found = plan("inline_constant n.py::LIMIT", {"n.py": "LIMIT = 'a b'\n", "m.py": asked}).unfollowed
    assert [one.reason for one in found] == ["whether it is LIMIT itself is asked"]
