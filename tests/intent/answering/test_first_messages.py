"""Instructions for small programs: what words beside the slots, and the code, say of what is meant."""

from __future__ import annotations

import pytest
from intent.asking import edited

from spark_tui.intent.reading.order_parts import going_on
from spark_tui.intent.words.tokens import tokenize

BANK = """\
class NoMoney(Exception):
    pass


def find(rows, number):
    for row in rows:
        if row.number == number:
            return row
    print("no account", number)
    return None


def pay(account, amount):
    print("debug", account)
    if amount > account.balance:
        print("too much")
        return False
    if account.owner == "":
        print("nobody owns it")
    account.balance -= amount
    print("paid")
    return True
"""

CASES = [
    ("drop the debug print", "delete_calls", {"call": "print"}, '    print("debug", account)\n', ""),
    (
        "drop the last print in pay",
        "delete_calls",
        {"call": "print", "function": "pay"},
        '    print("paid")\n',
        "",
    ),
    (
        "rename pay to charge the owner",
        "rename",
        {"symbol": "pay", "new": "charge + owner"},
        "def pay",
        "def charge_the_owner",
    ),
    (
        "rename amount to sum charged in pay",
        "rename",
        {"symbol": "amount", "new": "sum", "function": "pay"},
        "amount",
        "sum_charged",
    ),
    (
        "raise NoMoney instead of printing and returning False",
        "raise_for_print",
        {"exception": "NoMoney"},
        'print("too much")\n        return False',
        'raise NoMoney("too much")',
    ),
    (
        "pay should raise NoMoney if amount > account.balance",
        "guard_raise",
        {"function": "pay", "exception": "NoMoney", "condition": "amount > account.balance"},
        'print("too much")\n        return False',
        'raise NoMoney("too much")',
    ),
    (
        "pay should raise NoMoney when account.owner is empty",
        "guard_raise",
        {"function": "pay", "exception": "NoMoney", "condition": "account.owner is empty"},
        'print("nobody owns it")',
        'raise NoMoney("nobody owns it")',
    ),
    (
        "pay should return None when account.owner is empty",
        "guard_return",
        {"function": "pay", "result": "None", "condition": "account.owner is empty"},
        '"nobody owns it")',
        '"nobody owns it")\n        return None',
    ),
]


@pytest.mark.parametrize(("said", "intent", "slots", "old", "new"), CASES, ids=lambda item: str(item)[:40])
def test_it_is_done_where_and_how_the_code_says(
    said: str, intent: str, slots: dict[str, str], old: str, new: str
) -> None:
    assert edited(said, intent, slots, BANK) == BANK.replace(old, new)


@pytest.mark.parametrize(
    ("said", "rest"),
    [
        ("raise KeyError instead of printing and returning None in find", "and returning"),
        ("lève KeyError au lieu d'afficher et de renvoyer None", "et de renvoyer"),
        ("log it instead of printing and rename find to search", ""),
    ],
)
def test_what_is_no_longer_done_begins_no_order(said: str, rest: str) -> None:
    tokens = tokenize(said)
    assert " ".join(tokens.items[at].text for at in going_on(tokens)) == rest


RETRY = """\
def is_retried(answer, method):
    if answer.status == 500:
        return True
    if method in {"GET", "HEAD"}:
        return answer.failed
    return answer.status == 42


def goes_on(said):
    return said == "y"
"""


@pytest.mark.parametrize(
    ("said", "intent", "slots", "old", "new"),
    [
        (
            "Also return None for 503",
            "guard_return",
            {},
            "answer.status == 500",
            "answer.status in (500, 503)",
        ),
        ("also for 502 and 503", "write", {}, "answer.status == 500", "answer.status in (500, 502, 503)"),
        ("PUT counts too", "also_allow", {"condition": "PUT counts"}, '"HEAD"}', '"HEAD", "PUT"}'),
        ("it goes on for a capital Y as well", "add_item", {"value": "Y"}, '== "y"', 'in ("y", "Y")'),
        ("is_retried should also add 5", "add_item", {"value": "5"}, "", ""),
    ],
)
def test_a_value_that_counts_too_is_asked_for_like_the_others(
    said: str, intent: str, slots: dict[str, str], old: str, new: str
) -> None:
    assert edited(said, intent, slots, RETRY) == (RETRY.replace(old, new) if old else None)


STOCK = """\
import sys

CONFIG = load("stock.json")


class Stock:
    def remove(self, number):
        del self.items[number]


def names(rows):
    return [row["name"] for row in rows]


def show(rows):
    for row in rows:
        print(row["name"])


def address():
    if CONFIG["port"] < 1 or CONFIG["host"] == "":
        return ""
    return "http://" + CONFIG["host"] + ":" + CONFIG["port"]


def main():
    path = sys.argv[1]
    print(path)


def longest(words):
    best = None
    for word in words:
        if len(word) > len(best):
            best = word
    return best
"""
MISSING = "TypeError: 'NoneType' object is not subscriptable"
USAGE = 'if len(sys.argv) < 2:\n        sys.exit("usage: shop.py PATH")\n    '


@pytest.mark.parametrize(
    ("said", "function", "old", "new"),
    [
        ("KeyError: 'A-7' in remove", "remove", "del self.items[number]", "self.items.pop(number, None)"),
        (f"names: {MISSING}", "names", "in rows]", "in rows if row is not None]"),
        (f"show: {MISSING}", "show", "print(row", "if row is None:\n            continue\n        print(row"),
        (
            "TypeError: object of type 'NoneType' has no len() in longest",
            "longest",
            "len(word) >",
            "best is None or len(word) >",
        ),
        ("IndexError: list index out of range in main", "main", "path = sys", f"{USAGE}path = sys"),
        (
            'TypeError: can only concatenate str (not "int") to str in address',
            "address",
            '":" + CONFIG["port"]',
            '":" + str(CONFIG["port"])',
        ),
    ],
)
def test_a_pasted_error_is_fixed_where_it_was_raised(said: str, function: str, old: str, new: str) -> None:
    fixed = edited(said, "fix_error", {"function": function}, STOCK)
    assert fixed == STOCK.replace(old, new)
    assert edited(said, "fix_error", {"function": function}, STOCK, probability=0.1) == fixed


