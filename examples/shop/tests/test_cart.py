import unittest

from shop.cart import SHIPPING, Cart
from shop.discounts import FixedOff, PercentOff, ThreeForTwo, find_discount
from shop.inventory import Inventory, Item


def make_cart():
    inventory = Inventory([Item("tea", "Green tea", 450, stock=30), Item("mug", "Blue mug", 1250, stock=4, food=False)])
    return Cart(inventory, "mia")


class CartTest(unittest.TestCase):
    def test_adding_twice_sums_the_quantities(self):
        cart = make_cart()
        cart.add("tea")
        self.assertEqual(cart.add("tea", 2), 3)
        self.assertEqual(cart.count(), 3)

    def test_an_unknown_item_cannot_be_added(self):
        with self.assertRaises(LookupError):
            make_cart().add("gold")

    def test_removing_part_of_a_line_keeps_the_rest(self):
        cart = make_cart()
        cart.add("tea", 3)
        cart.remove("tea", 2)
        self.assertEqual(cart.lines, {"tea": 1})
        cart.remove("tea")
        self.assertTrue(cart.is_empty())

    def test_small_carts_pay_shipping_and_large_ones_do_not(self):
        cart = make_cart()
        self.assertEqual(cart.total(), 0)
        cart.add("tea")
        self.assertEqual(cart.total(), 450 + SHIPPING)
        cart.add("mug", 4)
        self.assertEqual(cart.total(), 450 + 5000)

    def test_food_is_taxed_at_the_reduced_rate(self):
        cart = make_cart()
        cart.add("tea", 2)
        cart.add("mug")
        self.assertEqual(cart.tax(), 59 + 200)

    def test_the_description_names_the_customer_and_the_goods(self):
        cart = make_cart()
        cart.add("tea", 2)
        self.assertIn("mia", cart.describe())
        self.assertIn("2 x Green tea", cart.describe())


class DiscountTest(unittest.TestCase):
    def test_percent_counts_from_its_minimum(self):
        cart = make_cart()
        cart.discount = PercentOff("X", 10, minimum=2000)
        cart.add("mug")
        self.assertEqual(cart.reduction(), 0)
        cart.add("mug")
        self.assertEqual(cart.reduction(), 250)

    def test_a_fixed_sum_never_makes_the_price_negative(self):
        cart = make_cart()
        cart.add("tea")
        cart.discount = FixedOff("X", 9900)
        self.assertEqual(cart.reduction(), 450)
        self.assertEqual(cart.total(), SHIPPING)

    def test_every_third_item_is_free(self):
        cart = make_cart()
        cart.discount = ThreeForTwo("X", "tea")
        cart.add("tea", 7)
        self.assertEqual(cart.reduction(), 900)

    def test_codes_are_found_in_any_case(self):
        self.assertEqual(find_discount("tenoff").code, "TENOFF")
        self.assertEqual(find_discount("").code, "")
        with self.assertRaises(LookupError):
            find_discount("NOPE")
