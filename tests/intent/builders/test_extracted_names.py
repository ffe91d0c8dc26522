"""What is extracted is not called by the word for what it becomes, and several pieces do not share a name."""

from __future__ import annotations

import pytest
from intent.asking import answer_to
from intent.support import PATH, situation

from spark_tui.intent.answering.answer import answer_orders
from spark_tui.intent.words.readings import Order, Reading, Span

CODE = "def f(a):\n    print(len(a) + 1)\n    return sum(a) * 2\n"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("extract `len(a) + 1` into variables", "variables"),
        ("extract `len(a) + 1` into a variable", "variable"),
        ("extract `len(a) + 1` to functions", "functions"),
    ],
)
def test_a_kind_is_no_name(text: str, name: str) -> None:
    found = answer_to(CODE, text, "extract_variable", expression="len(a) + 1", name=name)
    assert not found.ways and "does not say the name" in found.reason


def test_a_piece_that_is_not_extracted_is_a_mark() -> None:
    text = "extract `len(a) + 1` and `sum(a) * 2` into a variable called n"
    spans = tuple(
        Span(text.index(one), text.index(one) + len(one), one, True) for one in ("len(a) + 1", "sum(a) * 2")
    )
    slots = {"expression": spans, "name": (Span(len(text) - 1, len(text), "n"),)}
    order = Order(0, len(text), (Reading("extract_variable", 0.95, slots),))
    found = answer_orders([order], situation({PATH: CODE}, instruction=text))
    assert any("not used: sum(a) * 2" in mark for mark in found.ways[0].marked)
