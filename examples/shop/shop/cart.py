"""What one customer is about to buy."""

from shop import prices
from shop.discounts import NoDiscount

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
            tax += prices.tax_included(item.price * qty, reduced=item.food)
        return tax

    def describe(self):
        text = "Cart of " + self.customer + "\n"
        for sku, qty in sorted(self.lines.items()):
            item = self.inventory.get(sku)
            text += "  %3d x %-20s %s\n" % (qty, item.name, prices.format_price(item.price * qty))
        text += "  total " + prices.format_price(self.total())
        return text
