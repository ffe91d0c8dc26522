"""A cart that was paid for, and what happens to it."""

from dataclasses import dataclass, field
from datetime import datetime

OPEN = "open"
SHIPPED = "shipped"
CANCELLED = "cancelled"


@dataclass
class Order:
    number: int
    customer: str
    lines: dict
    total: int
    placed_at: datetime
    code: str = ""
    state: str = OPEN
    notes: list = field(default_factory=list)

    def ship(self, when):
        if self.state != OPEN:
            raise ValueError(f"order {self.number} is {self.state}")
        self.state = SHIPPED
        self.notes.append("shipped on " + when.strftime("%Y-%m-%d"))

    def count(self):
        return sum(self.lines.values())


class OrderBook:
    """All orders, by number."""

    def __init__(self, inventory, orders=()):
        self.inventory = inventory
        self.orders = {order.number: order for order in orders}

    def next_number(self):
        return max(self.orders, default=0) + 1

    def place(self, cart, now=None):
        if cart.is_empty():
            raise ValueError("the cart is empty")
        total = cart.total()
        self.inventory.take_all(cart.lines)
        order = Order(
            number=self.next_number(),
            customer=cart.customer,
            lines=dict(cart.lines),
            total=total,
            placed_at=now or datetime.now(),
            code=cart.discount.code,
        )
        self.orders[order.number] = order
        cart.clear()
        return order

    def get(self, number):
        if number not in self.orders:
            raise LookupError(f"no such order: {number}")
        return self.orders[number]

    def cancel(self, number, reason=""):
        """Cancel an open order and put its goods back on the shelf."""
        order = self.get(number)
        if order.state != OPEN:
            raise ValueError(f"order {number} is {order.state}")
        for sku, qty in order.lines.items():
            self.inventory.restock(sku, qty)
        order.state = CANCELLED
        if reason:
            order.notes.append("cancelled: " + reason)
        return order

    def of_customer(self, customer):
        result = []
        for order in self.orders.values():
            if order.customer == customer:
                result.append(order)
        return result

    def since(self, moment):
        return [order for order in self.orders.values() if order.placed_at >= moment]
