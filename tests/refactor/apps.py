"""Small applications about which orders are given."""

from __future__ import annotations

from more_apps import MORE

APPS = {
    "league": r"""import json


class Team:
    def __init__(self, name, city):
        self.name = name
        self.city = city
        self.points = 0
        self.goals = 0

    def win(self):
        self.points += 3

    def draw(self):
        self.points += 1

    def describe(self):
        return "%s from %s has %d points" % (self.name, self.city, self.points)


def table(teams):
    ordered = sorted(teams, key=lambda team: team.points)
    lines = []
    for place, team in enumerate(ordered):
        lines.append(f"{place}. {team.name}")
    return "\n".join(lines)


def find(teams, name):
    for team in teams:
        if team.name == name:
            return team
    return None


if __name__ == "__main__":
    league = [Team("Reds", "Rome"), Team("Blues", "Bern")]
    league[0].win()
    print(table(league))
""",
    "library": r'''from dataclasses import dataclass
from datetime import date

FINE_PER_DAY = 0.5
MAX_LOANS = 3


@dataclass
class Book:
    title: str
    author: str
    year: int
    tags: list

    def label(self):
        return f"{self.title} by {self.author} ({self.year})"


class Shelf:
    """Books in one place."""

    def __init__(self, room, books=None, shelf_code=""):
        self.room = room
        self.shelf_code = shelf_code
        self.books = books or []
        self.loans = {}
        self.opened = False

    def add(self, book):
        self.books.append(book)

    def titles(self):
        return [book.title for book in self.books]

    def size(self):
        return len(self.books)

    def lend(self, book, person):
        self.loans[book.title] = person
        self.books.remove(book)

    def sorted_books(self):
        return sorted(self.books, key=lambda b: b.year)

    def lookup(self, title):
        for book in self.books:
            if book.title == title:
                return book
        return None


def fine(days):
    return days * 0.5


def describe(shelf):
    print(shelf.room, shelf.size())
    for book in shelf.sorted_books():
        print(book.label())


def grade(days):
    if days > 60:
        return "lost"
    elif days > 30:
        return "late"
    else:
        return "ok"
''',
    "sync": r"""import argparse
import os
import shutil
import time

import requests

URL = "https://files.example.com/api"
CHUNK = 8192
RETRY_WAIT = 2
UNUSED_LIMIT = 10


def parse_args():
    parser = argparse.ArgumentParser(description="sync files")
    parser.add_argument("folder")
    parser.add_argument("-n", "--number", type=int, default=5, help="how many files")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--output")
    return parser.parse_args()


def download(name, target):
    response = requests.get(f"{URL}/{name}", timeout=10, stream=True)
    response.raise_for_status()
    with open(target, "wb") as out:
        for block in response.iter_content(CHUNK):
            out.write(block)
    return target


def listing(folder):
    names = os.listdir(folder)
    names.sort()
    return names


def sync(folder, number):
    done = 0
    for attempt in range(3):
        for name in listing(folder)[:number]:
            download(name, os.path.join(folder, name))
            done += 1
        time.sleep(RETRY_WAIT)
    print("done", done)
    return done


def total_size(folder):
    total = 0
    for name in listing(folder):
        total += os.path.getsize(os.path.join(folder, name))
    return total


def largest(folder):
    best = None
    for name in listing(folder):
        if best is None or os.path.getsize(name) > os.path.getsize(best):
            best = name
    return best


if __name__ == "__main__":
    args = parse_args()
    sync(args.folder, args.number)
""",
    "web": r"""from flask import Flask, jsonify, request

app = Flask(__name__)
NOTES = {}


@app.route("/notes", methods=["POST"])
def create():
    data = request.get_json()
    NOTES[data["id"]] = data["text"]
    return jsonify({"ok": True})


@app.route("/notes/<note_id>")
def show(note_id):
    note = NOTES.get(note_id)
    if note is None:
        return jsonify({"error": "not found"}), 400
    return jsonify({"text": note})


@app.route("/notes/<note_id>/delete")
def remove(note_id):
    NOTES.pop(note_id, None)
    return jsonify({"ok": True}), 200


@app.route("/notes/count")
def count():
    n = len(NOTES)
    return jsonify({"count": n})
""",
    "game": r"""import random

LIVES = 6
WORDS = ["python", "garden", "rocket"]


class Player:
    def __init__(self, name):
        self.name = name
        self.score = 0
        self.inventory = []

    def take(self, thing):
        self.inventory.append(thing)

    def is_rich(self):
        return self.score > 100


def roll():
    return random.randint(1, 6)


def ask():
    answer = input("Your guess? ")
    return answer


def play(player):
    lives = LIVES
    rounds = 10
    while lives > 0 and rounds > 0:
        guess = ask()
        if guess == "quit":
            break
        elif guess == "roll":
            player.score += roll()
        rounds -= 1
    if player.is_rich():
        print("rich!")
    return player.score


def high_scores(players):
    players.sort(key=lambda p: p.score)
    return players[:10]


def winner(players):
    return max(players, key=lambda p: p.score)


def average(players):
    total = sum(p.score for p in players)
    return total / len(players)
""",
    "clickapp": r'''import click

FACTOR = 1.5


@click.command()
@click.argument("path")
@click.option("--size", default=10, help="size in cm")
@click.option("--name", "-n", default="")
def main(path, size, name):
    """Scale a picture."""
    area = size * size
    click.echo(f"{path} {area * FACTOR} {name}")


def scale(width, height):
    x = width * FACTOR
    y = height * FACTOR
    return x


def tmp2(vals):
    res = {}
    for v in vals:
        res[v] = res.get(v, 0) + 1
    return res


if __name__ == "__main__":
    main()
''',
    **MORE,
}
