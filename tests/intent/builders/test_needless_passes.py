"""All `pass` statements that nothing needs go at once where several are meant."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed
from intent.support import PATH, situation

from spark_tui.intent.answering.misread_removals import is_misread
from spark_tui.intent.words.readings import Order, Reading, Span

CODE = '''class A(Exception):
    """One."""

    pass


class B(Exception):
    """Two."""

    pass


class C(Exception):
    pass
'''


@pytest.mark.parametrize(
    ("text", "intent", "slot"),
    [
        ("remove the pass statements after the docstrings", "delete_statement", "code"),
        ("remove all the pass statements", "delete_calls", "call"),
        ("drop every needless pass", "delete_statement", "code"),
        ("die Pass-Anweisungen entfernen, pass braucht es nicht", "delete_statement", "code"),
    ],
)
def test_those_beside_something_else_go(text: str, intent: str, slot: str) -> None:
    made = changed(CODE, text, intent, **{slot: "pass"})
    assert made.count("pass") == 1 and made.endswith("class C(Exception):\n    pass\n")


def test_a_body_keeps_what_it_needs() -> None:
    code = "class C(Exception):\n    pass\n"
    assert answer_to(code, "remove all pass statements", "delete_statement", code="pass").kind == "nothing"


def test_one_that_is_named_goes_alone() -> None:
    made = changed(CODE, "remove the pass in B", "delete_statement", code="pass", function="B")
    assert made.count("pass") == 2 and '"""Two."""\n\n\nclass C' in made


@pytest.mark.parametrize(
    ("text", "misread"),
    [
        ("remove the pass statements after the docstrings", False),
        ("remove pass and put it after the docstrings", True),
        ("the pass goes after the docstrings", True),
    ],
)
def test_a_plain_order_to_remove_is_no_move(text: str, misread: bool) -> None:
    at = text.index("pass")
    reading = Reading("delete_statement", 0.57, {"code": (Span(at, at + 4, "pass"),)})
    told = situation({PATH: CODE}, instruction=text)
    assert is_misread(reading, reading, told, Order(0, len(text), (reading,))) is misread
