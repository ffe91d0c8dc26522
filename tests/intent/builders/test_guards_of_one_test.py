"""Guards whose test a function asks already: its branch leaves otherwise, nothing stands twice."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed
from intent.support import PATH, situation

from spark_tui.intent.answering.answer import answer_orders
from spark_tui.intent.words.readings import Order, Reading, Span

CODE = """def status(code):
    if code == 404:
        return "missing"
    elif code >= 500:
        return "error"
    if code < 0:
        raise KeyError(f"no such code: {code}")
    return "ok"


def listed(rows):
    for row in rows:
        if row is None:
            break
        print(row)
"""


@pytest.mark.parametrize(
    ("intent", "text", "slots", "old", "new"),
    [
        (
            "guard_return",
            'status should return "gone" if code == 404',
            {"condition": "code == 404", "result": '"gone"'},
            '"missing"',
            '"gone"',
        ),
        (
            "guard_return",
            "return None in status if code >= 500",
            {"condition": "code >= 500", "result": "None"},
            '"error"',
            "None",
        ),
        (
            "guard_raise",
            "raise ValueError in status if code < 0",
            {"condition": "code < 0", "exception": "ValueError"},
            "KeyError",
            "ValueError",
        ),
        (
            "guard_raise",
            "raise KeyError('negative') in status if code < 0",
            {"condition": "code < 0", "exception": "KeyError", "message": "negative"},
            'f"no such code: {code}"',
            '"negative"',
        ),
        ("skip_in_loop", "listed skips it if row is None", {"condition": "row is None"}, "break", "continue"),
    ],
)
def test_the_branch_of_the_same_test_leaves_otherwise(
    intent: str, text: str, slots: dict[str, str], old: str, new: str
) -> None:
    name = next(item for item in ("status", "listed") if item in text)
    assert changed(CODE, text, intent, function=name, **slots) == CODE.replace(old, new, 1)


def test_a_guard_that_stands_there_is_not_made_again() -> None:
    text = "raise KeyError in status if code < 0"
    words = {"function": "status", "condition": "code < 0", "exception": "KeyError"}
    assert answer_to(CODE, text, "guard_raise", **words).kind == "nothing"


def test_a_second_condition_that_is_not_tested_is_named() -> None:
    text = "status: if code is negative raise ValueError, if code is above 900 raise ValueError"
    pieces = ("code is negative", "code is above 900")
    spans = tuple(Span(text.index(one), text.index(one) + len(one), one) for one in pieces)
    slots = {"function": (Span(0, 6, "status"),), "condition": spans}
    slots["exception"] = (Span(text.index("ValueError"), text.index("ValueError") + 10, "ValueError"),)
    order = Order(0, len(text), (Reading("guard_raise", 0.95, slots),))
    way = answer_orders([order], situation({PATH: CODE}, instruction=text)).ways[0]
    assert "not used: code is negative" in way.marked
