"""The shop as one file, for a till that only has room for one.

Money is in whole cents, the data lives in one JSON file, and the command line is the only door.
"""

import argparse
import json
import os
import sys
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation

__version__ = "0.3.0"


# --- prices ------------------------------------------------------

CURRENCY = "€"
TAX_RATE = Decimal("0.19")
REDUCED_TAX_RATE = Decimal("0.07")


def parse_price(text):
    """Turn '3.50', '3,50' or '€3.50' into 350."""
    cleaned = text.strip().removeprefix(CURRENCY).replace(",", ".")
    try:
        amount = Decimal(cleaned)
    except InvalidOperation:
        raise ValueError(f"not a price: {text!r}") from None
    return int((amount * 100).quantize(Decimal("1"), rounding=ROUND_HALF_UP))


def format_price(cents):
    sign = "-" if cents < 0 else ""
    whole, rest = divmod(abs(cents), 100)
    return "%s%s%d.%02d" % (sign, CURRENCY, whole, rest)


def percent_of(cents, percent):
    share = Decimal(cents) * Decimal(percent) / 100
    return int(share.quantize(Decimal("1"), rounding=ROUND_HALF_UP))


def tax_included(cents, reduced=False):
    """How much of a gross price is tax."""
    rate = REDUCED_TAX_RATE if reduced else TAX_RATE
    net = Decimal(cents) / (1 + rate)
    return cents - int(net.quantize(Decimal("1"), rounding=ROUND_HALF_UP))


def split_evenly(cents, ways):
    """Split an amount into parts that differ by one cent at most."""
    base, extra = divmod(cents, ways)
    parts = []
    for index in range(ways):
        if index < extra:
            parts.append(base + 1)
        else:
            parts.append(base)
    return parts


# --- inventory ---------------------------------------------------

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


# --- discounts ---------------------------------------------------

class NoDiscount:
    code = ""

    def amount(self, cart):
        return 0


class PercentOff:
    def __init__(self, code, percent, minimum=0):
        self.code = code
        self.percent = percent
        self.minimum = minimum

    def amount(self, cart):
        if cart.subtotal() < self.minimum:
            return 0
        return percent_of(cart.subtotal(), self.percent)


class FixedOff:
    def __init__(self, code, cents, minimum=0):
        self.code = code
        self.cents = cents
        self.minimum = minimum

    def amount(self, cart):
        if cart.subtotal() < self.minimum:
            return 0
        return self.cents


class ThreeForTwo:
    """Of every three of the same item one is free."""

    def __init__(self, code, sku):
        self.code = code
        self.sku = sku

    def amount(self, cart):
        qty = cart.lines.get(self.sku, 0)
        free = qty // 3
        return free * cart.inventory.get(self.sku).price


CODES = {
    "TENOFF": PercentOff("TENOFF", 10, minimum=2000),
    "WELCOME": FixedOff("WELCOME", 500, minimum=1500),
    "TEATIME": ThreeForTwo("TEATIME", "tea"),
}


def find_discount(code):
    """The discount behind a code; an empty code is no discount."""
    if not code:
        return NoDiscount()
    discount = CODES.get(code.upper())
    if discount is None:
        raise LookupError(f"unknown code: {code}")
    return discount


# --- cart --------------------------------------------------------

FREE_SHIPPING_FROM = 4900
SHIPPING = 490


class Cart:
    """Lines of items and quantities, with an optional discount."""

    def __init__(self, inventory, customer):
        self.inventory = inventory
        self.customer = customer
        self.lines = {}
        self.discount = NoDiscount()

    def add(self, sku, qty=1):
        item = self.inventory.get(sku)
        self.lines[item.sku] = self.lines.get(item.sku, 0) + qty
        return self.lines[item.sku]

    def remove(self, sku, qty=None):
        """Remove some of an item, or all of it when no quantity is given."""
        if sku not in self.lines:
            raise LookupError(f"{sku} is not in the cart")
        if qty is None or qty >= self.lines[sku]:
            del self.lines[sku]
        else:
            self.lines[sku] -= qty

    def clear(self):
        self.lines.clear()
        self.discount = NoDiscount()

    def is_empty(self):
        return len(self.lines) == 0

    def count(self):
        return sum(self.lines.values())

    def subtotal(self):
        total = 0
        for sku, qty in self.lines.items():
            total += self.inventory.get(sku).price * qty
        return total

    def reduction(self):
        """What the discount takes off, never more than the goods cost."""
        return min(self.discount.amount(self), self.subtotal())

    def shipping(self):
        if self.is_empty():
            return 0
        if self.subtotal() - self.reduction() >= FREE_SHIPPING_FROM:
            return 0
        return SHIPPING

    def total(self):
        return self.subtotal() - self.reduction() + self.shipping()

    def tax(self):
        tax = 0
        for sku, qty in self.lines.items():
            item = self.inventory.get(sku)
            tax += tax_included(item.price * qty, reduced=item.food)
        return tax

    def describe(self):
        text = "Cart of " + self.customer + "\n"
        for sku, qty in sorted(self.lines.items()):
            item = self.inventory.get(sku)
            text += "  %3d x %-20s %s\n" % (qty, item.name, format_price(item.price * qty))
        text += "  total " + format_price(self.total())
        return text


