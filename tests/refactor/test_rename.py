# ruff: noqa: E501 - one case a line reads better unbroken
"""A name becomes another wherever the same is meant, and nowhere else."""

from __future__ import annotations

import pytest

from spark_tui.refactor.order import Order, Rule
from spark_tui.refactor.rename import RULES
from spark_tui.refactor.source import Source

CART = '''import json
import numpy as np

MAX_RETRIES = 3
amt = 5


class Cart:
    def __init__(self, cust, items):
        self.cust = cust
        self.items = items

    def calc(self, tax):
        """Total.

        Args:
            tax: the rate
        """
        tot = 0
        for i in self.items:
            tot += i.price * i.qty
        print(f"total {tot:.2f} for {self.cust}")
        return tot * (1 + tax)


def load(fname, lim=10):
    d = {"usr": 1, "lim": lim}
    with open(fname) as f:
        data = json.load(f)
    arr = np.array(data)
    retry_count = 0
    while retry_count < MAX_RETRIES:
        retry_count += 1
    return arr, d["usr"]


def main():
    cart = Cart(cust="bob", items=[])
    userName = "x"
    lastIdx = 3
    data = load(fname="x.json", lim=3)
    print(userName, lastIdx, amt)
    print(cart.calc(tax=0.2))
'''
TOTAL = [
    ("tot = 0", "total = 0"),
    ("tot += ", "total += "),
    ("{tot:.2f}", "{total:.2f}"),
    ("return tot ", "return total "),
]
PATH = [("def load(fname", "def load(path"), ("open(fname)", "open(path)"), ("load(fname=", "load(path=")]
ROWS = [("data = json", "rows = json"), ("array(data)", "array(rows)")]
ROWS_TOO = [*ROWS, ("data = load", "rows = load")]
ATTEMPTS = [
    ("retry_count = 0", "attempts = 0"),
    ("while retry_count", "while attempts"),
    ("retry_count += 1", "attempts += 1"),
]
CUSTOMER = [("self.cust =", "self.customer ="), ("{self.cust}", "{self.customer}")]
COMPUTE = [("def calc", "def compute"), ("cart.calc", "cart.compute")]
AMOUNT = [("amt = 5", "amount = 5"), ("lastIdx, amt", "lastIdx, amount")]
ITEM = [("for i in", "for item in"), ("i.price * i.qty", "item.price * item.qty")]


def plainly(text: str, instruction: str, cursor: int | None = None, rules: tuple[Rule, ...] = RULES) -> list[str]:
    """Texts that account for all that is said."""
    order = Order(Source(text.split("\n")[:-1]), instruction, cursor=cursor)
    edits = [edit for rule in rules if rule.trigger.search(order.said) for edit in rule.make(order)]
    return list(dict.fromkeys(edit.text for edit in edits if not order.left_over(edit) and edit.text != text))


def replaced(text: str, pairs: list[tuple[str, str]]) -> str:
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new)
    return text


