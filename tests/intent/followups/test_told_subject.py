"""What a condition with a pronoun is about after an edit, and amendments that ignore a condition."""

from __future__ import annotations

import pytest
from intent.following import answer_behind, situation_behind

from spark_tui.intent.answering.answer import answer_orders
from spark_tui.intent.words.readings import Order, Reading, Span

CODE = "def take(count, name):\n    return count\n"
GUARDED = CODE.replace("    return", '    if count < 0:\n        raise ValueError("negative")\n    return')


@pytest.mark.parametrize(
    ("said", "test"),
    [
        ("it is None", "count is None"),
        ("it's zero", "count == 0"),
        ("it isn't a number", "not isinstance(count, (int, float))"),
    ],
)
def test_a_pronoun_means_what_the_written_test_looks_at(said: str, test: str) -> None:
    text = f"and a TypeError when {said}"
    _, made = answer_behind(CODE, GUARDED, text, "guard_raise", exception="TypeError", condition=said)
    assert f"    if {test}:\n        raise TypeError(" in made
    assert 'raise ValueError("negative")' in made


def test_it_is_not_known_which_of_two_tests_is_meant() -> None:
    two = GUARDED.replace("    return", '    if not name:\n        raise ValueError("no name")\n    return')
    answer, _ = answer_behind(CODE, two, "TypeError if it is None", "guard_raise", condition="it is None")
    assert answer.kind != "edit"


def test_an_amendment_that_ignores_a_condition_is_less_likely() -> None:
    text = "TypeError when it is None"
    told = situation_behind(CODE, GUARDED, text)
    slots = {"exception": (Span(0, 9, "TypeError"),)}
    guard = Reading("guard_raise", 0.4, {**slots, "condition": (Span(15, 25, "it is None"),)})
    readings = (Reading("amend.exception", 0.5, slots), guard)
    answer = answer_orders([Order(0, len(text), readings)], told)
    assert "count is None" in str(answer.ways[0].calls)


def test_a_pronoun_alone_says_nothing_of_it() -> None:
    _, made = answer_behind(CODE, GUARDED, "and return for those", "guard_return", condition="those")
    assert "if count:" not in made
