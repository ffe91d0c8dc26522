"""Reading and writing the shop's JSON file."""

import json
import os
from dataclasses import asdict
from datetime import datetime

from shop.inventory import Inventory, Item
from shop.orders import Order, OrderBook

FORMAT = 1

STARTING_ITEMS = [
    Item("bread", "Rye bread", 320, stock=12),
    Item("candle", "Beeswax candle", 790, stock=9, food=False),
    Item("coffee", "Coffee beans", 1190, stock=20),
    Item("honey", "Forest honey", 640, stock=15),
    Item("mug", "Blue mug", 1250, stock=4, food=False),
    Item("tea", "Green tea", 450, stock=30),
]


class StorageError(Exception):
    pass


def load(path):
    """The order book in a file, or a fresh one when there is no file yet."""
    if not os.path.exists(path):
        return OrderBook(Inventory([Item(**asdict(item)) for item in STARTING_ITEMS]))
    with open(path, encoding="utf-8") as file:
        try:
            data = json.load(file)
        except json.JSONDecodeError as error:
            raise StorageError(f"{path} is not valid JSON: {error}") from error
    if data.get("format") != FORMAT:
        raise StorageError(f"{path} has format {data.get('format')}, expected {FORMAT}")
    inventory = Inventory([Item(**record) for record in data["items"]])
    return OrderBook(inventory, [order_from_record(record) for record in data["orders"]])


def save(book, path):
    """Write the whole book; the old file stays until the new one is complete."""
    data = {
        "format": FORMAT,
        "items": [asdict(item) for item in book.inventory.items()],
        "orders": [order_to_record(order) for order in book.orders.values()],
    }
    temporary = path + ".tmp"
    with open(temporary, "w", encoding="utf-8") as file:
        json.dump(data, file, indent=2, ensure_ascii=False)
        file.write("\n")
    os.replace(temporary, path)


def order_to_record(order):
    record = asdict(order)
    record["placed_at"] = order.placed_at.isoformat()
    return record


def order_from_record(record):
    values = dict(record)
    values["placed_at"] = datetime.fromisoformat(values["placed_at"])
    return Order(**values)
