"""Values after an edit that were read as orders for something that is not there."""

from __future__ import annotations

import pytest
from intent.following import answer_behind
from intent.support import said_behind

CODE = """def serve(port):
    connect(port, retries=3)
    return port
"""


@pytest.mark.parametrize(
    ("text", "intent", "words", "says"),
    [
        ("the office says 8", "set_value", {"variable": "office", "value": "8"}, "retries=8"),
        ("the office says fast", "set_value", {"variable": "office", "value": "fast"}, ""),
        ("serve gives 8", "set_return", {"function": "serve", "result": "8"}, "return 8"),
    ],
)
def test_a_value_of_what_is_not_there_is_for_what_was_written(
    text: str, intent: str, words: dict[str, str], says: str
) -> None:
    made = said_behind(CODE, [("retries=3", "retries=5")], text, intent, words)
    assert says in made if says else made == ""


GAME = """\
class Player:
    def __init__(self, lives=3):
        self.lives = 3
        self.score = 0

    def gain(self, points):
        self.score += points
"""
FIVE = GAME.replace("self.lives = 3", "self.lives = 5")


@pytest.mark.parametrize(
    ("text", "value", "kept"),
    [
        ("and gain gives one at 100", "100", False),
        ("in gain 7 points more", "7", False),
        ("score is 7", "7", False),
        ("no, 7 lives", "7", True),
        ("gain a little: 7", "7", True),
        ("make it 7", "7", True),
    ],
)
def test_a_value_beside_the_name_of_something_else_is_none_for_the_last_edit(
    text: str, value: str, kept: bool
) -> None:
    found, now = answer_behind(GAME, FIVE, text, "amend.value", value=value)
    assert (now == FIVE.replace("= 5", f"= {value}")) is kept
    assert kept or not found.ways


@pytest.mark.parametrize(
    ("text", "left"),
    [("20 sided", "20 sided"), ("20 lives", ""), ("20 instead", ""), ("no, 20 seconds", ""), ("20", "")],
)
def test_what_a_new_number_counts_is_named_where_it_is_something_else(text: str, left: str) -> None:
    found, _ = answer_behind(GAME, FIVE, text, "amend.value", value="20")
    marks = found.ways[0].marked
    assert [mark.removeprefix("not used: ") for mark in marks if mark.startswith("not used")] == [
        left
    ] * bool(left)
