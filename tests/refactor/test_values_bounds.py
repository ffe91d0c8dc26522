"""Bounds, rounding, filters, windows, and one way to tell a caller for another: orders on a small shop."""

from __future__ import annotations

import pytest

from spark_tui.refactor.known import PLAIN, known

CODE = """\
import argparse
import tkinter as tk
import unittest
from flask import Flask, abort, jsonify

app = Flask(__name__)
orders = []


class Order:
    def __init__(self, customer, items):
        self.customer = customer
        self.items = items
        self.shipped = False

    def total(self):
        return sum(item["price"] for item in self.items)


def boxes(count, per_box=12):
    return count // per_box


def pages(lines):
    n = int(lines / 60)
    return n


def discount(total, points):
    rest = total - points
    return rest


def battery_left(used):
    return 100 - used


level = 3


def volume_up():
    global level
    level += 1
    return level


def volume_down():
    global level
    level -= 2


def seconds(ms):
    return ms / 1000


def check_stock(item):
    if item["stock"] < 1:
        print("out of stock", item["name"])
        return None
    return item["stock"]


def greet(user):
    print("Hello", user)


def summary(order):
    text = f"{order.customer}: {order.total()}"
    print(text)


def average(values):
    return sum(values) / len(values)


def long_words(text):
    return [word for word in text.split()]


def revenue():
    result = 0
    for order in orders:
        result += order.total()
    return result


def listen(sock):
    while True:
        data = sock.recv(10)
        print(data)


def csv_line(fields):
    return ",".join(fields)


@app.route("/orders/<int:number>")
def show(number):
    if number >= len(orders):
        return jsonify({"error": "no such order"}), 400
    return jsonify(orders[number].items)


class Window(tk.Frame):
    def build(self):
        self.save_btn = tk.Button(self, text="Save", command=self.save)
        self.quit_btn = tk.Button(self, text="Quit", command=self.quit)
        self.name_label = tk.Label(self, text="Name")


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--size", default="small")
    ap.add_argument("--level", type=int, default=1)
    args = ap.parse_args()
    if args.level > 3:
        print("wrong level")
    root = tk.Tk()
    root.title("Orders")
    root.mainloop()


class TestSeconds(unittest.TestCase):
    def test_seconds(self):
        self.assertEqual(seconds(100), 0.1)

    def test_boxes(self):
        self.assertEqual(boxes(12), 1)
"""


def made(said: str) -> tuple[str, int]:
    lines = CODE.split("\n")[:-1]
    found = known(lines, said)
    if not found:
        return "", 0
    for hunk in reversed(found[0].hunks):
        lines[hunk.first : hunk.last] = hunk.new
    return "\n".join(lines), found[0].plain


