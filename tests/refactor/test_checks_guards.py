# ruff: noqa: E501 - tables of instructions read better unbroken
"""A guard that is asked for stands where the thing is known, with the words that were said."""

from __future__ import annotations

import pytest

from spark_tui.refactor import checks
from spark_tui.refactor import known as knowing
from spark_tui.refactor.known import PLAIN, known


@pytest.fixture(autouse=True)
def only_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    """What other families make of these instructions is their concern."""
    monkeypatch.setattr(knowing, "RULES", checks.RULES)


SHOP = """\
import os


def pay(user, amount, note=""):
    \"\"\"Move money.\"\"\"
    # the fee comes on top
    fee = amount * 0.01
    account = find_account(user)
    return account.charge(amount + fee)


def total(cart):
    result = 0
    for item in cart:
        price = item["price"]
        result += price
    return result


def load(path):
    with open(path) as handle:
        for line in handle:
            name, value = line.split("=")
            print(name, value)
"""


def edited(code: str, instruction: str) -> str | None:
    """The text behind the one edit that is plainly meant."""
    lines = code.split("\n")[:-1]
    found = known(lines, instruction)
    if not found or found[0].plain != PLAIN:
        return None
    for hunk in reversed(found[0].hunks):
        lines[hunk.first : hunk.last] = hunk.new
    return "\n".join(lines) + "\n"


def added(instruction: str) -> str | None:
    """The lines that came in."""
    text = edited(SHOP, instruction)
    if text is None:
        return None
    assert [line for line in text.split("\n") if line in SHOP.split("\n")] == SHOP.split("\n")
    return "\n".join(line for line in text.split("\n") if line not in SHOP.split("\n"))


@pytest.mark.parametrize(
    ("instruction", "guard"),
    [
        ("raise ValueError if amount is negative", '    if amount < 0:\n        raise ValueError("amount must not be negative")'),
        ("pay should raise a ValueError when the amount is zero or less", '    if amount <= 0:\n        raise ValueError("amount must be positive")'),
        ('throw a TypeError("bad amount") in pay if amount isn\'t a number', '    if not isinstance(amount, (int, float)):\n        raise TypeError("bad amount")'),
        ('in pay, raise a RuntimeError with the message "who?" when user is None', '    if user is None:\n        raise RuntimeError("who?")'),
        ("return early when the cart is empty", "    if not cart:\n        return"),
        ("total: return 0 if cart is None", "    if cart is None:\n        return 0"),
        ("bail out of pay if there is no user", "    if not user:\n        return"),
        ("pay must not accept negative amounts", '    if amount < 0:\n        raise ValueError("amount must not be negative")'),
        ("make sure amount > 0 in pay", '    if amount <= 0:\n        raise ValueError("amount must be positive")'),
        ("amount must be positive", '    if amount <= 0:\n        raise ValueError("amount must be positive")'),
        ("assert that amount is positive at the top of pay", "    assert amount > 0"),
        ("check that the path exists in load", '    if not os.path.exists(path):\n        raise FileNotFoundError("path does not exist")'),
        ("skip items without a price in the loop of total", '        if "price" not in item:\n            continue'),
        ("skip blank lines in load", "            if not line.strip():\n                continue"),
        ("ignore lines that start with a hash", '            if line.startswith("#"):\n                continue'),
        ("leave the loop when result is over 100", "        if result > 100:\n            break"),
        ("return None from pay if account is None", "    if account is None:\n        return None"),
        ("reject notes longer than 200 characters", '    if len(note) > 200:\n        raise ValueError("note is too long")'),
    ],
)  # fmt: skip
def test_what_is_asked_for_is_put_in(instruction: str, guard: str) -> None:
    assert added(instruction) == guard


def test_a_guard_stands_behind_the_docstring_and_in_front_of_the_comment() -> None:
    text = edited(SHOP, "raise ValueError if amount is negative") or ""
    assert text.index("Move money") < text.index("raise ValueError") < text.index("# the fee")


def test_a_guard_on_what_is_made_inside_stands_behind_its_making() -> None:
    text = edited(SHOP, "return None from pay if account is None") or ""
    assert text.index("find_account") < text.index("return None") < text.index("account.charge")


def test_a_module_that_the_check_needs_is_imported() -> None:
    text = edited(
        "def load(path):\n    return open(path)\n", "raise FileNotFoundError in load if the path doesn't exist"
    )
    assert text is not None and text.startswith("import os\n\n\n")


CLASS = """\
class Order:
    def __init__(self, items, discount=0):
        self.items = items
        self.discount = discount
        self.paid = False

    def total(self):
        result = 0
        for item in self.items:
            result += item["price"] * item["qty"]
        return result

    def pay(self, amount, method="card"):
        self.paid = True
        return amount - self.total()
"""


@pytest.mark.parametrize(
    ("instruction", "guard"),
    [
        ("pay: raise ValueError if the amount is less than the total", '        if amount < self.total():\n            raise ValueError("amount must be at least self.total()")\n'),
        ("discount must be between 0 and 1, otherwise raise a ValueError", '        if not 0 <= discount <= 1:\n            raise ValueError("discount must be between 0 and 1")\n'),
        ("the constructor should raise if items is empty", '        if not items:\n            raise ValueError("items must not be empty")\n'),
        ("skip items with a qty of 0 in total", '            if item["qty"] == 0:\n                continue\n'),
        ("do nothing in pay if it's already paid", "        if self.paid:\n            return\n"),
        ('method must be one of "card", "cash" or "invoice"', "        if method not in (\"card\", \"cash\", \"invoice\"):\n            raise ValueError(\"method must be one of 'card', 'cash', 'invoice'\")\n"),
        ("add a check for amount <= 0 to pay", '        if amount <= 0:\n            raise ValueError("amount must be positive")\n'),
        ("if method is None, pay should return None right away", "        if method is None:\n            return None\n"),
    ],
)  # fmt: skip
def test_methods_and_members_are_meant_as_the_class_has_them(instruction: str, guard: str) -> None:
    text = edited(CLASS, instruction)
    assert text is not None and text.replace(guard, "", 1) == CLASS and guard in text


@pytest.mark.parametrize(
    "instruction",
    [
        "raise ValueError if the weather is bad",
        "raise KeyError instead of ValueError",
        "amount should be 5",
        "return the amount",
        "skip the tests",
        "after the call of find_account assert that amount is positive",
        "raise ValueError if amount is negative and write a mail to the user",
    ],
)
def test_what_is_not_understood_makes_no_plain_edit(instruction: str) -> None:
    assert edited(SHOP, instruction) is None


def test_a_guard_that_is_there_is_not_put_in_again() -> None:
    code = 'def pay(amount):\n    if amount < 0:\n        raise ValueError("no")\n    return amount\n'
    assert known(code.split("\n")[:-1], "raise ValueError if amount is negative") == []
