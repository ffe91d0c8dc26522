"""Values and transforms that are not said as the code spells them."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed

CODE = """import hashlib
from urllib.request import urlopen

LIMIT_TIMEOUT = 8
MEALS = {"noon": 1}


class Guest:
    def __init__(self, nick, seats, diet=None):
        self.nick = nick
        self.seats = seats
        self.diet = diet


def guests_of(rows):
    found = []
    for row in rows:
        found.append(Guest(row[0], row[1]))
    return found


def lookup(table_code, meals):
    table_code = table_code.strip()
    return meals[table_code]


def middle(left, top, width, height):
    return left + width / 2, top + height / 2


def nearer(a, b):
    return weight(a) - weight(b) < weight(b)


def weight(one, rate=1.0):
    return rate * one.size()


def mark(kind):
    return "late" if kind else kind.upper()


def menu(guest):
    return price(guest.seats)


def price(seats, diet=None):
    return seats * 3


def digest(text):
    return hashlib.new("md5", text), run(hashlib.md5)


def run(make):
    return make()


def page(address):
    return urlopen(address)


def spread(line):
    key, value = line.split("=")
    return key, value


def hint(kind):
    return kind or "-"


def old_and_new(path):
    with open(path) as source:
        text = source.read()
    with open(path + ".new", "w") as goal:
        goal.write(text)
"""


@pytest.mark.parametrize(
    ("intent", "text", "slots", "old", "new"),
    [
        (
            "apply_function",
            "table codes in upper case in lookup",
            {"variable": "table codes", "transform": "upper case", "function": "lookup"},
            "table_code.strip()",
            "table_code.strip().upper()",
        ),
        (
            "convert_value",
            "middle should give whole numbers",
            {"type": "whole numbers", "function": "middle"},
            "left + width / 2, top + height / 2",
            "int(left + width / 2), int(top + height / 2)",
        ),
        (
            "apply_function",
            "nearer must compare absolute values",
            {"transform": "absolute values", "function": "nearer"},
            "weight(a) - weight(b) < weight(b)",
            "abs(weight(a) - weight(b)) < abs(weight(b))",
        ),
        (
            "apply_function",
            "take spaces out of the address in page",
            {"variable": "address", "transform": "take spaces out", "function": "page"},
            "    return urlopen(address)",
            '    address = address.replace(" ", "")\n    return urlopen(address)',
        ),
        (
            "apply_function",
            'write "late" in capitals in mark',
            {"variable": "late", "transform": "capitals", "function": "mark"},
            '"late"',
            '"LATE"',
        ),
        (
            "add_argument",
            "menu should pass the diet on to price",
            {"call": "price", "value": "diet", "function": "menu"},
            "price(guest.seats)",
            "price(guest.seats, guest.diet)",
        ),
        (
            "replace_call",
            "sha256 for md5 please",
            {"new": "sha256", "old": "md5"},
            "run(hashlib.md5)",
            "run(hashlib.sha256)",
        ),
        (
            "set_argument",
            "urlopen must give up after 9 seconds",
            {"call": "urlopen", "value": "9"},
            "urlopen(address)",
            "urlopen(address, timeout=9)",
        ),
        (
            "add_argument",
            "split at the first one only",
            {"call": "split", "value": "the first one only"},
            'split("=")',
            'split("=", 1)',
        ),
        (
            "set_argument",
            "use utf-16 when reading in old_and_new",
            {"value": "utf-16", "argument": "", "function": "old_and_new"},
            "open(path) as",
            'open(path, encoding="utf-16") as',
        ),
        (
            "value_if_empty",
            "a question mark where meals has no such table_code",
            {"default": "a question mark", "variable": "meals"},
            "meals[table_code]",
            'meals.get(table_code, "?")',
        ),
    ],
)
def test_what_is_said_loosely_is_found(
    intent: str, text: str, slots: dict[str, str], old: str, new: str
) -> None:
    said = {slot: words for slot, words in slots.items() if words}
    assert changed(CODE, text, intent, **said) == CODE.replace(old, new)


@pytest.mark.parametrize(
    ("intent", "text", "slots"),
    [
        (
            "apply_function",
            "table codes stripped in lookup",
            {"variable": "table codes", "transform": "stripped", "function": "lookup"},
        ),
        (
            "value_if_empty",
            "a dash for kind in hint",
            {"variable": "kind", "default": "a dash", "function": "hint"},
        ),
        ("replace_call", "page should go through urlopen", {"new": "urlopen", "function": "page"}),
        ("set_argument", "open mode", {"call": "open", "argument": "mode"}),
    ],
)
def test_what_is_so_already_is_not_done_again(intent: str, text: str, slots: dict[str, str]) -> None:
    answer = answer_to(CODE, text, intent, **slots)
    assert not answer.ways


@pytest.mark.parametrize(
    ("made", "new"),
    [
        ('re.compile(r"[a-z]+")', 're.compile(r"[a-z]+", re.IGNORECASE)'),
        ('re.compile(r"[a-z]+", re.M)', 're.compile(r"[a-z]+", re.M | re.IGNORECASE)'),
        ('re.compile(r"[a-z]+", flags=re.M)', 're.compile(r"[a-z]+", flags=re.M | re.IGNORECASE)'),
    ],
)
def test_a_pattern_that_is_to_ignore_case_gets_a_flag(made: str, new: str) -> None:
    code = f"import re\n\nNAME = {made}\n\n\ndef found(text):\n    return NAME.match(text)\n"
    said = "NAME should be case insensitive"
    assert changed(code, said, "ignore_case", variable="NAME") == code.replace(made, new)
