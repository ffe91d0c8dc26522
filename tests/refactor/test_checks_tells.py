# ruff: noqa: E501 - tables of instructions read better unbroken
"""More is told of what happens: the error, every one, how many, what was done."""

from __future__ import annotations

import pytest

from spark_tui.refactor.known import PLAIN, known

SCRAPE = """\
import csv
import time

import requests

BASE = "https://shop.example.com"
API_KEY = "abc123"
OUT = "out"


def get_page(url):
    response = requests.get(url)
    return response.text


def download(name, tries=3):
    for attempt in range(tries):
        try:
            r = requests.get(BASE + "/" + name, timeout=5)
            return r.content
        except Exception as e:
            print("try", attempt, "failed")
    return None


def save(rows, path):
    f = open(path, "w")
    writer = csv.writer(f)
    for row in rows:
        writer.writerow(row)
    f.close()


def prices(items):
    result = []
    for item in items:
        price = float(item["price"].strip("$"))
        result.append(price)
    return result


def main():
    for page in range(1, 10):
        text = get_page(f"{BASE}/?page={page}")
        print(len(text))
"""

CLEAN = """\
import os
import shutil
import sys
import logging

logger = logging.getLogger("clean")
LIMIT = 30


def old_files(folder, days):
    out = []
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        if os.path.getmtime(path) < days:
            out.append(path)
    return out


def clean(folder, days=LIMIT):
    for path in old_files(folder, days):
        os.remove(path)
    print("done")


def backup(src, dst):
    os.mkdir(dst)
    shutil.copy(src, dst)


def write_report(lines, path):
    with open(path, "w") as f:
        for line in lines:
            f.write(line + "\\n")


def read_config(path):
    cfg = {}
    with open(path) as f:
        for line in f:
            key, value = line.split("=")
            cfg[key] = value
    return cfg


def main():
    folder = sys.argv[1]
    try:
        clean(folder)
    except PermissionError:
        print("no access")


if __name__ == "__main__":
    main()
"""

GRADES = """\
import json


class Course:
    def __init__(self, title):
        self.title = title
        self.grades = []
        self.notes = {}

    def add(self, student, grade):
        self.grades.append(grade)
        self.notes[student] = ""

    def average(self):
        return sum(self.grades) / len(self.grades)

    def best(self):
        return max(self.grades)

    def last(self):
        return self.grades[-1]

    def note(self, student):
        return self.notes[student]


def load(path):
    with open(path) as f:
        return json.load(f)


def mean(numbers):
    total = sum(numbers)
    return total / len(numbers)


def percent(part, whole):
    return part / whole * 100


def ask_age():
    age = int(input("How old are you? "))
    return age


def show(course):
    print(course.title + ": " + len(course.grades))
"""


def changed(code: str, said: str) -> tuple[str, str] | None:
    """What goes and what comes with the one edit that is plainly meant."""
    found = known(code.split("\n")[:-1], said)
    if not found or found[0].plain != PLAIN:
        return None
    lines = code.split("\n")
    gone = [line for hunk in found[0].hunks for line in lines[hunk.first : hunk.last]]
    come = [line for hunk in found[0].hunks for line in hunk.new]
    return "\n".join(gone), "\n".join(come)


@pytest.mark.parametrize(
    ("said", "gone", "come"),
    [
        ('print the error too when a try fails', '            print("try", attempt, "failed")', '            print("try", attempt, "failed", e)'),
        ('show the exception as well in the except of download', '            print("try", attempt, "failed")', '            print("try", attempt, "failed", e)'),
        ('print how many rows were saved in save', '', '    print("saved", len(rows))'),
    ],
)  # fmt: skip
def test_scrape(said: str, gone: str, come: str) -> None:
    assert changed(SCRAPE, said) == (gone, come)


@pytest.mark.parametrize(
    ("said", "gone", "come"),
    [
        ('log every removed path', '', '        logger.info("removed %s", path)'),
        ('log each removed file at info level', '', '        logger.info("removed %s", path)'),
        ('print each deleted path', '', '        print("deleted", path)'),
        ('say how many were deleted', '', '    deleted = 0\n        deleted += 1\n    print("deleted", deleted)'),
        ('print the number of deleted files', '', '    deleted = 0\n        deleted += 1\n    print("deleted", deleted)'),
        ('include the error in the message in main', '    except PermissionError:\n        print("no access")', '    except PermissionError as error:\n        print("no access", error)'),
    ],
)  # fmt: skip
def test_clean(said: str, gone: str, come: str) -> None:
    assert changed(CLEAN, said) == (gone, come)


@pytest.mark.parametrize(
    ("said", "gone", "come"),
    [
        ('print what was added in add', '', '        print("added", grade, student)'),
        ('log at info level what was added in add', '', 'import logging\n\nlogger = logging.getLogger(__name__)\n        logger.info("added %s %s", grade, student)'),
    ],
)  # fmt: skip
def test_grades(said: str, gone: str, come: str) -> None:
    assert changed(GRADES, said) == (gone, come)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (SCRAPE, "print the error too in save"),
        (SCRAPE, "print how many pages were removed in save"),
        (CLEAN, "log every painted path"),
        (CLEAN, "print what was added in clean"),
        (GRADES, "print what was removed in add"),
        (GRADES, "log what load returns"),
    ],
)
def test_what_does_not_happen_is_not_told(code: str, said: str) -> None:
    assert changed(code, said) is None
