"""Texts in which answers stand, and what becomes of them behind a message."""

from __future__ import annotations

import ast

from spark_tui.backends.corrected import applied
from spark_tui.backends.steered_by_program import wanted
from spark_tui.engine.layout import WindowHunk
from spark_tui.refactor.known import between

Pair = tuple[str, str]
"""A piece of text that stands once, and what stands for it."""
SHOP = """\
import json
import logging
from dataclasses import dataclass

log = logging.getLogger(__name__)


@dataclass
class Item:
    name: str
    price: float


@dataclass
class Order:
    items: list
    note: str = ""


def load_items(path):
    with open(path) as handle:
        return [Item(**row) for row in json.load(handle)]


def save_items(path, items):
    rows = [vars(item) for item in items]
    with open(path, "w") as handle:
        json.dump(rows, handle)


def total(order):
    amount = 0
    for item in order.items:
        amount += item.price
    return amount


def cheapest(order):
    return min(order.items, key=lambda item: item.price)


def dearest(order):
    return max(order.items, key=lambda item: item.price)


def describe(order):
    print("items:", len(order.items))
    print("total:", total(order))
    print("note:", order.note)


def checkout(order, lock, gateway):
    with lock:
        amount = total(order)
        if amount <= 0:
            log.warning("empty order")
            return None
        receipt = gateway.charge(amount)
    return receipt
"""
GAME = """\
import random


class Player:
    def __init__(self, name, lives=3):
        self.name = name
        self.lives = lives
        self.score = 0

    def hit(self, points):
        self.score += points

    def miss(self, points):
        self.score -= points

    def heal(self, lives):
        self.lives += lives

    @property
    def alive(self):
        return self.lives > 0

    @alive.setter
    def alive(self, value):
        self.lives = 1 if value else 0


class Board:
    def __init__(self, width, height):
        self.width = int(width)
        self.height = int(height)
        self.cells = {}

    def put(self, x, y, what):
        self.cells[x, y] = what

    def get(self, x, y):
        return self.cells[x, y]

    def clear(self, x, y):
        del self.cells[x, y]


def parse(line):
    parts = line.split(",")
    name = parts[0]
    city = parts[1]
    team = parts[2]
    return {"name": name, "city": city, "team": team}


def run(players, rounds):
    for number in range(rounds):
        for player in players:
            if player.alive:
                player.hit(random.randint(1, 6))
            else:
                player.miss(1)
        print("round", number)
    return players
"""


def put(text: str, *pairs: Pair) -> str:
    for old, new in pairs:
        assert text.count(old) == 1, (old, text.count(old))
        text = text.replace(old, new)
    return text


def behind(text: str, stood: list[Pair], said: str) -> str | None:
    """What the text is read as in the end, where `stood` was answered; None where the message is left alone."""
    lines, now = text.splitlines(), put(text, *stood).splitlines()
    standing = [WindowHunk(one.first, one.last, one.new) for one in between(lines, now)]
    found = wanted(lines, "", said, standing)
    return None if found is None else tree("\n".join([*applied(lines, found), ""]))


def tree(text: str) -> str:
    return ast.dump(ast.parse(text))
