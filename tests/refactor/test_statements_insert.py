# ruff: noqa: E501 - tables read better unbroken
"""Lines that an order puts in, where it says."""

from __future__ import annotations

import pytest
from shop import SHOP, Hunks, edit, plain

from spark_tui.refactor.known import LOOSE


@pytest.mark.parametrize(
    ("say", "hunks"),
    [
        ('call save() at the end of add', [(17, 0, '        self.save()')]),
        ('add a print of price at the start of add', [(15, 0, '        print(price)')]),
        ('in add, print the name after appending', [(17, 0, '        print(name)')]),
        ('add `time.sleep(1)` after `retries -= 1`', [(5, 0, 'import time'), (60, 0, '            time.sleep(1)')]),
        ('initialise discount to 0 before the loop in total', [(22, 0, '        discount = 0')]),
        ('set self.saved to False at the end of __init__', [(13, 0, '        self.saved = False')]),
        ('add a blank line before the while loop', [(54, 0, '')]),
        ('add continue at the end of the except block', [(60, 0, '            continue')]),
        ('print exc before retries -= 1', [(59, 0, '            print(exc)')]),
        ('print "saving" before saving', [(56, 0, '            print("saving")')]),
        ("print 'done' at the end of main", [(64, 0, "    print('done')")]),
        ('print "done" right before the return in main', [(64, 0, '    print("done")')]),
        ('add a return at the end of save', [(30, 0, '        return')]),
        ('return True at the end of save', [(30, 0, '        return True')]),
        ('add a constant CURRENCY = "EUR" at the top', [(5, 0, '\nCURRENCY = "EUR"')]),
        ('define MAX_ITEMS = 50 below TAX', [(7, 0, 'MAX_ITEMS = 50')]),
        ('add MAX_ITEMS = 50 after TAX', [(7, 0, 'MAX_ITEMS = 50')]),
        ('put `data["path"] = path` after data is loaded', [(38, 0, '            data["path"] = path')]),
        ('assert price >= 0 first thing in add', [(15, 0, '        assert price >= 0')]),
        ('insert `assert qty > 0` as the first line of add', [(15, 0, '        assert qty > 0')]),
        ('main should start with print("start")', [(48, 0, '    print("start")')]),
        ('add an else to the if in main: print("no free shipping")', [(63, 0, '    else:\n        print("no free shipping")')]),
        ('add x = 1 at the end of the file', [(69, 0, 'x = 1')]),
        ('between line 47 and 48 insert print(cart)', [(48, 0, '    print(cart)')]),
        ('after line 48 add print(debug)', [(49, 0, '    print(debug)')]),
        ('below the while loop print retries', [(60, 0, '    print(retries)')]),
        ('call load("cart.json") at the top of main', [(48, 0, '    load("cart.json")')]),
        ('run cart.save() before the return of main', [(64, 0, '    cart.save()')]),
        ('in main, after the cart is created, set cart.owner to "alice"', [(49, 0, '    cart.owner = "alice"')]),
        ('clear self.items at the end of save', [(30, 0, '        self.items.clear()')]),
        ('reset self.items to an empty list at the end of save', [(30, 0, '        self.items = []')]),
        ('increment retries after line 50', [(51, 0, '    retries += 1')]),
    ],
)  # fmt: skip
def test_the_lines_that_are_meant(say: str, hunks: Hunks) -> None:
    assert plain(say) == hunks


@pytest.mark.parametrize(
    "say",
    [
        "add retries -= 1 before the return in nowhere",
        "add a break after cart.save()",
        "print the weather before the return in total",
        "call add() at the end of total",
        "add `import sys` at the top",
        "call it a day before the return",
        "add an assert that price is positive at the start of add",
        "wrap the return in parentheses",
    ],
)
def test_what_is_there_or_is_not_clear_is_left(say: str) -> None:
    assert plain(say) == []


def test_where_it_stands_in_a_block_is_open() -> None:
    level, texts = edit("print the exception in the except block")
    assert level == LOOSE
    assert texts == [
        SHOP.replace("as exc:\n", "as exc:\n            print(exc)\n"),
        SHOP.replace("            retries -= 1\n", "            retries -= 1\n            print(exc)\n"),
    ]


