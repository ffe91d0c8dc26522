"""Texts in which answers stand, and what becomes of them behind a message."""

from __future__ import annotations

import ast

from spark_tui.engine.layout import WindowHunk
from spark_tui.refactor.known import between
from spark_tui.steers.corrected import applied
from spark_tui.steers.steered_by_program import wanted

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

PIPE = """\
import asyncio
import logging

logger = logging.getLogger("pipe")


class Worker:
    def __init__(self, queue, name):
        self.queue = queue
        self.name = name
        self.done = 0

    async def start(self):
        self.task = asyncio.create_task(self._run())

    async def stop(self):
        self.task.cancel()

    async def _run(self):
        while True:
            job = await self.queue.get()
            try:
                result = await job()
            except Exception:
                logger.warning("job failed")
                continue
            self.done += 1
            self.queue.task_done()


class Pool:
    def __init__(self, size):
        self.queue = asyncio.Queue()
        self.workers = [Worker(self.queue, f"w{i}") for i in range(size)]

    async def start(self):
        for worker in self.workers:
            await worker.start()

    async def stop(self):
        for worker in self.workers:
            await worker.stop()

    def submit(self, job):
        self.queue.put_nowait(job)

    def submit_all(self, jobs):
        for job in jobs:
            self.queue.put_nowait(job)
"""
SHAPES = """\
import math


class Shape:
    def area(self):
        raise NotImplementedError


class Circle(Shape):
    def __init__(self, radius):
        self.radius = radius

    def area(self):
        return math.pi * self.radius ** 2

    def perimeter(self):
        return 2 * math.pi * self.radius


class Square(Shape):
    def __init__(self, side):
        self.side = side

    def area(self):
        return self.side ** 2

    def perimeter(self):
        return 4 * self.side


def load(path):
    shapes = []
    for line in open(path):
        kind, size = line.split()
        if kind == "circle":
            shapes.append(Circle(float(size)))
        elif kind == "square":
            shapes.append(Square(float(size)))
    return shapes


def report(shapes):
    total = sum(shape.area() for shape in shapes)
    for shape in shapes:
        print(f"{shape.area()} {shape.perimeter()}")
    print(f"{total}")


if __name__ == "__main__":
    report(load("shapes.txt"))
"""
ROWS = """\
from dataclasses import dataclass
from enum import Enum

TIMEOUT = 5
RETRIES = 3


class Color(Enum):
    RED = 1
    GREEN = 2
    BLUE = 3


@dataclass
class Row:
    name: str
    city: str
    age: int = 0


def fetch(url, timeout=TIMEOUT, retries=RETRIES):
    for attempt in range(retries):
        try:
            data = get(url, timeout)
            if not data:
                continue
            return data
        except OSError as error:
            last = error
    raise last


def to_dict(row):
    return {
        "name": row.name,
        "city": row.city,
        "age": row.age,
    }


def send(rows, client):
    payload = [to_dict(row) for row in rows]
    client.post("/rows", json=payload)
    return len(payload)


def helper(x):
    return x


def main(argv):
    rows = []
    for name in argv:
        rows.append(Row(name, "?"))
    send(rows, None)
    helper(1)
"""
COPY = """\
import argparse
import sys
import time


def build_parser():
    parser = argparse.ArgumentParser()
    parser.add_argument("source")
    parser.add_argument("target")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--width", type=int)
    parser.add_argument("--verbose", action="store_true")
    return parser


def copy(source, target, limit):
    count = 0
    with open(source) as src, open(target, "w") as dst:
        for line in src:
            if not line.strip():
                continue
            dst.write(line)
            count += 1
            if limit and count >= limit:
                break
    return count


def merge(paths, target):
    total = 0
    for path in paths:
        total += copy(path, target, None)
    return total


def main(argv=None):
    args = build_parser().parse_args(argv)
    start = time.time()
    try:
        count = copy(args.source, args.target, args.limit)
    except OSError as error:
        print(error)
        return 1
    print(f"{count} lines")
    print(f"took {time.time() - start}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
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
