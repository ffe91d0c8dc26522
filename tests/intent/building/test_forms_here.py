"""Forms that no words place are made where the person is, if they fit there."""

from __future__ import annotations

import pytest
from intent.support import PATH, answered, result, situation

from spark_tui.intent.answering.answer import answer_orders
from spark_tui.intent.words.readings import Order, Reading

LOOP = "def {0}(rows):\n    out = []\n    for row in rows:\n        out.append(row + 1)\n    return out\n"
FORM = "def {0}(rows):\n    return [row + 1 for row in rows]\n"
OTHER = "def size(rows):\n    return len(rows)\n"
CODE = "\n\n".join((LOOP.format("first"), LOOP.format("last"), OTHER))


@pytest.mark.parametrize(
    ("where", "everywhere", "made"),
    [
        ({}, False, ("first", "last")),
        ({"cursor": 9}, False, ("last",)),
        ({"selection": (2, 5)}, False, ("first",)),
        ({"cursor": 9}, True, ("first", "last")),
        ({"cursor": 16}, False, ("first", "last")),  # nothing fits there
    ],
)
def test_a_form_is_made_where_the_cursor_or_the_selection_is(
    where: dict[str, object], everywhere: bool, made: tuple[str, ...]
) -> None:
    text = "use a list comprehension"
    reading = Reading("pattern.list_comprehension", 0.95, {}, (), everywhere)
    order = Order(0, len(text), (reading,))
    found = answer_orders([order], situation({PATH: CODE}, instruction=text, **where))
    wanted = [(FORM if name in made else LOOP).format(name) for name in ("first", "last")]
    assert result(found, {PATH: CODE}) == "\n\n".join((*wanted, OTHER))


def test_without_a_file_the_answer_says_that_there_is_none() -> None:
    found = answered({"shop.py": "a = 1\nb = a == None\n"}, ("pattern.is_none", {}), path="")
    assert (found.kind, "no file is open or named" in found.reason) == ("write", True)
