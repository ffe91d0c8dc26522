"""Texts, dates and comparisons by what they are for: orders on a small game and a small report."""

from __future__ import annotations

import pytest

from spark_tui.refactor.known import PLAIN, known

CODE = """\
from datetime import datetime


class Player:
    def __init__(self, name):
        self.name = name
        self.points = 0

    def cheer(self):
        print(f"go {self.name}")


def ask():
    letter = input("Letter? ")
    return letter


def find(players, name):
    for player in players:
        if player.name == name:
            return player
    return None


def water(pot, seconds):
    print("watering", pot)


def mean(values):
    result = sum(values) / len(values)
    return result


def stamp():
    return datetime.now().strftime("%d.%m.%Y")


def play(lives):
    print("Welcome to the game")
    while lives > 0:
        if ask() == "x":
            print("You won!")
            return True
        lives -= 1
        print("wrong")
    print("You lost, the word was x")
    return False
"""


def made(said: str) -> tuple[str, int]:
    lines = CODE.split("\n")[:-1]
    found = known(lines, said)
    if not found:
        return "", 0
    out = list(lines)
    for hunk in reversed(found[0].hunks):
        out[hunk.first : hunk.last] = hunk.new
    return "\n".join(out) + "\n", found[0].plain


@pytest.mark.parametrize(
    ("said", "old", "new"),
    [
        ('Make the winning message "Congratulations!"', '"You won!"', '"Congratulations!"'),
        ('the greeting should be "hi there"', '"Welcome to the game"', '"hi there"'),
        ('the losing message should read "too bad"', '"You lost, the word was x"', '"too bad"'),
        ('change the prompt to "Your letter: "', '"Letter? "', '"Your letter: "'),
        ("the prompt should end with a colon", '"Letter? "', '"Letter: "'),
        ("add an exclamation mark to the welcome message", "the game", "the game!"),
        ("water should say how many seconds too", '"watering", pot', '"watering", pot, seconds'),
        ("show the remaining lives after wrong", 'print("wrong")', 'print("wrong", lives)'),
        ("print the seconds as well in water", '"watering", pot', '"watering", pot, seconds'),
        ("print the lives too when you lost", '"You lost, the word was x"', '"You lost, the word was x", lives'),
        ("cheer should show the points too", 'f"go {self.name}"', 'f"go {self.name} {self.points}"'),
        ("add the time to the stamp, like 01.05.2024 17:30", "%d.%m.%Y", "%d.%m.%Y %H:%M"),
        ("stamp with hours and minutes too", "%d.%m.%Y", "%d.%m.%Y %H:%M"),
        ("the stamp should look like 2024-05-01", "%d.%m.%Y", "%Y-%m-%d"),
        ("dates like 2024-05-01-1730 please", "%d.%m.%Y", "%Y-%m-%d-%H%M"),
        ("mean should round to 2 places", "return result", "return round(result, 2)"),
        ("lower case what ask() returns", "return letter", "return letter.lower()"),
        ("find should ignore case", "player.name == name", "player.name.lower() == name.lower()"),
        ("comparison of names in find should ignore case", ".name == name", ".name.lower() == name.lower()"),
    ],
)
def test_what_is_shown_changes(said: str, old: str, new: str) -> None:
    assert CODE.count(old) == 1
    assert made(said) == (CODE.replace(old, new), PLAIN)


@pytest.mark.parametrize(
    "said",
    [
        "water should say how many litres too",
        'the farewell message should be "bye"',
        "the stamp should look like 01.05.2024",
        "why does find ignore case?",
    ],
)
def test_what_is_not_there_or_done_stays(said: str) -> None:
    assert made(said)[1] != PLAIN


SHOP = """\
ALLOWED = {"png", "jpg"}
SHIPPING_FEE = 4.95
FREE_FROM = 50
PRICES = {"tea": 3.2, "coffee": 4.5}


def shipping(total):
    if total > FREE_FROM:
        return 0
    return SHIPPING_FEE


def passed(points, limit=60):
    return points > limit


def confirm():
    answer = input("Sure? ")
    return answer == "y"
"""


@pytest.mark.parametrize(
    ("said", "old", "new"),
    [
        ("exactly 50 ships free too", "total > FREE", "total >= FREE"),
        ("60 is a pass", "points > limit", "points >= limit"),
        ("allow gif uploads too", '"jpg"}', '"jpg", "gif"}'),
        ("no more coffee", ', "coffee": 4.5', ""),
        ("we also sell cocoa for 2.8", '"coffee": 4.5', '"coffee": 4.5, "cocoa": 2.8'),
        ("accept yes as well", 'answer == "y"', 'answer in ("y", "yes")'),
    ],
)
def test_a_shop_is_spoken_of(said: str, old: str, new: str) -> None:
    lines = SHOP.split("\n")[:-1]
    found = known(lines, said)
    assert found
    out = list(lines)
    for hunk in reversed(found[0].hunks):
        out[hunk.first : hunk.last] = hunk.new
    assert ("\n".join(out) + "\n", found[0].plain) == (SHOP.replace(old, new), PLAIN)