def test_a_line_of_two_is_written_on_two() -> None:
    source = "def f(x):\n  y = g(x)\n  return y\n"
    assert edit("add `if y is None: return 0` before the return", source)[1] == [
        "def f(x):\n  y = g(x)\n  if y is None:\n    return 0\n  return y\n"
    ]


def test_the_end_of_a_function_is_in_front_of_its_return() -> None:
    assert edit("call g() at the end of f", "def g():\n    pass\n\n\ndef f():\n    return 1\n")[1] == [
        "def g():\n    pass\n\n\ndef f():\n    g()\n    return 1\n"
    ]


@pytest.mark.parametrize(
    "say",
    [
        "add a timeout of 10 to the post in send",
        "return None instead of raising",
        "replace the loop with sum",
        "remove the first argument of add",
        "delete the second element from items before returning",
        "remove trailing whitespace",
        "drop items below 5",
        "clear the cart at the end of main",
        "print the cart total at the end of main",
        "raise ValueError if qty is negative at the start of add",
        "return early in add if qty is 0",
        "stop the loop after 3 retries",
        "use a with statement in save",
        "set total to 0 if it is negative before the return in main",
        "make total a property",
        "print nothing when the cart is empty",
        "don't print anything if debug is off",
        "no prints when debug is false",
        "delete the file at the end of main",
        "remove the item from the cart before saving",
        "delete old carts after saving",
        "swap name and price in add",
        "move the tax into a constant",
        "turn the while loop into a for loop",
        "add a docstring to add",
        "add a try around cart.save()",
        "add logging to main",
        "change the return in load to None",
        "return data instead of None in load",
        "replace print with logger.info",
        "remove the exists check in load",
        "remove the if in load",
        "remove the try in main",
        "call save after add",
        "print total after the return",
        "add the tax to the total before returning",
        "put the total in a variable",
        "put 3 in retries",
        "put the path in quotes",
        "do the sum in one line",
        "take the first item",
        "cut the price in half",
        "the loop should stop after the first match",
        "the total should be rounded",
        "print the total with two decimals",
        "start retries at 5",
        "end the program after the print",
        "begin counting at 1",
        "start the loop at 1",
        "the first item should be skipped",
        "the last print should say goodbye",
        "add 1 to the result",
        "add price to result before the loop",
        "write the total to a file at the end of main",
        "write data to f",
        "return the total as int",
        "let save take a path",
        "get the total before the loop",
        "copy the items before saving",
        "repeat the loop 3 times",
        "double the price",
        'remove "apple" from the cart',
        "delete the key after loading",
        "drop the last item",
        "kill the process at the end",
        "free shipping should start at 50",
        "no free shipping",
        "change the first print to a log",
        "fix the loop",
        "line 54 is wrong",
        "line 54: use 5",
        "on line 50 use qty=2",
        "print debug info",
        "add debug output",
        "main needs a return value",
        "the if should be a while",
        "if total is 0 return early",
        "unless debug is set, don't print",
        "otherwise crash",
        "when the file is missing return {}",
    ],
)
def test_orders_about_something_else_are_left_to_others(say: str) -> None:
    assert edit(say) == (0, [])


@pytest.mark.parametrize("say", ["have main return total", "load should return an empty dict"])
def test_what_a_function_returns_may_be_more_than_its_body(say: str) -> None:
    assert edit(say)[0] == LOOSE


def test_what_a_function_that_only_acts_returns_comes_behind_what_it_does() -> None:
    ((_, taken, put),) = plain("make save return True")
    assert (taken, put) == (0, "        return True")


def test_an_attribute_is_set_at_the_end_of_the_constructor() -> None:
    assert plain("add self.saved = False to the constructor") == [(13, 0, "        self.saved = False")]
    assert plain("set self.items to None in the constructor") == []


def test_a_name_goes_where_it_is_known() -> None:
    source = "def f(a):\n    for x in a:\n        g(x)\n\n\ndef h(b):\n    for y in b:\n        g(y)\n"
    assert plain("print y at the top of the loop", source) == [(8, 0, "        print(y)")]


def test_a_place_said_in_two_pieces() -> None:
    assert plain("print retries in main before the while loop") == [(54, 0, "    print(retries)")]
