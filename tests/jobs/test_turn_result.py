"""What a turn of a job came to, in words."""

import pytest

from spark_tui import events
from spark_tui.jobs.turn_result import TurnResult


def result(*past):
    found = TurnResult()
    found.read(past)
    return found


@pytest.mark.parametrize(
    ("titles", "words"),
    [
        (("rename", "ask the model"), "this may be meant: 1 rename"),
        (("rename", "move", "ask the model"), "several edits may be meant: 1 rename; 2 move"),
    ],
)
def test_choices_are_listed_without_the_model(titles, words):
    assert result(events.Choices(titles), events.Finished("choices")).meant == words


def test_choices_beside_an_edit_are_no_failure():
    closed = events.HunkClosed(1, "a.py", 1, ("a",), ("b",))
    assert result(closed, events.Choices(("rename", "ask the model")), events.Finished("stop")).meant == ""
