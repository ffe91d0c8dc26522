import os
import sys
import json

LIMIT = 25


def load_rows(path, limit=10, strict=False):
    """Read rows from a file.

    :param path: where the rows are
    :param limit: how many rows at most
    :param strict: whether bad rows are errors
    """
    rows = []
    with open(path) as handle:
        for line in handle:
            rows.append(line.strip())
    # keep only the first ones
    result = rows[:limit]
    return result


def describe(name: str, count: int | None = None, unused=0) -> str:
    if count is None:
        return "nothing here"
    label = f"{name} has {count} items"
    width = 80 if count > 100 else 40
    print("describing the thing")
    print(label)
    return label


def total(values, factor):
    squares = [value * factor for value in values if value > 3]
    for index, entry in enumerate(squares):
        print(index, entry)
    for step in range(len(squares) - 1):
        print(step)
    if values and factor > 2:
        return sum(squares)
    else:
        return 0


def visible(items):
    return any(item.shown for item in items)


def store(record, folder):
    if record is None:
        return
    target = os.path.join(folder, "record.json")
    try:
        handle = open(target, "w", encoding="utf-8")
        json.dump(record, handle)
    except OSError as error:
        raise ValueError("cannot store the record") from error


def send(payload):
    try:
        sys.stdout.write(payload)
    except ValueError as error:
        raise RuntimeError("could not send")


async def fetch(session, url):
    reply = await session.get(url)
    return reply


def shape(kind, size):
    if size == 4:
        kind = "wide"
        size = size + 1
    else:
        kind = "small"
    return kind


def weigh(parts):
    return sum(part.size for part in parts)


def root_of(text):
    return json.loads(text)


def matched(names, sizes):
    found = {}
    for name, size in zip(names, sizes):
        found[name] = size * 2
    return found


def gathered(values, factor):
    sums = total(values, factor)
    return total(sums, factor)


class Point:
    def __init__(self, x: int, y: int = 0):
        self.x = x
        self.y = y


class Basket(object):
    @property
    def weight(self):
        return 12.5

    def __init__(self, owner, items):
        self.owner = owner
        self.items = items

    def close(self):
        self.items = []

    def add(self, item):
        count = len(self.items)
        if count > 3 and item.heavy:
            item.mark()
        self.items.append(item)
        self.owner.notify(item, count)
        return count

    def label(self, prefix):
        parts = ["a", "b", "c"]
        ready = True
        return prefix.join(parts, ready)
