"""What is on the shelves."""

from dataclasses import dataclass


class OutOfStock(Exception):
    """More was asked for than is left."""

    def __init__(self, sku, wanted, left):
        super().__init__(f"only {left} of {sku} left, {wanted} wanted")
        self.sku = sku
        self.wanted = wanted
        self.left = left


@dataclass
class Item:
    sku: str
    name: str
    price: int
    stock: int = 0
    food: bool = True
    reorder_at: int = 5

    def needs_reorder(self):
        return self.stock <= self.reorder_at


class Inventory:
    def __init__(self, items=()):
        self._items = {}
        for item in items:
            self.add_item(item)

    def add_item(self, item):
        if item.sku in self._items:
            raise ValueError(f"there is an item {item.sku} already")
        self._items[item.sku] = item

    def get(self, sku):
        try:
            return self._items[sku]
        except KeyError:
            raise LookupError(f"no such item: {sku}") from None

    def items(self):
        return sorted(self._items.values(), key=lambda item: item.sku)

    def restock(self, sku, qty):
        item = self.get(sku)
        item.stock += qty
        return item.stock

    def take(self, sku, qty):
        """Remove items from the shelf, or raise OutOfStock and change nothing."""
        item = self.get(sku)
        if qty > item.stock:
            raise OutOfStock(sku, qty, item.stock)
        item.stock -= qty
        return item

    def take_all(self, wanted):
        """Take several items at once: all of them or none."""
        for sku, qty in wanted.items():
            item = self.get(sku)
            if qty > item.stock:
                raise OutOfStock(sku, qty, item.stock)
        for sku, qty in wanted.items():
            self.take(sku, qty)

    def find(self, text):
        text = text.lower()
        found = []
        for item in self.items():
            if text in item.name.lower():
                found.append(item)
        return found

    def value(self):
        total = 0
        for item in self._items.values():
            total += item.price * item.stock
        return total

    def to_reorder(self):
        return [item for item in self.items() if item.needs_reorder()]