@pytest.mark.parametrize(
    ("instruction", "pairs"),
    [
        ("rename tot to total", TOTAL),
        ("call the tot variable total", TOTAL),
        ("tot should be called total", TOTAL),
        ("s/tot/total/", TOTAL),
        ("tot => total", TOTAL),
        ("variable tot -> total pls", TOTAL),
        ("change the variable name from tot to total", TOTAL),
        ('could you rename "tot" as "total" in calc?', TOTAL),
        ("I'd prefer total over tot", TOTAL),
        ("use `total` instead of `tot` in calc", TOTAL),
        ("raname tot to total", TOTAL),
        ("better name for d: counts", [('d = {"usr', 'counts = {"usr'), ('d["usr"]', 'counts["usr"]')]),
        ("d -> record", [('d = {"usr', 'record = {"usr'), ('d["usr"]', 'record["usr"]')]),
        ("in load, rename data to rows", ROWS),
        ("rename data to rows in main", [("data = load", "rows = load")]),
        ("replace all data with rows", ROWS_TOO),
        ("the retry count should be called attempts", ATTEMPTS),
        ("rename the retry count to attempts", ATTEMPTS),
        ("call the fname parameter path", PATH),
        ("rename the first parameter of load to path", PATH),
        ("replace fname with path everywhere", PATH),
        ("rename the second argument of load to limit", [("lim=10", "limit=10"), ('"lim": lim', '"lim": limit'), ("lim=3", "limit=3")]),
        ("rename tax to tax_rate because tax is ambiguous", [("self, tax)", "self, tax_rate)"), ("tax: the", "tax_rate: the"), ("1 + tax)", "1 + tax_rate)"), ("calc(tax=", "calc(tax_rate=")]),
        ("rename method calc to compute", COMPUTE),
        ("Cart.calc -> compute", COMPUTE),
        ("the calc method should be named compute total", [("def calc", "def compute_total"), ("cart.calc", "cart.compute_total")]),
        ("rename class Cart to Basket", [("class Cart", "class Basket"), ("= Cart(", "= Basket(")]),
        ("Cart is now ShoppingCart", [("class Cart", "class ShoppingCart"), ("= Cart(", "= ShoppingCart(")]),
        ("change MAX_RETRIES to MAX_ATTEMPTS", [("MAX_RETRIES", "MAX_ATTEMPTS")]),
        ("rename the attribute cust to customer", CUSTOMER),
        ("please rename self.cust to self.customer", CUSTOMER),
        ("rename the Cart class' cust attribute to customer", CUSTOMER),
        ("rename the usr key to user", [('"usr"', '"user"')]),
        ("make calc private", [("def calc", "def _calc"), ("cart.calc", "cart._calc")]),
        ("prefix load with an underscore", [("def load", "def _load"), ("= load(", "= _load(")]),
        ("use snake_case for the variables in main", [("userName", "user_name"), ("lastIdx", "last_idx")]),
        ("camelCase to snake_case in main please", [("userName", "user_name"), ("lastIdx", "last_idx")]),
        ("make lastIdx snake_case", [("lastIdx", "last_idx")]),
        ("give amt a better name: amount", AMOUNT),
        ("amt is a bad name, use amount", AMOUNT),
        ("amt -> amount everywhere", AMOUNT),
        ("rename the loop variable in calc to item", ITEM),
        ("rename i to item in calc", ITEM),
        ("what is arr? call it matrix", [("arr = ", "matrix = "), ("return arr", "return matrix")]),
        ("rename load to load_data, and its calls", [("def load", "def load_data"), ("= load(", "= load_data(")]),
        ("tot is a silly name, call it total", TOTAL),
        ("tot is too short, total is better", TOTAL),
        ("i don't like the name tot, use total", TOTAL),
        ("give tot in calc a better name, total", TOTAL),
        ("calc should take tax_rate instead of tax", [("self, tax)", "self, tax_rate)"), ("tax: the", "tax_rate: the"), ("1 + tax)", "1 + tax_rate)"), ("calc(tax=", "calc(tax_rate=")]),
        ("rename calc's tax parameter to rate", [("self, tax)", "self, rate)"), ("tax: the", "rate: the"), ("1 + tax)", "1 + rate)"), ("calc(tax=", "calc(rate=")]),
        ("i -> item in calc", ITEM),
        ("replace every 3 with 4", [("MAX_RETRIES = 3", "MAX_RETRIES = 4"), ("lastIdx = 3", "lastIdx = 4"), ("lim=3", "lim=4")]),
    ],
)  # fmt: skip
def test_every_place_that_means_the_same_is_renamed(instruction: str, pairs: list[tuple[str, str]]) -> None:
    assert plainly(CART, instruction) == [replaced(CART, pairs)]


def test_this_function_is_the_one_at_the_cursor() -> None:
    assert plainly(CART, "rename this function to read_file", cursor=26) == [
        replaced(CART, [("def load", "def read_file"), ("= load(", "= read_file(")])
    ]


def test_a_name_that_means_two_things_is_left_open() -> None:
    order = Order(Source(CART.split("\n")[:-1]), "cust should be called customer")
    assert len({edit.text for rule in RULES for edit in rule.make(order)}) == 3


@pytest.mark.parametrize(
    "instruction",
    [
        "rename total to tot",
        "rename nothing_like_it to total",
        "rename tot to items in calc and sort it",
        "rename tot to tax",
        "turn Cart.calc into a generator",
        "change self.cust into an option",
        "rename userName to lastIdx",
        "use pathlib instead of json",
        "return rows instead of arr",
        "log user_id instead of userName",
        "extract 0.2 into a constant named TAX",
        "make calc a property",
        "change the tax to twenty",
        "type hints for load",
        "call main twice",
        "lim is a str",
        "amt should be negative",
        "rename json to yaml",
        "use enumerate instead of the i counter",
        "make _helper public",
        "name the result of load found",
        "data should be a set",
        "fname and lim should be str and int",
        "arr and data should be lists and dicts",
        "arr -> list",
        "load should be called before main",
        "rename total to tot in calc",
        "call tot total and print it",
    ],
)
def test_what_is_no_renaming_or_not_there_is_left_alone(instruction: str) -> None:
    assert plainly(CART, instruction) == []


