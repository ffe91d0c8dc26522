"""Figures about the orders of the last days."""

from datetime import datetime, timedelta

from shop import prices
from shop.orders import CANCELLED


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
    lines.append("  revenue  %s" % prices.format_price(revenue(orders)))
    lines.append("  average  %s" % prices.format_price(average_order(orders)))
    for sku, qty in best_sellers(orders):
        lines.append("  sold     %s x %d" % (book.inventory.get(sku).name, qty))
    for item in book.inventory.to_reorder():
        lines.append("  reorder  %s (%d left)" % (item.name, item.stock))
    return "\n".join(lines)
