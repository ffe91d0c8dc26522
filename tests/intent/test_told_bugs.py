"""Bugs whose symptom is told: the words say which shape of bug to look for, and the code has to have it."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed

CODE = """\
import csv
import os
import random
import sys
from datetime import datetime

WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
SHELVES = 12
RATES = (0.1, 0.2)


def waited(begin, end):
    return (end - begin).seconds / 3600


def note(text):
    with open("visits.txt", "w") as out:
        out.write(text)


def store(name, rows):
    target = os.path.join("reports", name)
    with open(target, "w", encoding="utf-8") as out:
        csv.writer(out).writerows(rows)


def middle(prices):
    prices.sort()
    return prices[len(prices) // 2]


def board(size):
    return [["."] * size] * size


def purge(guests, day):
    for guest in guests:
        if guest.left < day:
            guests.remove(guest)


def meetings(teams):
    out = []
    for home in teams:
        for away in teams:
            if home != away:
                out.append((home, away))
    return out


def words(line):
    return line.strip().split(" ")


def shipped(order, now=None):
    now = datetime.now()
    return order.sent < now


def trim(text, width=40):
    return text[:40]


def next_patient(queue):
    return queue.pop()


def name_tickets(people):
    ticket = 1
    for person in people:
        person.ticket = f"T-{ticket}"


def fetch(load, tries):
    attempt = 0
    while attempt < tries:
        try:
            return load()
        except TimeoutError:
            attempt += 1
        except ConnectionError:
            print("again")
    return None


def empty_shelves(used):
    return [one for one in range(1, SHELVES) if one not in used]


def is_hour(value):
    return 0 <= value and value < 23


def nights(stay):
    return stay.days + 1


def weekday(day):
    return WEEKDAYS[day]


def toc(titles):
    for i, title in enumerate(titles):
        print(f"{i}. {title}")


def kelvin(celsius):
    return celsius + 237.15


def half_year(month):
    return month // 6 + 1


def spend(wallet, who, amount):
    wallet[who] -= amount


def rate(level):
    return RATES[level]


def draw(names):
    return random.choice(names)


def weight(text):
    return float(text.strip())


def read(path):
    with open(path) as source:
        return source.read()


def mirror(xs):
    n = len(xs)
    return [xs[n - i] for i in range(n)]


def grade(points):
    if points > 90:
        return "A"
    if points > 75:
        return "B"


def repeat(text, times=2):
    print(text * times)


def start():
    repeat(sys.argv[1], sys.argv[2])
"""

CASES = [
    ("waited says 2 hours although it was a day and 2 hours", "waited", ".seconds", ".total_seconds()"),
    (
        "note: visits.txt holds only the last visit",
        "note",
        '"w") as out:\n        out',
        '"a") as out:\n        out',
    ),
    (
        "FileNotFoundError: 'reports/may.csv' in store",
        "store",
        '    with open(target, "w"',
        '    os.makedirs("reports", exist_ok=True)\n    with open(target, "w"',
    ),
    ("store puts an empty line after each row", "store", '"utf-8")', '"utf-8", newline="")'),
    (
        "after middle the prices of the caller are in another order",
        "middle",
        "prices.sort()",
        "prices = sorted(prices)",
    ),
    (
        "board: setting one field changes the whole column",
        "board",
        '[["."] * size] * size',
        '[["."] * size for _ in range(size)]',
    ),
    ("purge skips the guest behind one that has left", "purge", "in guests:", "in list(guests):"),
    ("words gives empty words where two blanks stand", "words", 'split(" ")', "split()"),
    ("trim ignores width", "trim", "text[:40]", "text[:width]"),
    ("next_patient: first come, first served, please", "next_patient", "queue.pop()", "queue.pop(0)"),
    (
        "name_tickets: ticket is never counted up",
        "name_tickets",
        '{ticket}"\n',
        '{ticket}"\n        ticket += 1\n',
    ),
    (
        "fetch: attempt stays the same on a ConnectionError",
        "fetch",
        '("again")\n',
        '("again")\n            attempt += 1\n',
    ),
    ("empty_shelves never shows shelf 12", "empty_shelves", "(1, SHELVES)", "(1, SHELVES + 1)"),
    ("is_hour: in some lands hour 24 is valid", "is_hour", "< 23", "< 24"),
    ("nights gives one too many", "nights", "stay.days + 1", "stay.days"),
    ("weekday names the next day", "weekday", "WEEKDAYS[day]", "WEEKDAYS[day - 1]"),
    ("toc begins with chapter 0", "toc", "enumerate(titles)", "enumerate(titles, 1)"),
    ("kelvin: 20 gives 257.15, it should be 293.15", "kelvin", "237.15", "273.15"),
    ("half_year(6) is 2", "half_year", "month // 6", "(month - 1) // 6"),
    ("KeyError in spend", "spend", "wallet[who] -= amount", "wallet[who] = wallet.get(who, 0) - amount"),
    (
        "rate: IndexError: tuple index out of range",
        "rate",
        "RATES[level]",
        "RATES[min(level, len(RATES) - 1)]",
    ),
    (
        "draw: IndexError: Cannot choose from an empty sequence",
        "draw",
        "    return random.choice",
        "    if not names:\n        return None\n    return random.choice",
    ),
    (
        "weight: ValueError: could not convert string to float: '2,5'",
        "weight",
        "text.strip())",
        'text.strip().replace(",", "."))',
    ),
    (
        "UnicodeDecodeError in read, it is iso-8859-1",
        "read",
        "open(path)",
        'open(path, encoding="iso-8859-1")',
    ),
    ("IndexError: list index out of range in mirror", "mirror", "xs[n - i]", "xs[n - i - 1]"),
    (
        "RET503 missing explicit return at the end of function able to return non-None value: grade",
        "grade",
        'return "B"\n',
        'return "B"\n    return None\n',
    ),
    (
        "repeat: can't multiply, times is still a string in start",
        "start",
        "sys.argv[2])",
        "int(sys.argv[2]))",
    ),
]


@pytest.mark.parametrize(("said", "function", "old", "new"), CASES, ids=[case[1] for case in CASES])
def test_the_shape_that_the_words_tell_is_mended(said: str, function: str, old: str, new: str) -> None:
    at = CODE.index(f"def {function}(")
    wanted = CODE[:at] + CODE[at:].replace(old, new, 1)
    assert changed(CODE, said, "fix_error", function=function) == wanted


def test_each_pair_comes_once() -> None:
    text = changed(CODE, "meetings has every pair twice", "fix_error", function="meetings")
    assert "for i, home in enumerate(teams):\n        for away in teams[i + 1:]:" in text


def test_a_parameter_that_is_set_anew_is_set_only_where_it_is_none() -> None:
    text = changed(CODE, "shipped ignores now", "fix_error", function="shipped", symbol="now")
    assert "    if now is None:\n        now = datetime.now()\n" in text


def test_what_the_words_alone_tell_is_marked() -> None:
    answer = answer_to(CODE, "words gives an empty word", "fix_error", function="words")
    assert "what is wrong was guessed from the words" in answer.ways[0].marked


@pytest.mark.parametrize(
    ("said", "function"),
    [
        ("middle is wrong", "middle"),  # no symptom
        ("waited is one too many", "waited"),  # the symptom of another shape
        ("kelvin: 20 gives 300, it should be 293.15", "kelvin"),  # it does not give that
        ("purge writes the name twice", "purge"),
    ],
)
def test_without_symptom_or_shape_nothing_is_offered(said: str, function: str) -> None:
    assert not answer_to(CODE, said, "fix_error", function=function).ways


def test_a_linter_names_the_line() -> None:
    line = CODE[: CODE.index("def grade")].count("\n") + 1
    text = changed(CODE, f"shop.py:{line}:0: R1710 (inconsistent-return-statements)", "fix_error")
    assert 'return "B"\n    return None\n' in text