def test_names_of_other_scopes_stay() -> None:
    text = "n = 1\n\n\ndef f(n):\n    return h(n, n=2)\n\n\ndef g():\n    return n\n"
    wanted = "n = 1\n\n\ndef f(count):\n    return h(count, n=2)\n\n\ndef g():\n    return n\n"
    assert plainly(text, "rename n to count in f") == [wanted]


def test_text_is_renamed_only_where_that_is_said() -> None:
    text = 'def f(usr):\n    # the usr\n    return f"usr {usr!r} {usr:>10}"\n'
    assert plainly(text, "rename usr to user") == [
        'def f(user):\n    # the usr\n    return f"usr {user!r} {user:>10}"\n'
    ]
    assert plainly(text, "rename usr to user, in comments and strings too") == [text.replace("usr", "user")]


def test_columns_behind_other_letters_are_right() -> None:
    text = 'größe = 1\nprint("ä", größe, f"{größe}")\n'
    assert plainly(text, "rename größe to size") == [text.replace("größe", "size")]


def test_a_field_is_renamed_with_the_keywords_that_fill_it() -> None:
    text = "@dataclass\nclass P:\n    px: int = 0\n\n\np = P(px=3)\nprint(p.px)\n"
    assert plainly(text, "rename the field px to x_pos") == [text.replace("px", "x_pos")]


def test_a_public_name_loses_its_underscore() -> None:
    text = "def _load():\n    pass\n\n\n_load()\n"
    assert plainly(text, "make _load public") == [text.replace("_load", "load")]


def test_two_names_are_swapped() -> None:
    text = "def f(a, b):\n    return a - b\n"
    assert plainly(text, "swap the names a and b") == ["def f(b, a):\n    return b - a\n"]


PLAYERS = """class Player:
    def __init__(self, nm):
        self.nm = nm

    def hit(self, dmg):
        self.nm += str(dmg)


class Enemy:
    def __init__(self, nm):
        self.nm = nm

    def hit(self, dmg):
        return dmg


p1 = Player("ann")
p1.hit(dmg=2)
"""


@pytest.mark.parametrize(
    ("instruction", "first", "last"),
    [
        ("Player.nm -> name", [("self.nm", "self.name")], []),
        ("rename Player.hit to take_damage", [("def hit", "def take_damage")], [("p1.hit", "p1.take_damage")]),
        ("p1.nm -> p1.name", [("self.nm", "self.name")], []),
        ("rename dmg to damage in Player.hit", [("dmg", "damage")], [("dmg", "damage")]),
    ],
)
def test_only_the_class_that_is_named_is_meant(
    instruction: str, first: list[tuple[str, str]], last: list[tuple[str, str]]
) -> None:
    player, enemy, calls = (
        PLAYERS[: PLAYERS.index("class E")],
        PLAYERS[PLAYERS.index("class E") : PLAYERS.index("p1 =")],
        PLAYERS[PLAYERS.index("p1 =") :],
    )
    assert plainly(PLAYERS, instruction) == [replaced(player, first) + enemy + replaced(calls, last)]


@pytest.mark.parametrize(
    "instruction",
    [
        "rename a and b to x and y",
        "a -> x, b -> y",
        "rename a to x and b to y",
        "use x and y instead of a and b",
        "a and b should be called x and y in f",
    ],
)
def test_two_names_are_renamed_together(instruction: str) -> None:
    assert plainly("def f(a, b):\n    return a - b\n", instruction) == ["def f(x, y):\n    return x - y\n"]


def test_a_new_name_may_be_a_word_about_names() -> None:
    text = "def f(nm):\n    return nm\n"
    assert plainly(text, "rename nm to name in f") == [text.replace("nm", "name")]


def test_a_new_name_is_as_it_was_said_whatever_else_is_spelled_so_in_another_case() -> None:
    text = "class Store:\n    def __init__(self):\n        self.stock = 1\n"
    assert plainly(text, "rename Store to Stock") == [text.replace("Store", "Stock")]


def test_what_is_done_to_a_thing_and_what_is_used_for_it_are_no_names() -> None:
    text = "def load(path):\n    return open(path)\n"
    assert plainly(text, "use pathlib for path in load") == []
    assert plainly(text, "path should be stripped") == []


def test_a_name_that_another_function_has_may_be_given_in_one() -> None:
    text = "def area(w):\n    return w * w\n\n\ndef width_of(width):\n    return width\n"
    assert plainly(text, "rename w to width in area") == [
        text.replace("(w)", "(width)").replace("w * w", "width * width")
    ]
