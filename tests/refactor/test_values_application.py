"""A small application: orders about its values that hold, and orders about something else that stay alone."""

from __future__ import annotations

import pytest

from spark_tui.refactor import known as all_of_them
from spark_tui.refactor import values
from spark_tui.refactor.known import PLAIN, known

CODE = """\
import argparse
import csv
import logging
import random
import smtplib
import sqlite3
from dataclasses import dataclass, field
from flask import Flask, jsonify, request

app = Flask(__name__)
logging.basicConfig(level=logging.INFO, filename="app.log")
log = logging.getLogger(__name__)

DB_PATH = "data/app.db"
SMTP_HOST = "mail.example.org"
SMTP_PORT = 25
PAGE_SIZE = 20
MAX_ATTEMPTS = 5
LOCK_MINUTES = 10
TAX = 0.19
WEEKEND = ("Sat", "Sun")
ROLES = ["admin", "editor"]
PRICES = {
    "small": 3.5,
    "large": 5.0,
}
ENABLE_MAIL = False


@dataclass
class User:
    name: str
    age: int = 18
    active: bool = True
    tags: list = field(default_factory=list)

    def is_adult(self):
        return self.age > 18

    def label(self, sep=" - "):
        return self.name + sep + str(self.age)


class Queue:
    def __init__(self, size=100):
        self.size = size
        self.items = []
        self.closed = False

    def push(self, item):
        if len(self.items) > self.size:
            raise OverflowError("queue is full")
        self.items.append(item)
        return True

    def pop(self):
        if not self.items:
            return False
        return self.items.pop()


def connect():
    return sqlite3.connect(DB_PATH)


def read_rows(path):
    with open(path, "r") as f:
        reader = csv.reader(f, delimiter=",")
        return [row for row in reader if row[0] != "id"]


def write_rows(path, rows):
    with open(path, "w", newline="") as f:
        csv.writer(f).writerows(rows)


def gross(net, rate=TAX):
    return round(net * (1 + rate), 2)


def pick(names):
    return random.sample(names, 3)


def send(to, subject, body):
    server = smtplib.SMTP(SMTP_HOST, SMTP_PORT)
    server.sendmail("bot@example.org", to, body)
    server.quit()
    log.info("mail sent to %s", to)


@app.route("/users")
def users():
    page = int(request.args.get("page", 1))
    limit = int(request.args.get("limit", 50))
    return jsonify(fetch(page, limit))


@app.route("/health", methods=["GET"])
def health():
    return "ok", 200


def parse():
    p = argparse.ArgumentParser(description="Mail tool")
    p.add_argument("--count", type=int, default=1)
    p.add_argument("--verbose", action="store_true")
    return p.parse_args()


def attempts_left(used):
    if used >= MAX_ATTEMPTS or used < 0:
        return 0
    return MAX_ATTEMPTS - used


def countdown(n):
    while n > 0:
        print("T minus", n)
        n -= 1
    print("liftoff")


def grade(points):
    if points >= 90:
        return "A"
    elif points >= 80:
        return "B"
    return "C"
"""

