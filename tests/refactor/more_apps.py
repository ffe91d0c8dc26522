"""More small applications about which orders are given."""

from __future__ import annotations

MORE = {
    "cafe": r"""import csv
import logging
import os
import random

TAX = 0.19
MAX_ORDERS = 50
OLD_PRICE = 3
log = logging.getLogger("cafe")


class Order:
    def __init__(self, table, guest="anon"):
        self.table = table
        self.guest = guest
        self.lines = []
        self.paid = False

    def add(self, dish, price):
        self.lines.append((dish, price))

    def total(self):
        return sum(price for _, price in self.lines)

    def bill(self):
        return f"table {self.table} for {self.guest}: {self.total()}"


class Kitchen:
    def __init__(self):
        self.queue = []
        self.done = set()
        self.temperature = 180

    def finish(self, dish):
        self.queue.remove(dish)
        self.done.add(dish)


def read_menu(path):
    menu = {}
    with open(path, newline="") as f:
        for row in csv.reader(f, delimiter=";"):
            menu[row[0]] = float(row[1])
    return menu


def cheapest(menu):
    names = sorted(menu, key=lambda n: menu[n])
    return names[0]


def rating(stars):
    if stars >= 4:
        text = "great"
    elif stars >= 2:
        text = "okay"
    else:
        text = "bad"
    return text


def tip(amount, happy):
    share = 0.1
    if happy:
        share = 0.2
    return amount * share


def find_order(orders, table):
    for order in orders:
        if order.table == table:
            return order


def open_orders(orders):
    return sorted([o for o in orders if not o.paid], key=lambda o: o.table, reverse=True)


def poll(url):
    wait = 30
    tries = 0
    while tries < 5:
        log.info("polling %s", url)
        tries += 1
    return wait


def main():
    order = Order(3)
    order.add("soup", 4.5)
    print(order.bill(), order.total())
    for o in open_orders([order]):
        print(o.table)


if __name__ == "__main__":
    main()
""",
    "weather": r"""import argparse
from dataclasses import dataclass
from typing import Optional

STATION = "north"


@dataclass
class Reading:
    station: str
    temp: float
    wind: float = 0.0
    note: Optional[str] = None


@dataclass
class Log:
    name: str
    readings: list[Reading]


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("file", help="csv file")
    p.add_argument("--unit", default="C")
    p.add_argument("--days", "-d", type=int)
    args = p.parse_args()
    return args


def mean(values):
    return sum(values) / len(values)


def to_fahrenheit(c: float) -> float:
    result = c * 9 / 5 + 32
    return result


def label(temp: float) -> str:
    if temp < 0:
        return "freezing"
    elif temp < 15:
        return "cold"
    elif temp < 25:
        return "mild"
    return "hot"


def warmest(readings):
    readings.sort(key=lambda r: r.temp, reverse=True)
    return readings[:3]


def report(readings):
    lines = []
    for r in readings:
        lines.append("{} {}".format(r.station, r.temp))
    return "\n".join(lines)


def smooth(values, out=None):
    window = 3
    result = []
    for i in range(len(values) - window):
        result.append(mean(values[i:i + window]))
    return result
""",
}
