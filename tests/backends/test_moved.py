# ruff: noqa: E501 - tables read better unbroken
"""What was put somewhere, wanted at another place."""

from __future__ import annotations

import pytest

from tests.backends.steer_texts import GAME, SHOP, behind, put, tree

CHARGING = '        log.info("charging")\n'
CHARGED = ("        amount = total(order)\n        if", f"{CHARGING}        amount = total(order)\n        if")
SUM = ("        amount += item.price\n    return", "        amount += item.price\n    print(amount)\n    return")
DONE = ('        print("round", number)\n    return', '        print("round", number)\n    print("done")\n    return')
HIT = ("                player.hit(random", '                print("hit")\n                player.hit(random')
DEEP = "                player.miss(1)\n"


@pytest.mark.parametrize(
    ("text", "stood", "said", "now"),
    [
        (SHOP, CHARGED, "put it after the empty check, nothing is charged there", ("        receipt =", f"{CHARGING}        receipt =")),
        (SHOP, CHARGED, "before the lock rather", ("    with lock:", '    log.info("charging")\n    with lock:')),
        (SHOP, CHARGED, "outside the with block please", ("    with lock:", '    log.info("charging")\n    with lock:')),
        (SHOP, CHARGED, "right before we charge", ("        receipt =", f"{CHARGING}        receipt =")),
        (SHOP, CHARGED, "should go below where amount is set", ("total(order)\n        if", f"total(order)\n{CHARGING}        if")),
        (SHOP, SUM, "inside the loop, i want to see every step", ("item.price\n    return", "item.price\n        print(amount)\n    return")),
        (SHOP, SUM, "after each item please", ("item.price\n    return", "item.price\n        print(amount)\n    return")),
        (GAME, DONE, "at the top of run instead", ("    for number", '    print("done")\n    for number')),
        (GAME, DONE, "one level deeper, after every player", (DEEP, f'{DEEP}            print("done")\n')),
        (GAME, HIT, "in the else branch, not there", (DEEP, f'                print("hit")\n{DEEP}')),
        (GAME, HIT, "that should come behind the hit call", ("randint(1, 6))\n", 'randint(1, 6))\n                print("hit")\n')),
        (GAME, HIT, "out of the inner loop", ('        print("round"', '        print("hit")\n        print("round"')),
    ],
)  # fmt: skip
def test_statements_are_moved_to_where_the_words_point(text, stood, said, now):
    assert behind(text, [stood], said) == tree(put(text, now))


CLEAN = ("class Board:\n", "class Board:\n    @staticmethod\n    def norm(value):\n        return int(value)\n\n")
USED = ("self.width = int(width)", "self.width = self.norm(width)")
SIDES = ("class Player:\n", "SIDES = 6\n\n\nclass Player:\n")
ROLLED = ("randint(1, 6)", "randint(1, SIDES)")


def test_a_method_goes_behind_another_one():
    stood = ("    def hit(self", "    def reset(self):\n        self.score = 0\n\n    def hit(self")
    now = (
        "        self.lives += lives\n",
        "        self.lives += lives\n\n    def reset(self):\n        self.score = 0\n",
    )
    assert behind(GAME, [stood], "put it right after heal so the lives stuff stays together") == tree(put(GAME, now))


def test_a_static_method_becomes_a_function_above_its_class():
    now = ("class Board:\n", "def norm(value):\n    return int(value)\n\n\nclass Board:\n")
    made = tree(put(GAME, now, ("self.width = int(width)", "self.width = norm(width)")))
    assert behind(GAME, [CLEAN, USED], "make that a plain function above the class, others want it too") == made


def test_a_constant_goes_into_a_class_with_its_uses():
    now = ("class Player:\n", "class Player:\n    SIDES = 6\n\n")
    made = tree(put(GAME, now, ("randint(1, 6)", "randint(1, Player.SIDES)")))
    assert behind(GAME, [SIDES, ROLLED], "better as a class attribute on Player") == made


def test_an_import_goes_into_the_function_that_needs_it():
    stood = ("import random\n", "import math\nimport random\n")
    now = ("    parts = line.split", "    import math\n    parts = line.split")
    assert behind(GAME, [stood], "inside parse, most people never call that") == tree(put(GAME, now))


def test_the_body_of_a_function_that_is_not_wanted_goes_where_it_is_called_from():
    stood = ("    def hit(self", "    def reset(self):\n        self.score = 0\n\n    def hit(self")
    now = ("        self.lives += lives\n", "        self.score = 0\n        self.lives += lives\n")
    assert behind(GAME, [stood], "no reset, do that at the start of heal") == tree(put(GAME, now))


@pytest.mark.parametrize(
    ("stood", "said"),
    [
        (("    return receipt", "    print(receipt)\n    return receipt"), "at the top of checkout"),
        (CHARGED, "after the return"),
        (CHARGED, "before the frobnication"),
        (CHARGED, "after that send a mail"),
        (CHARGED, "in bold"),
    ],
)  # fmt: skip
def test_what_cannot_be_there_stays(stood, said):
    """A name would be used before it is made, nothing comes behind a return, or there is no such place."""
    assert behind(SHOP, [stood], said) in (None, tree(put(SHOP, stood)))