EDITS = [
    ("smtp port should be 587", "SMTP_PORT = 25", "SMTP_PORT = 587"),
    ("page size 50", "PAGE_SIZE = 20", "PAGE_SIZE = 50"),
    ("lock for half an hour instead of 10 minutes", "LOCK_MINUTES = 10", "LOCK_MINUTES = 30"),
    ("set the tax to 7%", "TAX = 0.19", "TAX = 0.07"),
    ("enable mail", "ENABLE_MAIL = False", "ENABLE_MAIL = True"),
    ("turn mail on", "ENABLE_MAIL = False", "ENABLE_MAIL = True"),
    ('db path -> "db.sqlite"', '"data/app.db"', '"db.sqlite"'),
    ("small costs 4 now", '"small": 3.5', '"small": 4'),
    ("raise the price of large to 5.5", '"large": 5.0', '"large": 5.5'),
    ("add a medium price of 4.25", '    "large": 5.0,\n', '    "large": 5.0,\n    "medium": 4.25,\n'),
    ("add viewer to the roles", '"editor"]', '"editor", "viewer"]'),
    ('new role "guest"', '"editor"]', '"editor", "guest"]'),
    ("log level debug please", "logging.INFO", "logging.DEBUG"),
    ("log to mail.log instead of app.log", '"app.log"', '"mail.log"'),
    ("default age 21", "age: int = 18", "age: int = 21"),
    ("18 is already adult", "self.age > 18", "self.age >= 18"),
    ("use `/` as separator in label", 'sep=" - "', 'sep="/"'),
    ('sep should default to ": "', 'sep=" - "', 'sep=": "'),
    ("make the queue size 500 by default", "size=100", "size=500"),
    ('say "no room left" in the overflow error', '"queue is full"', '"no room left"'),
    ("pop should return None instead of False", "return False", "return None"),
    ("in push the check should be >=", "len(self.items) > self.size", "len(self.items) >= self.size"),
    ("open the file in append mode in write_rows", 'path, "w"', 'path, "a"'),
    ("append instead of overwriting in write_rows", 'path, "w"', 'path, "a"'),
    ("round to 3 digits in gross", "rate), 2)", "rate), 3)"),
    ("pick 5 names", "names, 3)", "names, 5)"),
    ("pick five instead of three", "names, 3)", "names, 5)"),
    ("default limit 100 in users", '"limit", 50', '"limit", 100'),
    ("let the page start at 0", '"page", 1', '"page", 0'),
    ("health should answer 204", '"ok", 200', '"ok", 204'),
    ("--count defaults to 3", "default=1", "default=3"),
    ("used > MAX_ATTEMPTS, not >=", "used >= MAX", "used > MAX"),
    ('print "go" instead of "liftoff"', '"liftoff"', '"go"'),
    ("a B needs 85 points", "points >= 80", "points >= 85"),
    ("max attempts 3 not 5", "MAX_ATTEMPTS = 5", "MAX_ATTEMPTS = 3"),
    ("one more attempt", "MAX_ATTEMPTS = 5", "MAX_ATTEMPTS = 6"),
    ("call json_response instead of jsonify in users", "return jsonify(", "return json_response("),
    ("add a 5 second timeout to sqlite3.connect", "connect(DB_PATH)", "connect(DB_PATH, timeout=5)"),
    ("open with encoding utf-8 in read_rows", 'open(path, "r")', 'open(path, "r", encoding="utf-8")'),
    ("smtplib.SMTP needs timeout=30", "SMTP_PORT)", "SMTP_PORT, timeout=30)"),
    ("swap to and body in sendmail", "to, body)", "body, to)"),
]
OTHERS = [
    "retry 3 times on failure",
    "add a size parameter to connect, default 5",
    "raise ValueError if rate is above 1",
    "log a warning when more than 5 attempts were used",
    "why is PAGE_SIZE 20?",
    "write a test with 3 users",
    "add a function that returns 5",
    "print the first 10 rows",
    "sort the names and take the first 3",
    "cap the limit at 200",
    "make the age optional",
    "the port is wrong",
    "return early if n is 0",
    "cache the rows for 5 minutes",
    "support a list of names in send",
    "skip rows with less than 2 columns",
    'add an endpoint /version returning "1.0"',
    "convert the prices to Decimal",
    "wait 2 seconds between attempts",
    "add type hints",
    "rename size to capacity",
    "use a context manager in send",
    "add a retry loop with 3 attempts to send",
    "split the grade function in 2",
    "grade should return D below 60",
    "ignore rows where the first column is empty",
    "send to a list of people",
    "make countdown print every 2 seconds",
    "the limit must not exceed 100",
    "use logging instead of print",
    "set up a second queue of size 10",
    "use % formatting in label",
    "page size 20",
    "turn User into a NamedTuple",
    "validate that age is between 0 and 150",
    'add a docstring "Users." to users',
    "limit the length of the name to 20 characters",
    "delete the first 3 lines",
    "make push thread safe",
    "pop 2 items at once",
    "add the roles to the user",
    "drop the table users before inserting",
    "pass the subject to sendmail as well",
    "change the loop to a for loop over range(n, 0, -1)",
    "is SMTP_PORT 25 or 587?",
    "fix the off by one in countdown",
    "count should be at least 1",
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
def test_the_value_that_is_meant_is_changed(instruction: str, old: str, new: str) -> None:
    assert CODE.count(old) == 1
    assert made(instruction) == [(PLAIN, CODE.replace(old, new))]


@pytest.mark.parametrize("instruction", OTHERS)
def test_an_order_about_something_else_is_left_to_others(instruction: str) -> None:
    assert [plain for plain, _ in made(instruction) if plain == PLAIN] == []
