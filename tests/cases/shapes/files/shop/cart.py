"""A shopping cart."""

import json
from decimal import Decimal

TAX = Decimal("0.2")


class Cart:
    """What a customer wants to buy."""

    def __init__(self, owner):
        self.owner = owner
        self.items = []

    def add(self, name, price, quantity=1):
        self.items.append((name, price, quantity))

    def total(self):
        result = Decimal(0)
        for name, price, quantity in self.items:
            result += price * quantity
        return result

    @property
    def empty(self):
        return not self.items


def load(path):
    with open(path) as file:
        data = json.load(file)
    cart = Cart(data["owner"])
    for item in data["items"]:
        cart.add(item["name"], Decimal(item["price"]))
    return cart


def save(cart, path):
    with open(path, "w") as file:
        json.dump({"owner": cart.owner, "items": cart.items}, file)
