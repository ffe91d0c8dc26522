"""The command line: `python -m shop COMMAND`."""

import argparse
import sys
from datetime import datetime

from shop import __version__, prices, storage
from shop.cart import Cart
from shop.discounts import find_discount
from shop.inventory import OutOfStock
from shop.report import report


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
        print("%-8s %-20s %8s %4d" % (item.sku, item.name, prices.format_price(item.price), item.stock))


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
    book = storage.load(options.file)
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
    storage.save(book, options.file)


def main(argv=None):
    options = build_parser().parse_args(argv)
    try:
        run(options)
    except (LookupError, ValueError, OutOfStock, storage.StorageError) as error:
        print("shop:", error, file=sys.stderr)
        return 1
    return 0
