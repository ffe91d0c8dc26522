# ruff: noqa: E501 - tables read better unbroken
"""What was put somewhere, wanted at another place."""

from __future__ import annotations

import pytest
from steer_texts import COPY, GAME, PIPE, ROWS, SHAPES, SHOP, behind, put, tree

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


SENT = ("    payload = [", '    print("send")\n    payload = [')
GOT = ("            data = get", "            print(url)\n            data = get")


@pytest.mark.parametrize(
    ("stood", "said", "now"),
    [
        (SENT, "after the post", ("json=payload)\n", 'json=payload)\n    print("send")\n')),
        (SENT, "once it's posted", ("json=payload)\n", 'json=payload)\n    print("send")\n')),
        (SENT, "below the payload line", ("for row in rows]\n", 'for row in rows]\n    print("send")\n')),
        (SENT, "one line further down", ("for row in rows]\n", 'for row in rows]\n    print("send")\n')),
        (SENT, "just before returning", ("    return len(payload)", '    print("send")\n    return len(payload)')),
        (SENT, "at the end", ("    return len(payload)", '    print("send")\n    return len(payload)')),
        (SENT, "in main, before send is called", ("    send(rows, None)", '    print("send")\n    send(rows, None)')),
        (SENT, "rather in the caller, right before the call", ("    send(rows, None)", '    print("send")\n    send(rows, None)')),
        (GOT, "before the try", ("        try:", "        print(url)\n        try:")),
        (GOT, "outside the loop, once is enough", ("    for attempt", "    print(url)\n    for attempt")),
        (GOT, "in the error case, not every time", ("            last = error", "            print(url)\n            last = error")),
        (GOT, "in the except block, after last is set", ("            last = error", "            last = error\n            print(url)")),
        (GOT, "when there is no data, before the continue", ("                continue", "                print(url)\n                continue")),
        (GOT, "do it right before the raise", ("    raise last", "    print(url)\n    raise last")),
    ],
)  # fmt: skip
def test_a_statement_lies_where_it_is_said_to(stood, said, now):
    assert behind(ROWS, [stood], said) == tree(put(ROWS, now))


ZIP = "    zip: str\n"
FIELDS = "    name: str\n    city: str\n"
KEYS = ['        "name": row.name,\n', '        "city": row.city,\n', '        "age": row.age,\n']
KEY = '        "zip": row.zip,\n'


@pytest.mark.parametrize(
    ("old", "stood", "said", "now"),
    [
        (FIELDS, f"{FIELDS}{ZIP}", "put it right after name", f"    name: str\n{ZIP}    city: str\n"),
        (FIELDS, f"{FIELDS}{ZIP}", "first field please", f"{ZIP}{FIELDS}"),
        ("RETRIES = 3\n", "RETRIES = 3\nDELAY = 1\n", "next to TIMEOUT please", "DELAY = 1\nRETRIES = 3\n"),
        ("".join(KEYS), "".join([*KEYS, KEY]), "put zip behind city", "".join([*KEYS[:2], KEY, KEYS[2]])),
        ("".join(KEYS), "".join([*KEYS, KEY]), "as the first key", "".join([KEY, *KEYS])),
        ("send(rows, client)", "send(rows, client, path)", "path should come before client", "send(rows, path, client)"),
        ("send(rows, client)", "send(rows, client, path)", "between rows and client", "send(rows, path, client)"),
        ("send(rows, client)", "send(path, rows, client)", "last, not first", "send(rows, client, path)"),
    ],
)  # fmt: skip
def test_one_of_several_is_put_elsewhere_among_them(old, stood, said, now):
    assert behind(ROWS, [(old, stood)], said) == tree(put(ROWS, (old, now)))


CHUNK = "def chunk(rows):\n    return rows\n"


@pytest.mark.parametrize(
    ("said", "now"),
    [
        ("move it to the bottom, under helper", ("    return x\n", f"    return x\n\n\n{CHUNK}")),
        ("above main", ("def main(", f"{CHUNK}\n\ndef main(")),
        ("put the function at the end of the file", ("    helper(1)\n", f"    helper(1)\n\n\n{CHUNK}")),
    ],
)
def test_a_function_lies_where_it_is_said_to(said, now):
    assert behind(ROWS, [("def send(", f"{CHUNK}\n\ndef send(")], said) == tree(put(ROWS, now))


def test_a_method_goes_to_the_class_that_its_own_derives_from():
    method = "    def name(self):\n        return type(self).__name__\n"
    stood = ("        self.radius = radius\n", f"        self.radius = radius\n\n{method}")
    made = tree(put(SHAPES, ("        raise NotImplementedError\n", f"        raise NotImplementedError\n\n{method}")))
    assert behind(SHAPES, [stood], "put it on the base class") == made
    assert behind(SHAPES, [stood], "that belongs into Shape, not into Circle") == made


def test_a_place_in_a_block_that_was_said_before():
    stood = ("            self.done += 1\n", '            logger.debug("done")\n            self.done += 1\n')
    now = (
        "                result = await job()\n",
        '                result = await job()\n                logger.debug("done")\n',
    )
    assert behind(PIPE, [stood], "inside the try, right after the job ran") == tree(put(PIPE, now))


def test_into_another_function():
    stood = ("    start = time.time()\n", '    print("copying")\n    start = time.time()\n')
    assert behind(COPY, [stood], "into copy, first line") == tree(
        put(COPY, ("    count = 0\n", '    print("copying")\n    count = 0\n'))
    )


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