@pytest.mark.parametrize(
    ("said", "new"),
    [
        ("boxes should round up", "math.ceil(count / per_box)"),
        ("boxes has to be rounded up instead of down", "math.ceil(count / per_box)"),
        ("pages must round instead of truncating", "round(lines / 60)"),
        ("pages should round to the nearest integer", "round(lines / 60)"),
        ("round up in pages", "math.ceil(lines / 60)"),
        ("never let discount go below zero", "max(0, total - points)"),
        ("discount can't be less than 0", "max(0, total - points)"),
        ("don't let volume_down go below zero", "level = max(0, level - 2)"),
        ("cap volume_up at 10", "level = min(10, level + 1)"),
        ("give a 404 instead of 400 when there is no such order", 'order"}), 404'),
        ("handle ctrl+c in listen", "except KeyboardInterrupt:"),
        ('print "sold out" not "out of stock"', 'print("sold out", item["name"])'),
        ("discount must never go below 0", "rest = max(0, total - points)"),
        ("discount should never be negative", "max(0, total - points)"),
        ("battery_left should not drop under zero", "max(0, 100 - used)"),
        ("volume_up should stop at 10", "level = min(10, level + 1)"),
        ("volume_down must never go below zero", "level = max(0, level - 2)"),
        ("in seconds treat negative ms as 0", "ms = max(ms, 0)\n"),
        ("seconds should count a negative ms as zero", "ms = max(ms, 0)\n"),
        (
            "check_stock should throw a LookupError rather than print a message",
            '        raise LookupError("out of stock", item["name"])\n    return item',
        ),
        ("greet should return the text instead of printing it", 'return f"Hello {user}"'),
        ("let summary return the string rather than printing it", "    return text\n"),
        ("return the text in greet instead of printing it", 'return f"Hello {user}"'),
        ("make average print the result instead of returning it", "print(sum(values) / len(values))"),
        ("long_words should only return words with at least 5 letters", "if len(word) >= 5]"),
        ("only keep words longer than 4 characters in long_words", "if len(word) > 4]"),
        ("long_words should skip words with fewer than three letters", "if len(word) >= 3]"),
        ("revenue should only count shipped orders", "        if order.shipped:\n            result +="),
        ("revenue should ignore the unshipped ones", "        if order.shipped:\n"),
        ("revenue must count only orders that are shipped", "        if order.shipped:\n"),
        ("revenue should ignore orders that are shipped", "        if not order.shipped:\n"),
        ("listen should stop on ctrl-c", "            print(data)\n    except KeyboardInterrupt:\n        pass"),
        ("listen must quit quietly on KeyboardInterrupt", "    try:\n        while True:"),
        ("separate the fields with a semicolon in csv_line", '";".join(fields)'),
        ("csv_line should join fields with a tab", '"\\t".join'),
        ("put a pipe between the fields in csv_line", '"|".join'),
        ("answer 404 when there is no such order", 'order"}), 404'),
        ("show should return 404 for no such order", 'order"}), 404'),
        ('the save button should say "Store"', 'text="Store", command=self.save'),
        ("label of the quit button: Close", 'text="Close", command=self.quit'),
        ("change the quit button text to Exit", 'text="Exit"'),
        ("window title should be Order Desk", 'root.title("Order Desk")'),
        ('the title of the window should be "My orders"', 'title("My orders")'),
        ("call the window Shop Orders", 'title("Shop Orders")'),
        ("restrict --size to small, medium and large", 'choices=["small", "medium", "large"]'),
        ("--level can only be 1, 2 or 3", "choices=[1, 2, 3]"),
        ("only allow small and big for --size", 'choices=["small", "big"]'),
        ('say "bad level" instead of "wrong level"', 'print("bad level")'),
        ('main should print "level too high" instead of wrong level', 'print("level too high")'),
        (
            "use assertAlmostEqual instead of assertEqual in the seconds tests",
            "self.assertAlmostEqual(seconds(100), 0.1)",
        ),
        ("replace assertEqual with assertAlmostEqual in test_seconds", "self.assertAlmostEqual(seconds(100), 0.1)"),
    ],
)
def test_is_made_plainly(said: str, new: str) -> None:
    text, plain = made(said)
    assert plain == PLAIN
    assert new in text
    assert new not in CODE


@pytest.mark.parametrize(
    "said",
    [
        "discount should never be late",
        "revenue should only count the lovely ones",
        "greet should stop at the door",
        "restrict --colour to red and blue",
        "the print button should say Go",
        "use assertIn instead of assertRaises",
        "listen should end on a high note",
    ],
)
def test_is_left_alone(said: str) -> None:
    assert made(said)[1] != PLAIN


LISTS = """\
from flask import Flask

LANGUAGES = ["en", "de", "fr"]
TRAINS = ["06:40", "09:10", "17:50"]


def names(people):
    return [one.name for one in people]


def store(db, row):
    db.add(row)
    db.commit()
"""


@pytest.mark.parametrize(
    ("said", "new"),
    [
        ("add a 15:45 train to the trains", '"09:10", "15:45", "17:50"]'),
        ("add 23:05 to TRAINS", '"17:50", "23:05"]'),
        ("names should give a set back", "{one.name for one in people}"),
        ("add spanish to the languages", ""),
        ("commit at the end of store only when a flag commit=True is passed", ""),
    ],
)
def test_what_is_held_keeps_its_kind(said: str, new: str) -> None:
    lines = LISTS.split("\n")[:-1]
    found = [one for one in known(lines, said) if one.plain == PLAIN]
    if not new:
        assert not found
        return
    assert new in "\n".join(line for hunk in found[0].hunks for line in hunk.new)
