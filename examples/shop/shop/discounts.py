"""Discounts. Each one has `amount(cart)`: the cents that it takes off."""

from shop import prices


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
        return prices.percent_of(cart.subtotal(), self.percent)


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
