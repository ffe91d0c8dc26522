"""A small game: what people want of its values, in their words."""

from __future__ import annotations

import pytest

from spark_tui.refactor import known as all_of_them
from spark_tui.refactor import values
from spark_tui.refactor.known import PLAIN, known

CODE = """\
import os
import random
import time
import tkinter as tk

import pygame
import requests

WIDTH, HEIGHT = 640, 480
FPS = 30
BG = (0, 0, 0)
LIVES = 3
SPEED = 4.5
TITLE = "Space"
SAVE_FILE = "scores.txt"
USE_SOUND = True
KEYS = {"left": "a", "right": "d"}
LEVELS = [1, 2, 3]
BACKUP_DAYS = 14
SKIP_DIRS = [".git", "node_modules"]
URL = "http://api.example.com/v1"


def spawn(count=5):
    return [random.randint(0, 10) for _ in range(count)]


def color_for(score):
    if score > 80:
        return "green"
    elif score > 50:
        return "yellow"
    else:
        return "red"


def get_weather(city):
    r = requests.get(URL, params={"q": city, "units": "metric"}, timeout=3)
    if r.status_code != 200:
        return None
    return r.json()["main"]["temp"]


def greet(name):
    print(f"Hello {name}!")
    print("Welcome back")


def table(rows):
    print("Name", "Score", sep=" | ")
    for name, score in sorted(rows):
        print(name, score)


def backup(src, dst):
    for root, dirs, files in os.walk(src):
        for f in files:
            if f.endswith(".tmp"):
                continue
            copy(os.path.join(root, f), dst)
    time.sleep(0.5)


def attempt(fn):
    for i in range(3):
        try:
            return fn()
        except OSError:
            time.sleep(1)
    raise RuntimeError("gave up after 3 tries")


class Player:
    lives = LIVES
    speed = 2

    def __init__(self, name, color="blue"):
        self.name = name
        self.color = color
        self.score = 0
        self.energy = 100

    def hit(self, damage=10):
        self.energy -= damage
        if self.energy < 0:
            self.lives -= 1
            self.energy = 100

    def bonus(self):
        self.score += 50

    def jump(self):
        self.y -= 12
        return self.y


class Window:
    def __init__(self):
        self.root = tk.Tk()
        self.root.geometry("300x200")
        self.button = tk.Button(self.root, text="Start", command=self.go)
        self.root.after(1000, self.tick)

    def average(self, xs):
        return sum(xs) / len(xs)

    def loud(self, text):
        return text.upper()
"""

EDITS = [
    ("60 fps please", "FPS = 30", "FPS = 60"),
    ("the title should be Invaders", '"Space"', '"Invaders"'),
    ('change the title to "Invaders"', '"Space"', '"Invaders"'),
    ("turn the sound off", "USE_SOUND = True", "USE_SOUND = False"),
    ("keep backups for 30 days", "BACKUP_DAYS = 14", "BACKUP_DAYS = 30"),
    ("use highscores.txt as save file", "scores.txt", "highscores.txt"),
    ('left key should be "j"', '"left": "a"', '"left": "j"'),
    ("add 4 to LEVELS", "[1, 2, 3]", "[1, 2, 3, 4]"),
    ("skip the __pycache__ dir too", '"node_modules"]', '"node_modules", "__pycache__"]'),
    ('also skip ".venv" in SKIP_DIRS', '"node_modules"]', '"node_modules", ".venv"]'),
    ("url: http -> https", '"http://', '"https://'),
    ("spawn 8 by default", "count=5", "count=8"),
    ("spawn should default to 8", "count=5", "count=8"),
    ("80 should already be green", "score > 80", "score >= 80"),
    ("return orange instead of yellow", '"yellow"', '"orange"'),
    ("use imperial units instead of metric", '"metric"', '"imperial"'),
    ("raise the timeout of the weather request to 10", "timeout=3", "timeout=10"),
    ("weather timeout 10s", "timeout=3", "timeout=10"),
    ("get_weather should return 0 instead of None", "return None", "return 0"),
    ('print "Welcome" instead of "Welcome back"', '"Welcome back"', '"Welcome"'),
    ("use a comma as separator in table", 'sep=" | "', 'sep=","'),
    ("reverse=True for sorted", "sorted(rows)", "sorted(rows, reverse=True)"),
    ("also skip .bak files in backup", '(".tmp")', '((".tmp", ".bak"))'),
    ("wait 2 seconds in backup", "time.sleep(0.5)", "time.sleep(2)"),
    ("try 5 times instead of 3", "range(3)", "range(5)"),
    ("attempt should try 5 times", "range(3)", "range(5)"),
    ("sleep twice as long in attempt", "time.sleep(1)", "time.sleep(2)"),
    ("double the speed of the player", "speed = 2", "speed = 4"),
    ("hit should do 20 damage", "damage=10", "damage=20"),
    ("bonus gives 100 points", "+= 50", "+= 100"),
    ("jump 15 high", "-= 12", "-= 15"),
    ("jump one higher", "-= 12", "-= 13"),
    ('the button should say "Go"', 'text="Start"', 'text="Go"'),
    ("set the height to 600", "640, 480", "640, 600"),
    ("use // instead of / in average", "sum(xs) / len", "sum(xs) // len"),
]
OTHERS = [
    "the name should be optional",
    "the title should be longer",
    "the color should be configurable",
    "count the lives",
    "why do we wait 1 second in attempt?",
    "the speed is 2 but it feels slow",
    "add a level parameter to spawn, default 1",
    "raise a ValueError if count is above 20",
    "print the score every 10 points",
    "move the 3 from attempt into a constant",
    "skip hidden files in backup",
    "after 3 hits the player is dead",
]


@pytest.fixture(autouse=True)
def only_these(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(all_of_them, "RULES", values.RULES)


def made(instruction: str) -> list[tuple[int, str]]:
    lines = CODE.split("\n")[:-1]
    out = []
    for edit in known(lines, instruction):
        new = list(lines)
        for hunk in reversed(edit.hunks):
            new[hunk.first : hunk.last] = hunk.new
        out.append((edit.plain, "".join(f"{line}\n" for line in new)))
    return out


@pytest.mark.parametrize(("instruction", "old", "new"), EDITS)
def test_the_value_of_the_game_is_changed(instruction: str, old: str, new: str) -> None:
    assert CODE.count(old) == 1
    assert made(instruction) == [(PLAIN, CODE.replace(old, new))]


@pytest.mark.parametrize("instruction", OTHERS)
def test_what_says_something_else_is_not_plain(instruction: str) -> None:
    assert [text for plain, text in made(instruction) if plain == PLAIN] == []
