import contextlib
import io
import os
import tempfile
import unittest

from shop import prices, storage
from shop.cli import main, parse_line


class PriceTest(unittest.TestCase):
    def test_prices_are_read_in_several_spellings(self):
        for text in ("3.5", "3,50", " €3.50 "):
            self.assertEqual(prices.parse_price(text), 350)
        with self.assertRaises(ValueError):
            prices.parse_price("cheap")

    def test_prices_are_shown_with_two_digits(self):
        self.assertEqual(prices.format_price(5), "€0.05")
        self.assertEqual(prices.format_price(-1250), "-€12.50")

    def test_parts_of_a_split_add_up(self):
        self.assertEqual(prices.split_evenly(1000, 3), [334, 333, 333])


class StorageTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "shop.json")

    def shop(self, *arguments):
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            code = main(["--file", self.path, *arguments])
        return code, out.getvalue()

    def test_a_book_comes_back_as_it_was_saved(self):
        self.shop("order", "mia", "tea:6", "mug", "--code", "TENOFF")
        book = storage.load(self.path)
        self.assertEqual(book.get(1).lines, {"tea": 6, "mug": 1})
        self.assertEqual(book.get(1).code, "TENOFF")
        storage.save(book, self.path)
        self.assertEqual(storage.load(self.path).orders, book.orders)

    def test_a_file_of_another_kind_is_refused(self):
        with open(self.path, "w", encoding="utf-8") as file:
            file.write("[")
        self.assertEqual(self.shop("stock")[0], 1)
        with self.assertRaises(storage.StorageError):
            storage.load(self.path)

    def test_commands_answer_and_errors_are_one_line(self):
        self.assertEqual(self.shop("restock", "mug", "3"), (0, "mug now 7\n"))
        code, text = self.shop("order", "mia", "gold")
        self.assertEqual((code, text), (1, "shop: no such item: gold\n"))
        self.assertIn("Green tea", self.shop("stock", "tea")[1])

    def test_lines_of_an_order_may_leave_out_the_quantity(self):
        self.assertEqual(parse_line("tea"), ("tea", 1))
        self.assertEqual(parse_line("tea:12"), ("tea", 12))


if __name__ == "__main__":
    unittest.main()
