"""Messages that put an edit right: another outcome, a constant of its own, what is optional already."""

from __future__ import annotations

import pytest
from intent.asking import changed
from intent.following import answer_behind, situation_behind

from spark_tui.intent.answering.answer import answer_orders
from spark_tui.intent.context.situation import Done
from spark_tui.intent.words.readings import Order, Reading, Span

DATES = "from datetime import date\n\n\nclass StoreError(Exception):\n    pass\n\n\ndef parse(text):\n"
PLAIN = "    return date.fromisoformat(text)\n"
TRIED = "    try:\n        return date.fromisoformat(text)\n    except Exception:\n        return None\n"


def test_an_own_error_is_raised_and_not_caught_where_none_was_named() -> None:
    text = "no, make that a StoreError"
    told = situation_behind(DATES + PLAIN, DATES + TRIED, text)
    earlier = Done("try_return", {}, ())
    reading = Reading("amend.exception", 0.9, {"exception": (Span(16, 26, "StoreError"),)})
    told = type(told)(told.repo, told.path, earlier=earlier, before=told.before, instruction=text)
    answer = answer_orders([Order(0, len(text), (reading,))], told)
    assert answer.ways and "raise StoreError" in str(answer.ways[0].calls)


def test_a_constant_with_a_new_name_is_none_that_is_there() -> None:
    code = "LOAN_DAYS = 21\n\n\ndef fine(late):\n    return {}\n"
    was, now = code.format("late"), code.format("min(10, late)")
    text = answer_behind(was, now, "call the constant FINE_CAP", "amend.value", value="FINE_CAP")[1]
    assert "LOAN_DAYS, late" not in text


def test_what_has_a_default_is_optional() -> None:
    was, now = "def join(name):\n    return name\n", "def join(name, email=None):\n    return name\n"
    answer, text = answer_behind(was, now, "needs to be optional", "remove_default")
    assert answer.kind != "edit" and not text


@pytest.mark.parametrize("text", ["email must not be optional", "email should no longer be optional"])
def test_what_is_not_to_be_optional_loses_its_default(text: str) -> None:
    code = "def join(name, email=None):\n    return name, email\n"
    assert "email)" in changed(code, text, "remove_default", parameter="email")
