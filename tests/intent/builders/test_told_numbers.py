"""Numbers that only the words around them tell."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed

CODE = """SPEEDS = {"snail": 2, "hare": 30}


class Potion:
    heal = 15


class Sword:
    damage = 8
    weight = 3


class Player:
    def drink(self, potion):
        self.hp = min(100, self.hp + 20)

    def rest(self):
        self.hp += 5
"""


@pytest.mark.parametrize(
    ("text", "intent", "slots", "line"),
    [
        ("potions should heal 25", "set_value", {"variable": "potions", "value": "25"}, "heal = 25"),
        ("potions should heal 25", "round_value", {"variable": "potions", "count": "25"}, "heal = 25"),
        ("a sword does 12 damage", "replace_value", {"new": "12"}, "damage = 12"),
        ("a rest gives 9", "replace_value", {"new": "9", "function": "rest"}, "self.hp += 9"),
        (
            "drinking heals 25 instead of 20",
            "set_value",
            {"variable": "drinking", "value": "25", "old": "20"},
            "self.hp = min(100, self.hp + 25)",
        ),
    ],
)
def test_the_number_with_the_most_words_around_it_is_meant(
    text: str, intent: str, slots: dict[str, str], line: str
) -> None:
    new = changed(CODE, text, intent, **slots).splitlines()
    assert [one.strip() for one in new if one not in CODE.splitlines()] == [line]


def test_it_is_marked_and_one_word_tells_no_number() -> None:
    made = answer_to(CODE, "a sword does 12 damage", "replace_value", new="12")
    assert any("8 was assumed" in reason for reason in made.ways[0].marked)
    assert answer_to(CODE, "a sword costs 12", "replace_value", new="12").ways == ()


def test_a_hexadecimal_number_is_no_number_of_digits() -> None:
    made = changed("MASK = 0xffff\n", "MASK should be 0xff", "round_value", variable="MASK", count="0xff")
    assert made == "MASK = 0xff\n"
