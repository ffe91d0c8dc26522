"""Which instructions ask for an answer, and which want something done."""

import pytest

from spark_tui.steers.questions import is_question, no_order


@pytest.mark.parametrize(
    "text",
    [
        "why is it slow?",
        "What does `load` return?",
        "hm, where is limit used?",
        "I looked at it again. Is the lock ever released?",
        "how many times is save called?",
        "do we still need path?",
        "ok so who calls load??",
    ],
)
def test_a_question_asks(text):
    assert is_question(text)


@pytest.mark.parametrize(
    "text",
    [
        "can you rename load?",
        "could the limit be 10?",
        "why not use sum()?",
        "why don't we cache it?",
        "isn't it `<=`?",
        "how about a timeout of 5?",
        "why is Store public? make it private",
        "when the list is empty, return 0, ok?",
        "where it says 5, use 6?",
        "sort the imports, would you?",
        "do the same for save, ok?",
        "what load returns should be a list",
        "rename what to which",
    ],
)
def test_an_order_does_not_however_it_is_put(text):
    assert not is_question(text)


def test_a_question_is_likelier_out_of_reach_and_nothing_else_changes():
    assert no_order(0.1, question=False) == 0.1
    assert 0.1 < no_order(0.1, question=True) < no_order(0.5, question=True) < 1
    assert 0 < no_order(0.0, question=True) < 0.01
    assert no_order(1.0, question=True) == pytest.approx(1.0)
