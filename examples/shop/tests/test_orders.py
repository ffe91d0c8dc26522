import unittest
from datetime import datetime, timedelta

from shop.cart import Cart
from shop.inventory import Inventory, Item, OutOfStock
from shop.orders import CANCELLED, SHIPPED, OrderBook
from shop.report import average_order, best_sellers, by_day, report, revenue

NOON = datetime(2025, 3, 14, 12, 0)


def make_book():
    return OrderBook(Inventory([Item("tea", "Green tea", 450, stock=30), Item("mug", "Blue mug", 1250, stock=6)]))


def order(book, when=NOON, **lines):
    cart = Cart(book.inventory, "mia")
    for sku, qty in lines.items():
        cart.add(sku, qty)
    return book.place(cart, when)


class OrderTest(unittest.TestCase):
    def test_placing_takes_the_goods_and_empties_the_cart(self):
        book = make_book()
        cart = Cart(book.inventory, "mia")
        cart.add("tea", 4)
        placed = book.place(cart, NOON)
        self.assertEqual(placed.number, 1)
        self.assertEqual(book.inventory.get("tea").stock, 26)
        self.assertTrue(cart.is_empty())

    def test_too_much_of_one_item_takes_nothing(self):
        book = make_book()
        with self.assertRaises(OutOfStock):
            order(book, tea=2, mug=7)
        self.assertEqual(book.inventory.get("tea").stock, 30)
        self.assertEqual(book.orders, {})

    def test_an_empty_cart_cannot_be_ordered(self):
        with self.assertRaises(ValueError):
            order(make_book())

    def test_cancelling_puts_the_goods_back(self):
        book = make_book()
        order(book, mug=2)
        cancelled = book.cancel(1, "changed her mind")
        self.assertEqual(cancelled.state, CANCELLED)
        self.assertEqual(book.inventory.get("mug").stock, 6)
        with self.assertRaises(ValueError):
            book.cancel(1)

    def test_a_shipped_order_cannot_be_cancelled(self):
        book = make_book()
        order(book, mug=1).ship(NOON)
        self.assertEqual(book.get(1).state, SHIPPED)
        with self.assertRaises(ValueError):
            book.cancel(1)


class ReportTest(unittest.TestCase):
    def setUp(self):
        self.book = make_book()
        order(self.book, NOON - timedelta(days=9), tea=1)
        order(self.book, NOON - timedelta(days=1), tea=2)
        order(self.book, NOON, mug=4, tea=1)
        order(self.book, NOON, mug=1)
        self.book.cancel(4)

    def test_cancelled_orders_do_not_count(self):
        orders = list(self.book.orders.values())
        self.assertEqual(revenue(orders), 940 + 1390 + 5450)
        self.assertEqual(average_order(orders), 2593)
        self.assertEqual(average_order([]), 0)

    def test_best_sellers_are_ranked_by_quantity_then_name(self):
        self.assertEqual(best_sellers(self.book.orders.values()), [("mug", 4), ("tea", 4)])
        self.assertEqual(best_sellers(self.book.orders.values(), limit=1), [("mug", 4)])

    def test_days_come_in_order(self):
        days = by_day(self.book.orders.values())
        self.assertEqual(list(days.values()), [940, 1390, 5450])

    def test_the_report_shows_recent_orders_and_what_runs_out(self):
        text = report(self.book, days=7, now=NOON)
        self.assertIn("orders   2", text)
        self.assertIn("revenue  €68.40", text)
        self.assertIn("reorder  Blue mug (2 left)", text)
