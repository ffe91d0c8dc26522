"""A file that is named and not excepted bounds the edit."""

from __future__ import annotations

import pytest
from intent.support import situation

from spark_tui.intent.answering.answer import answer_orders
from spark_tui.intent.context.bounds import files_named
from spark_tui.intent.words.readings import Order, Reading, Span

FILES = {
    "shop/cart.py": "def total(rows):\n    return None\n",
    "shop/tax.py": "def rate(rows):\n    return None\n\n\ndef net(rows):\n    print(rows)\n",
}


def said(text: str, intent: str, left_out: str = "", **slots: str) -> Order:
    """An order whose slots hold these words of the text."""

    def span(one: str) -> Span:
        return Span(text.index(one), text.index(one) + len(one), one)

    out = (span(left_out),) if left_out else ()
    return Order(0, len(text), (Reading(intent, 0.95, {k: (span(v),) for k, v in slots.items()}, out),))


def test_nothing_is_edited_outside_of_the_file_that_is_named() -> None:
    text = "in tax.py rename total to whole"
    order = said(text, "rename", file="tax.py", symbol="total", new="whole")
    found = answer_orders([order], situation(FILES, path="shop/cart.py", instruction=text))
    assert not found.ways and "shop/tax.py" in found.reason


def test_a_file_that_no_slot_holds_is_the_place_all_the_same() -> None:
    text = "rename rows to lines, that is in tax.py"
    order = said(text, "rename", symbol="rows", new="lines")
    found = answer_orders([order], situation(FILES, path="shop/cart.py", instruction=text))
    assert all(set(way.plan.paths) == {"shop/tax.py"} for way in found.ways) and found.ways


def test_a_file_that_is_excepted_does_not_bound() -> None:
    text = "drop print except in tax.py"
    order = said(text, "delete_calls", left_out="tax.py", call="print")
    assert not files_named(order, situation(FILES, instruction=text))


def test_the_new_name_of_a_file_does_not_bound() -> None:
    text = "rename cart.py to tax.py"
    order = said(text, "rename_file", file="cart.py", new="tax.py")
    assert files_named(order, situation(FILES, instruction=text)) == {"shop/cart.py"}


@pytest.mark.parametrize(
    ("text", "intent", "slots"),
    [
        ("rename total to whole in tax.py", "rename", {"symbol": "total", "new": "whole", "file": "tax.py"}),
        (
            "return 0 in total in tax.py if not rows",
            "guard_return",
            {"function": "total", "file": "tax.py", "condition": "not rows", "result": "0"},
        ),
    ],
)
def test_where_the_named_file_has_it_not_the_one_that_has_it_is_said(
    text: str, intent: str, slots: dict[str, str]
) -> None:
    found = answer_orders(
        [said(text, intent, **slots)], situation(FILES, path="shop/tax.py", instruction=text)
    )
    assert not found.ways
    assert found.reason.partition(" shop/tax.py, ")[2].startswith("but in shop/cart.py")
