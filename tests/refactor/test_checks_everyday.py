# ruff: noqa: E501 - tables of instructions read better unbroken
"""Waiting, what is set from outside, limits and folders, as people ask for them every day."""

from __future__ import annotations

import pytest
from checks_texts import GAME, changed

FETCH = """\
import requests

BASE = "https://shop.example.com"
API_KEY = "abc123"
PAGES = 10
OUT = "out"


def download(name, tries=3):
    for attempt in range(tries):
        try:
            r = requests.get(BASE + "/" + name, timeout=5)
            return r.content
        except Exception:
            print("try", attempt, "failed")
    return None


def save(text, path):
    with open(path, "w") as f:
        f.write(text)


def crawl():
    for page in range(1, PAGES):
        save(download(f"?page={page}"), f"{OUT}/{page}.html")
"""


@pytest.mark.parametrize(
    ("said", "gone", "come"),
    [
        ('sleep a second between attempts', '', 'import time\n\n            time.sleep(1)'),
        ('wait 2 seconds after a failed try in download', '', 'import time\n\n            time.sleep(2)'),
        ('wait longer after every failed try', '', 'import time\n\n            time.sleep(2 ** attempt)'),
        ('download should back off exponentially', '', 'import time\n\n            time.sleep(2 ** attempt)'),
        ('sleep half a second between pages', '', 'import time\n\n        time.sleep(0.5)'),
        ('be nice to the server and wait one second after each page', '', 'import time\n\n        time.sleep(1)'),
        ('read API_KEY from the environment variable SHOP_KEY, fall back to abc123', 'API_KEY = "abc123"', 'import os\n\nAPI_KEY = os.environ.get("SHOP_KEY", "abc123")'),
        ('the api key should come from os.environ (SHOP_KEY), default "demo"', 'API_KEY = "abc123"', 'import os\n\nAPI_KEY = os.environ.get("SHOP_KEY", "demo")'),
        ('take PAGES from env var SHOP_PAGES, default 10', 'PAGES = 10', 'import os\n\nPAGES = int(os.environ.get("SHOP_PAGES", "10"))'),
        ("get BASE from the environment variable SHOP_URL or use http://localhost:8000 if it isn't set", 'BASE = "https://shop.example.com"', 'import os\n\nBASE = os.environ.get("SHOP_URL", "http://localhost:8000")'),
        ("create the OUT folder if it's missing in crawl", '', 'import os\n\n    os.makedirs(OUT, exist_ok=True)'),
        ('make sure the folder of path exists in save', '', 'import os\n\n    os.makedirs(os.path.dirname(path), exist_ok=True)'),
        ('crawl: create OUT first if it does not exist', '', 'import os\n\n    os.makedirs(OUT, exist_ok=True)'),
    ],
)  # fmt: skip
def test_waits_and_places(said: str, gone: str, come: str) -> None:
    assert changed(FETCH, said) == (gone, come)


@pytest.mark.parametrize(
    ("said", "gone", "come"),
    [
        ("Timer.tick shouldn't go below zero", '        self.left -= 1', '        self.left = max(0, self.left - 1)'),
        ('hp must never drop below 0', '        self.hp -= damage', '        self.hp = max(0, self.hp - damage)'),
        ('hp should not go over 10', '        self.hp += amount', '        self.hp = min(10, self.hp + amount)'),
        ('heal at most to 10', '        self.hp += amount', '        self.hp = min(10, self.hp + amount)'),
        ('gold may not become negative', '        self.gold -= cost\n        self.gold -= 1', '        self.gold = max(0, self.gold - cost)\n        self.gold = max(0, self.gold - 1)'),
        ('spend must not make gold negative', '        self.gold -= cost', '        self.gold = max(0, self.gold - cost)'),
        ("hp can't exceed 20", '        self.hp += amount', '        self.hp = min(20, self.hp + amount)'),
        ('cap hp at 12 in heal', '        self.hp += amount', '        self.hp = min(12, self.hp + amount)'),
    ],
)  # fmt: skip
def test_game(said: str, gone: str, come: str) -> None:
    assert changed(GAME, said) == (gone, come)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (FETCH, "sleep a second between lunches"),
        (FETCH, "wait longer"),
        (FETCH, "read TOKEN from the environment"),
        (FETCH, "read API_KEY from the environment"),
        (FETCH, "create the moon if it is missing"),
        (GAME, "tick shouldn't go below zero"),
        (GAME, "mana can't go below 0"),
        (GAME, "raise ValueError when gold goes below 0 in hit"),
    ],
)
def test_what_has_no_place_or_two_is_left(code: str, said: str) -> None:
    assert changed(code, said) is None
