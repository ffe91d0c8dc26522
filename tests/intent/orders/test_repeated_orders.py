"""What an order leaves to another one: no place that is a value, and nothing that is said twice."""

from __future__ import annotations

from dataclasses import replace

import pytest
from intent.support import PATH

from spark_tui.intent.answering.answer import answer_orders
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.orders.orders_done import Run, is_no_place
from spark_tui.intent.orders.repeated_orders import without_repeats
from spark_tui.intent.words.readings import Order, Reading, Span
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

CODE = {PATH: "LIMIT = 3\n\n\ndef f(qty):\n    return qty\n"}


@pytest.mark.parametrize(("name", "lost"), [("LIMIT", True), ("f", False), ("nowhere", False)])
def test_a_value_that_another_order_is_about_is_no_place(name: str, lost: bool) -> None:
    repo = Repository(DictTree(CODE))
    order = Order(0, 9, (Reading("ignore_case", 0.95),))
    placed = replace(order, readings=(Reading("ignore_case", 0.95, {"function": (Span(0, 1, name),)}),))
    assert is_no_place(order, placed, Run(Situation(repo, PATH), repo)) is lost


def test_a_negation_and_the_swap_of_branches_are_one_order() -> None:
    text = "negate the condition and swap the branches"
    negation = Reading("negate_condition", 0.95, {"old": (Span(0, 6, "a > b"),)})
    orders = [Order(0, 20, (negation,)), Order(20, len(text), (Reading("pattern.invert_if", 0.95),))]
    (one,) = without_repeats(orders, text)
    assert (
        one.readings[0].intent == "pattern.invert_if"
        and one.readings[0].slots["condition"][0].text == "a > b"
    )


def test_a_base_that_is_only_said_instead_of_which_another_comes_is_no_order() -> None:
    text = "Cart should derive from Exception instead of ValueError"
    slots = {"class": (Span(0, 4, "Cart"),), "base": (Span(24, 33, "Exception"),)}
    old = Reading("change_raised", 0.5, {"old": (Span(45, 55, "ValueError"),)})
    orders = [Order(0, 33, (Reading("add_base", 0.95, slots),)), Order(34, len(text), (old,))]
    files = {PATH: "class Cart(ValueError):\n    pass\n"}
    told = Situation(Repository(DictTree(files)), PATH, instruction=text)
    (way,) = answer_orders(orders, told).ways
    assert way.plan.texts(told.repo)[PATH] == "class Cart(Exception):\n    pass\n"
