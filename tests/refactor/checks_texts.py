"""Files that orders about checks are said of, and what programs make of them."""

from __future__ import annotations

from spark_tui.refactor.known import PLAIN, known

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

GAME = """\
import random


class Player:
    def __init__(self, name):
        self.name = name
        self.hp = 10
        self.gold = 0
        self.bag = []

    def hit(self, damage):
        self.hp -= damage
        print(self.name, "takes", damage)

    def heal(self, amount):
        self.hp += amount

    def spend(self, cost):
        self.gold -= cost

    def drop(self, item):
        self.bag.remove(item)

    def tick(self):
        self.gold -= 1


class Timer:
    def __init__(self, seconds=10):
        self.left = seconds

    def tick(self):
        self.left -= 1


def pick(players):
    return random.choice(players)


def find(players, name):
    for p in players:
        if p.name == name:
            return p
    return None


def attack(players, name, damage):
    target = find(players, name)
    target.hit(damage)
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


def changed(code: str, said: str) -> tuple[str, str] | None:
    """What goes and what comes with the one edit that is plainly meant."""
    found = known(code.split("\n")[:-1], said)
    if not found or found[0].plain != PLAIN:
        return None
    lines = code.split("\n")
    gone = [line for hunk in found[0].hunks for line in lines[hunk.first : hunk.last]]
    come = [line for hunk in found[0].hunks for line in hunk.new]
    return "\n".join(gone), "\n".join(come)