SALE = """\
def sell(item, count, begun, now):
    print("sold", count, "of", item.name)
    print("took %s seconds" % (now - begun))
    return "rate: " + str(count / item.stock)
"""


@pytest.mark.parametrize(
    ("old", "new", "code", "made"),
    [
        ("sold 3 of Pen", "Pen: 3 sold", '"sold", count, "of", item.name', 'f"{item.name}: {count} sold"'),
        (
            "took 3.2718 seconds",
            "done in 3.27 s",
            '"took %s seconds" % (now - begun)',
            'f"done in {now - begun:.2f} s"',
        ),
        (
            "rate: 0.38",
            "rate: 0.4",
            '"rate: " + str(count / item.stock)',
            'f"rate: {count / item.stock:.1f}"',
        ),
        ("sold 3 of Pen", "sold three pens", "", ""),
    ],
)
def test_a_text_is_told_as_it_comes_out(old: str, new: str, code: str, made: str) -> None:
    said = f'it says "{old}" and should say "{new}"'
    found = edited(said, "replace_message", {"old": old, "message": new}, SALE)
    assert found == (SALE.replace(code, made) if code else None)


LABEL = """\
class Label:
    def __init__(self, name, width):
        self.name = name
        self.width = width
        self.owner = None

    def shown(self):
        text = f"{self.name}!"
        return text * self.width


def opened(labels):
    out = []
    for label in labels:
        if label.width == 3:
            out.append(label)
    return out
"""


@pytest.mark.parametrize(
    ("said", "intent", "slots", "old", "new"),
    [
        (
            "limit name to 9 characters",
            "set_value",
            {"variable": "limit name", "value": "9"},
            "= name",
            "= name[:9]",
        ),
        (
            "cut the name to 9 chars",
            "round_value",
            {"variable": "name", "count": "9"},
            "= name",
            "= name[:9]",
        ),
        ("text: 9 letters at most", "set_default", {"parameter": "text", "default": "9"}, '!"', '!"[:9]'),
        (
            "shown: at most 9 letters",
            "limit_loop",
            {"function": "shown", "count": "9"},
            "text * self.width",
            "(text * self.width)[:9]",
        ),
    ],
)
def test_a_number_of_characters_cuts_a_text(
    said: str, intent: str, slots: dict[str, str], old: str, new: str
) -> None:
    assert edited(said, intent, slots, LABEL) == LABEL.replace(old, new)


def test_what_is_said_to_be_none_is_compared_with_none() -> None:
    said = "opened should skip labels whose owner is None"
    slots = {"function": "opened", "condition": "owner is None"}
    guard = "        if label.owner is None:\n            continue\n"
    first = "        if label.width"
    assert edited(said, "skip_in_loop", slots, LABEL) == LABEL.replace(first, guard + first)


def test_what_stands_behind_instead_is_the_form_that_is_there() -> None:
    said = "use + instead of the f-string"
    joined = LABEL.replace('f"{self.name}!"', 'str(self.name) + "!"')
    assert edited(said, "to_f_string", {}, LABEL) == joined
    assert edited("an f-string instead of the sum", "from_f_string", {}, joined) is None


def test_words_of_a_text_are_the_place_where_a_function_of_that_name_has_nothing_to_do() -> None:
    code = 'def hit_rate(hits):\n    return len(hits)\n\n\nprint("hit rate: " + str(hit_rate([])))\n'
    found = edited("make the hit rate print an f-string", "to_f_string", {"function": "hit rate"}, code)
    assert found == code.replace('"hit rate: " + str(hit_rate([]))', 'f"hit rate: {hit_rate([])}"')


def test_a_function_never_gives_a_negative_number() -> None:
    found = edited(
        "price is never negative", "limit_value", {"variable": "price", "minimum": "never negative"}, ORDERED
    )
    assert found == ORDERED.replace("a - b", "max(0, a - b)")


def test_what_comes_first_though_it_should_not_is_sorted_the_other_way() -> None:
    found = edited("best gives the worst ones first", "sort_by", {"function": "best"}, ORDERED)
    assert found == ORDERED.replace("key=len", "key=len, reverse=True")


ORDERED = """\
def price(a, b):
    if a is None:
        return 0
    return a - b


def best(rows):
    return sorted(rows, key=len)


print(price(1, 2))
"""


@pytest.mark.parametrize(
    ("condition", "test"),
    [("rows that are None", "row is not None"), ("empty rows", "row"), ("the None", "row is not None")],
)
def test_a_comprehension_leaves_out_what_is_skipped(condition: str, test: str) -> None:
    slots = {"function": "names", "condition": condition}
    found = edited(f"skip {condition} in names", "skip_in_loop", slots, STOCK)
    assert found == STOCK.replace("for row in rows]", f"for row in rows if {test}]")


def test_a_further_value_at_a_place_that_is_not_known_is_no_crash() -> None:
    assert edited("also for 503 in Foo", "guard_return", {"class": "Foo", "condition": "503"}, RETRY) is None


def test_several_prints_are_not_told_apart_by_a_word_for_all_of_them() -> None:
    found = edited(
        "remove the debug prints in pay", "delete_calls", {"call": "print", "function": "pay"}, BANK
    )
    assert found is not None and "print(" not in found.partition("def pay")[2]
