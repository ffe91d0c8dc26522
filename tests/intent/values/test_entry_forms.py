"""Entries and items in the form of those beside them, several in one order, and numbers as words say them."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed

SHOP = '''"""What the shop sells."""
from email.message import EmailMessage

OPEN = {"mon": "9-17", "tue": "9-17", "wed": "9-12"}
CLOSED = ["2025-01-01", "2025-12-25"]
ROOMS = {"cellar": (4, 12), "attic": (10, 30)}
STAFF = {"ann": {"role": "till", "age": 30}, "bob": {"role": "store", "age": 22}}
SHARES = {"standard": 0.19, "reduced": 0.07}
HOST, PORT = "10.0.0.3", 8080
CODE_LEN = 6


def run_list(rows):
    return rows


def run_show_all(rows):
    return rows


def run_sum_up(rows):
    return rows


RUNS = {"list": run_list, "show-all": run_show_all}


class Article:
    def __init__(self, name):
        self.name = name
        self.price = 0
        self.codes = []

    def to_dict(self):
        return {"name": self.name}

    def sell(self, till):
        if not self.price:
            raise ValueError("no price")


def letter(to, text):
    mail = EmailMessage()
    mail["Subject"] = "News"
    mail["To"] = to
    return mail


def surcharge(sum_):
    return sum_ * 0.09


def size(n):
    if n < 1000:
        return n
    return n / 1000


def clock(seconds):
    return "%d:%d" % (seconds // 60, seconds % 60)


def next_ticket(last):
    nr = last + 1
    return "T" + str(nr)
'''


@pytest.mark.parametrize(
    ("text", "intent", "slots", "old", "new"),
    [
        (
            "the shed has from 2 to 9",
            "set_entry",
            {"key": "shed", "value": "from 2 to 9"},
            "(10, 30)",
            '(10, 30), "shed": (2, 9)',
        ),
        ("le taux réduit est 5,5 %", "set_entry", {"key": "réduit", "value": "5,5"}, "0.07", "0.055"),
        ("reduced is a tenth", "set_entry", {"key": "reduced", "value": "a tenth"}, "0.07", "0.1"),
        (
            "letter needs a Reply-To a@b.example",
            "set_entry",
            {"key": "Reply-To", "value": "a@b.example", "function": "letter"},
            'mail["To"] = to\n',
            'mail["To"] = to\n    mail["Reply-To"] = "a@b.example"\n',
        ),
        ("el puerto es 9000", "set_value", {"variable": "puerto", "value": "9000"}, "8080", "9000"),
        ("codes have 8 letters", "set_value", {"variable": "codes", "value": "8"}, "LEN = 6", "LEN = 8"),
        (
            "size counts in thousands, take 1024s",
            "replace_value",
            {"old": "thousands", "new": "1024s", "function": "size"},
            "1000",
            "1024",
        ),
        (
            "the seconds in clock need a leading zero",
            "format_number",
            {"variable": "seconds", "function": "clock"},
            ":%d",
            ":%02d",
        ),
        (
            "no price: say which article",
            "say_value",
            {"value": "which article", "message": "no price"},
            '"no price"',
            'f"no price: {self.name}"',
        ),
    ],
)
def test_what_is_said_takes_the_form_of_the_code(
    text: str, intent: str, slots: dict[str, str], old: str, new: str
) -> None:
    assert changed(SHOP, text, intent, **slots) == SHOP.replace(old, new)


def test_a_new_key_is_not_taken_for_another_word_for_one_that_is_there() -> None:
    code = 'PLACES = {"file": "a.txt", "host": "b"}\n'
    made = changed(
        code, "add a path c.txt to PLACES", "set_entry", key="path", value="c.txt", variable="PLACES"
    )
    assert made == code.replace('"b"', '"b", "path": "c.txt"')


LISTS = """import csv
from datetime import datetime

DELIM = ","
HOURS = (17, 19)
LOW, HIGH = 1, 6


def rows_of(names):
    for i in range(len(names)):
        print("%d. %s" % (i, names[i]))


def tags(count):
    return ["T" + str(n) for n in range(count)] or [0]


def export(when):
    return when.strftime("%m/%d/%Y")


def backup():
    stamp = datetime.now().strftime("%d%m%y")
    return stamp + "D"


def mark(value):
    if value < LOW or value > HIGH:
        raise ValueError("out of range")
    fee = 2.5
    return fee * 1.5
"""


@pytest.mark.parametrize(
    ("text", "intent", "slots", "old", "new"),
    [
        (
            "rows_of starts at 0, the numbers should begin at 1",
            "replace_value",
            {"old": "0", "new": "1", "function": "rows_of"},
            "(i, names",
            "(i + 1, names",
        ),
        (
            "hours are from 16 to 18",
            "set_value",
            {"variable": "hours", "value": "from 16 to 18"},
            "(17, 19)",
            "(16, 18)",
        ),
        (
            "files come with semicolons",
            "set_value",
            {"variable": "files", "value": "semicolons"},
            '","',
            '";"',
        ),
        ("there is no fee", "set_value", {"variable": "fee", "value": "no"}, "2.5", "0"),
        ("one and a half is 1.6 now", "replace_value", {"old": "one and a half", "new": "1.6"}, "1.5", "1.6"),
        (
            "out of range: say both limits",
            "say_value",
            {"value": "both limits", "message": "out of range"},
            '"out of range"',
            'f"out of range: {LOW}, {HIGH}"',
        ),
    ],
)
def test_what_is_described_is_found_by_what_stands_there(
    text: str, intent: str, slots: dict[str, str], old: str, new: str
) -> None:
    assert changed(LISTS, text, intent, **slots) == LISTS.replace(old, new)


def test_a_constant_does_not_stand_in_its_own_value_or_in_front_of_it() -> None:
    code = 'NAMES = {"D": 1}\nLAND = "D"\n\n\ndef f(land):\n    return land == "D"\n'
    made = changed(code, "use LAND for D in f", "replace_value", old="D", new="LAND")
    assert made == code.replace('== "D"', "== LAND")


def test_a_list_does_not_become_a_number() -> None:
    code = "class Route:\n    def __init__(self):\n        self.stops = []\n\n    def add(self, stop): ...\n"
    assert not answer_to(
        code, "a stop takes six minutes", "set_value", variable="stop takes", value="six"
    ).ways


PORTS = 'PORTS = {\n    b"ftp": 21,\n    b"http": 80,\n    b"https": 443,\n}\n'


@pytest.mark.parametrize(
    ("text", "key", "value", "old", "new"),
    [
        ("PORTS also needs ftps 990", "ftps", "990", "443,\n", '443,\n    b"ftps": 990,\n'),
        ("set http in PORTS to 81", "http", "81", ": 80,", ": 81,"),
        ("set `b'ws'` in PORTS to 80", "b'ws'", "80", "443,\n", "443,\n    b'ws': 80,\n"),
    ],
)
def test_a_key_is_of_bytes_where_all_keys_are(text: str, key: str, value: str, old: str, new: str) -> None:
    done = changed(PORTS, text, "set_entry", variable="PORTS", key=key, value=value)
    assert done == PORTS.replace(old, new)