# --- orders ------------------------------------------------------

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


# --- storage -----------------------------------------------------

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


# --- report ------------------------------------------------------

def paid_orders(orders):
    paid = []
    for order in orders:
        if order.state != CANCELLED:
            paid.append(order)
    return paid


def revenue(orders):
    total = 0
    for order in paid_orders(orders):
        total = total + order.total
    return total


def average_order(orders):
    paid = paid_orders(orders)
    if not paid:
        return 0
    return revenue(orders) // len(paid)


def best_sellers(orders, limit=3):
    sold = {}
    for order in paid_orders(orders):
        for sku, qty in order.lines.items():
            sold[sku] = sold.get(sku, 0) + qty
    ranking = sorted(sold.items(), key=lambda pair: (-pair[1], pair[0]))
    return ranking[:limit]


def by_day(orders):
    """Revenue of each day, the oldest first."""
    days = {}
    for order in paid_orders(orders):
        day = order.placed_at.date()
        if day in days:
            days[day] += order.total
        else:
            days[day] = order.total
    return dict(sorted(days.items()))


def report(book, days=7, now=None):
    now = now or datetime.now()
    orders = book.since(now - timedelta(days=days))
    lines = []
    lines.append("Last %d days" % days)
    lines.append("  orders   %d" % len(paid_orders(orders)))
    lines.append("  revenue  %s" % format_price(revenue(orders)))
    lines.append("  average  %s" % format_price(average_order(orders)))
    for sku, qty in best_sellers(orders):
        lines.append("  sold     %s x %d" % (book.inventory.get(sku).name, qty))
    for item in book.inventory.to_reorder():
        lines.append("  reorder  %s (%d left)" % (item.name, item.stock))
    return "\n".join(lines)


# --- cli ---------------------------------------------------------

def build_parser():
    parser = argparse.ArgumentParser(prog="shop", description="A small shop in a JSON file.")
    parser.add_argument("--file", default="shop.json", help="where the data is kept")
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(dest="command", required=True)

    stock = commands.add_parser("stock", help="what is on the shelves")
    stock.add_argument("text", nargs="?", default="", help="only items whose name contains this")

    restock = commands.add_parser("restock", help="put goods on the shelf")
    restock.add_argument("sku")
    restock.add_argument("qty", type=int)

    order = commands.add_parser("order", help="place an order")
    order.add_argument("customer")
    order.add_argument("lines", nargs="+", metavar="SKU[:QTY]")
    order.add_argument("--code", default="", help="a discount code")

    cancel = commands.add_parser("cancel", help="cancel an open order")
    cancel.add_argument("number", type=int)
    cancel.add_argument("--reason", default="")

    ship = commands.add_parser("ship", help="mark an order as shipped")
    ship.add_argument("number", type=int)

    figures = commands.add_parser("report", help="figures of the last days")
    figures.add_argument("--days", type=int, default=7)
    return parser


def parse_line(text):
    """'tea:2' is two of tea, 'tea' is one."""
    sku, _, qty = text.partition(":")
    return sku, int(qty) if qty else 1


def print_stock(book, text):
    for item in book.inventory.find(text):
        print("%-8s %-20s %8s %4d" % (item.sku, item.name, format_price(item.price), item.stock))


def place_order(book, options):
    cart = Cart(book.inventory, options.customer)
    for text in options.lines:
        sku, qty = parse_line(text)
        cart.add(sku, qty)
    cart.discount = find_discount(options.code)
    print(cart.describe())
    order = book.place(cart)
    print("order", order.number, "placed")


def run(options):
    book = load(options.file)
    if options.command == "stock":
        print_stock(book, options.text)
        return
    if options.command == "report":
        print(report(book, options.days))
        return
    if options.command == "restock":
        left = book.inventory.restock(options.sku, options.qty)
        print(options.sku, "now", left)
    elif options.command == "order":
        place_order(book, options)
    elif options.command == "cancel":
        book.cancel(options.number, options.reason)
        print("order", options.number, "cancelled")
    elif options.command == "ship":
        book.get(options.number).ship(datetime.now())
        print("order", options.number, "shipped")
    save(book, options.file)


def main(argv=None):
    options = build_parser().parse_args(argv)
    try:
        run(options)
    except (LookupError, ValueError, OutOfStock, StorageError) as error:
        print("shop:", error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
