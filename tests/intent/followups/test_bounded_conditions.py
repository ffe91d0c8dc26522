"""Conditions for what was written: with a pronoun for what it uses, about a boundary, besides another one."""

from __future__ import annotations

import pytest
from intent.following import answer_behind

HEAD = "def show(order, notes):\n"
END = "    return order\n"


@pytest.mark.parametrize(
    ("line", "message", "condition", "test"),
    [
        ("print(order.note)", "only if there is one", "there is one", "order.note is not None"),
        ("print(notes)", "only when there are any", "there are any", "notes"),
        ("order.lines = []", "only if it is empty", "it is empty", "not order.lines"),
    ],
)
def test_a_pronoun_stands_for_what_the_written_line_uses(
    line: str, message: str, condition: str, test: str
) -> None:
    written = HEAD + f"    {line}\n" + END
    _, text = answer_behind(HEAD + END, written, message, "run_only_if", condition=condition)
    assert text == HEAD + f"    if {test}:\n        {line}\n" + END


def test_what_stood_there_is_done_otherwise() -> None:
    was = HEAD + "    return order\n"
    written = HEAD + "    return notes\n"
    _, text = answer_behind(was, written, "only if notes is set", "run_only_if", condition="notes is set")
    assert text == HEAD + "    if notes is not None:\n        return notes\n    return order\n"


@pytest.mark.parametrize(
    ("sign", "message", "condition", "intent", "wanted"),
    [
        ("<=", "zero is fine", "zero", "amend.condition", "<"),
        ("<", "zero isn't allowed either", "zero isn't allowed", "amend.condition", "<="),
        ("<", "nor zero", "zero", "also_allow", "<="),
        (">", "also if it is equal", "it is equal", "also_allow", ">="),
    ],
)
def test_a_boundary_alone_is_taken_the_other_way(
    sign: str, message: str, condition: str, intent: str, wanted: str
) -> None:
    written = HEAD + f"    if notes {sign} 0:\n        raise ValueError\n" + END
    _, text = answer_behind(HEAD + END, written, message, intent, condition=condition)
    assert text == written.replace(f"notes {sign} 0", f"notes {wanted} 0")


def test_a_condition_behind_only_about_something_else_comes_to_the_other_one() -> None:
    written = HEAD + "    if notes < 0:\n        raise ValueError\n" + END
    said = ("only if order is None", "amend.condition")
    _, text = answer_behind(HEAD + END, written, *said, condition="order is None")
    assert "if notes < 0 and order is None:" in text


def test_a_value_is_set_in_place_of_raising() -> None:
    written = HEAD + "    if notes < 0:\n        raise ValueError\n" + END
    said = ("set it to 0 instead of failing", "amend.return_instead")
    _, text = answer_behind(HEAD + END, written, *said, result="0")
    assert text == written.replace("raise ValueError", "notes = 0")
