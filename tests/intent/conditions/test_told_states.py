"""States that the code has a name for: a method that asks for one, or what an attribute is set to."""

from __future__ import annotations

import pytest
from intent import asking
from intent.support import PATH, answered, result

CODE = """OPEN = "open"
SHIPPED = "shipped"


class Order:
    def __init__(self, lines):
        self.lines = lines
        self.state = OPEN
        self.urgent = False

    def is_empty(self):
        return not self.lines

    def ship(self):
        self.state = SHIPPED

    def total(self):
        return sum(self.lines)


class Book:
    def place(self, order):
        return order.total()

    def value(self, orders):
        total = 0
        for order in orders:
            total += order.total()
        return total
"""


@pytest.mark.parametrize(
    ("function", "said", "test"),
    [
        ("total", "the order is empty", "self.is_empty()"),
        ("total", "it is empty", "self.is_empty()"),
        ("ship", "the order is already shipped", "self.state == SHIPPED"),
        ("ship", "the order is not open", "self.state != OPEN"),
        ("place", "the order is empty", "order.is_empty()"),
        ("place", "order is not empty", "not order.is_empty()"),
        ("place", "the order is urgent", "order.urgent"),
    ],
)
def test_a_state_is_asked_for_as_its_class_does(function: str, said: str, test: str) -> None:
    words = {"function": function, "condition": said, "result": "None"}
    assert f"        if {test}:\n" in result(answered({PATH: CODE}, ("guard_return", words)), {PATH: CODE})


@pytest.mark.parametrize("said", ["shipped orders", "orders that are shipped"])
def test_each_of_several_is_in_a_state(said: str) -> None:
    done = asking.changed(CODE, f"value should skip {said}", "skip_in_loop", function="value", condition=said)
    assert "            if order.state == SHIPPED:\n                continue\n" in done


def test_a_class_that_is_only_called_like_a_name_leaves_a_mark() -> None:
    said = "return None in place when the order is empty"
    words = {"function": "place", "condition": "the order is empty", "result": "None"}
    (way, *_) = asking.answer_to(CODE, said, "guard_return", **words).ways
    assert "order was assumed to be of the class Order" in way.marked


def test_a_message_says_the_state() -> None:
    said = "place should raise ValueError when the order is empty"
    words = {"function": "place", "condition": "the order is empty", "exception": "ValueError"}
    assert 'raise ValueError("order must not be empty")' in asking.changed(CODE, said, "guard_raise", **words)
