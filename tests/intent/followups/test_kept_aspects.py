"""A message that something stays as it was, behind an edit that changed that, or something else."""

from __future__ import annotations

import pytest
from intent.following import answer_behind

WAS = '''def total(items, rate=0.2):
    """Sum the prices."""
    return sum(items) * rate


def pay(items, amount):
    print("to pay", total(items))
    return amount
'''
GUARDED = WAS.replace("    print(", "    if amount < 0:\n        raise ValueError(amount)\n    print(")
RENAMED = WAS.replace("total(", "full_price(")
UNTOUCHED = "The last edit {}; it stays as it is."


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("keep the old name", "renames nothing"),
        ("keep the name", "renames nothing"),
        ("leave the name as it was", "renames nothing"),
        ("den alten Namen behalten", "renames nothing"),
        ("保留旧名字", "renames nothing"),
        ("keep the old value", "changes no value"),
        ("leave the default as it was", "changes no default"),
        ("keep the old type", "changes no type"),
        ("keep the old message", "changes no message"),
        ("keep the order", "changes no order"),
        ("keep the docstring as it was", "changes no docstring"),
    ],
)
def test_an_edit_that_left_it_alone_stays(text: str, why: str) -> None:
    answer, _ = answer_behind(WAS, GUARDED, text, "amend.undo")
    assert (answer.kind, answer.reason) == ("nothing", UNTOUCHED.format(why))


@pytest.mark.parametrize(
    ("now", "text"),
    [
        (RENAMED, "keep the old name"),
        (RENAMED, "garde l'ancien nom"),
        (WAS.replace("0.2", "0.3"), "keep the old value"),
        (WAS.replace("rate=0.2", "rate"), "leave the default as it was"),
        (WAS.replace("(items, rate=", "(items, rate: float ="), "leave the types as they were"),
        (WAS.replace("to pay", "due"), "keep the old message"),
        (WAS.replace('    print("to pay", total(items))\n', ""), "keep the print"),
        (WAS.replace('    print("to pay", total(items))\n', ""), "leave the message as it was"),
        (WAS.replace("(items, amount):", "(items, amount) -> int:"), "keep the signature"),
        (WAS.replace("Sum the", "Add up the"), "keep the docstring as it was"),
    ],
)
def test_an_edit_of_nothing_else_is_taken_back(now: str, text: str) -> None:
    assert answer_behind(WAS, now, text, "amend.message")[0].kind == "undo"


@pytest.mark.parametrize("text", ["keep the old name", "the name stays as it was"])
def test_the_rest_of_an_edit_stays(text: str) -> None:
    both = GUARDED.replace("total(", "full_price(")
    answer, now = answer_behind(WAS, both, text, "amend.undo")
    assert now == GUARDED
    assert not answer.ways[0].marked


def test_what_else_depends_on_a_rename_is_no_other_value() -> None:
    answer, _ = answer_behind(WAS, RENAMED, "keep the old value", "amend.undo")
    assert answer.reason == UNTOUCHED.format("changes no value")


def test_a_value_that_stands_elsewhere_now_is_no_default_any_more() -> None:
    now = "RATE = 0.2\n\n\n" + WAS.replace("rate=0.2", "rate=RATE")
    answer, _ = answer_behind(WAS, now, "keep the old default", "amend.undo")
    assert answer.kind == "undo"


def test_a_message_that_says_more_is_read() -> None:
    answer, _ = answer_behind(WAS, RENAMED, "keep the name of pay and undo the rest", "amend.undo")
    assert answer.kind == "undo"
