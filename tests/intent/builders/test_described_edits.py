"""What is changed without being named as it stands: comments, attributes, pauses, calls, types."""

from __future__ import annotations

import pytest
from intent import asking
from intent.support import PATH, answered, result


@pytest.fixture(autouse=True)
def sure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Readings by hand have no words around them, which the fitted certainty goes by."""
    monkeypatch.setattr("spark_tui.intent.answering.answer.certainty", lambda *_: 0.99)


def changed(code: str, intent: str, /, **words: object) -> str:
    return result(answered({PATH: code}, (intent, words)), {PATH: code})


def test_a_comment_goes_by_its_words_in_any_letters() -> None:
    code = "def f(x):\n    # TODO: the harbour fee is not paid yet\n    # keep\n    return x\n"
    assert changed(code, "remove_comments", text="todo on the harbour fee") == code.replace(
        "    # TODO: the harbour fee is not paid yet\n", ""
    )


def test_code_that_is_commented_out_goes_as_a_whole() -> None:
    code = "def f(x):\n    y = x\n    # for tide in y:\n    #     print(tide)\n    return y\n"
    assert (
        changed(code, "remove_comments", text="commented out tide loop")
        == "def f(x):\n    y = x\n    return y\n"
    )


def test_a_full_stop_is_no_text_of_a_comment() -> None:
    code = "def f(x):\n    # first\n    y = x\n    # second\n    return y\n"
    gone = code.replace("    # second\n", "")
    assert asking.changed(code, "drop the comment on line 4.", "remove_comments", text=".") == gone


SHIP = """class Ship:
    def __init__(self, name):
        self.name = name
        self.log = []

    def hail(self):
        return self.name
"""


def test_an_attribute_that_nothing_reads_goes() -> None:
    assert changed(SHIP, "remove_definition", symbol="Ship.log") == SHIP.replace(
        "        self.log = []\n", ""
    )
    assert changed(SHIP, "delete_statement", code="Ship.log") == SHIP.replace("        self.log = []\n", "")


def test_an_attribute_that_is_read_stays() -> None:
    assert not answered({PATH: SHIP}, ("remove_definition", {"symbol": "Ship.name"})).ways


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("    data = json.load(open(path))\n", "    with open(path) as f:\n        data = json.load(f)\n"),
        (
            "    data = []\n    for row in open(path):\n        data.append(row)\n",
            "    data = []\n    with open(path) as f:\n        for row in f:\n            data.append(row)\n",
        ),
    ],
)
def test_a_file_that_is_opened_in_an_expression_gets_a_with(old: str, new: str) -> None:
    code = f"import json\n\n\ndef load(path):\n{old}    return data\n"
    assert changed(code, "pattern.open_with", function="load") == code.replace(old, new)


def test_a_file_that_is_read_later_gets_none() -> None:
    code = "import csv\n\n\ndef rows(path):\n    return csv.reader(open(path))\n"
    assert not answered({PATH: code}, ("pattern.open_with", {"function": "rows"})).ways


def test_two_files_are_opened_by_one_with() -> None:
    code = """def copy(a, b):
    x = open(a)
    y = open(b, "w")
    y.write(x.read())
    x.close()
    y.close()
"""
    want = 'def copy(a, b):\n    with open(a) as x, open(b, "w") as y:\n        y.write(x.read())\n'
    assert changed(code, "pattern.open_with", function="copy") == want


def test_a_new_parameter_is_read_for_the_literal_that_is_its_default() -> None:
    code = "def pick(rows):\n    return rows[:25] + rows[:1]\n"
    want = "def pick(rows, most=25):\n    return rows[:most] + rows[:1]\n"
    assert changed(code, "add_parameter", function="pick", name="most", default="25") == want


def test_a_parameter_of_a_class_is_kept_for_the_methods() -> None:
    code = """PAUSE = 2


class Bot:
    def __init__(self, name):
        self.name = name

    def go(self, wait):
        wait(PAUSE)
"""
    text = changed(code, "add_parameter", function="Bot", name="rest", default="PAUSE")
    assert "def __init__(self, name, rest=PAUSE):" in text
    assert "        self.rest = rest\n" in text and "wait(self.rest)" in text


def test_types_are_read_from_what_is_done() -> None:
    code = """import math


def f(name, angle, any_of):
    return name.upper() + str(math.sin(angle * 2)) + str(any_of)
"""
    assert "def f(name: str, angle: float, any_of) -> str:" in changed(code, "annotate_all", function="f")


def test_a_value_joins_those_in_brackets() -> None:
    code = """class Cup:
    def __repr__(self):
        return f"Cup({self.size})"

    def __init__(self, size, hue):
        self.size = size
        self.hue = hue
"""
    assert 'f"Cup({self.size}, {self.hue})"' in changed(code, "say_value", value="hue", function="__repr__")


def test_a_definition_moves_as_a_whole() -> None:
    code = "def first():\n    return 1\n\n\ndef between():\n    return 2\n\n\ndef last():\n    first()\n"
    text = changed(code, "move_before", code="first", anchor="last")
    assert text.index("def between") < text.index("def first") < text.index("def last")


def test_the_docstring_that_is_quoted_is_meant() -> None:
    code = 'def a():\n    """Say a."""\n\n\ndef b():\n    """Write the letter b."""\n'
    said = '"Write the letter b." is no help, make the docstring say "Print b."'
    text = asking.changed(code, said, "set_docstring", text="Print b.")
    assert text == code.replace("Write the letter b.", "Print b.")


ORDERS = """class Order:
    def __init__(self, customer):
        self.customer = customer


def report(orders):
    for order in orders:
        print(order)
"""


@pytest.mark.parametrize("words", ["orders without a customer", "orders with an empty customer"])
def test_rounds_are_told_by_what_the_class_has_that_they_are_called_after(words: str) -> None:
    done = asking.changed(
        ORDERS, f"skip {words} in report", "skip_in_loop", condition=words, function="report"
    )
    assert "        if not order.customer:\n            continue\n        print" in done


def test_the_name_of_a_function_stands_for_what_it_returns() -> None:
    code = "def total(rows):\n    return sum(rows) - 1\n"
    said = "total should be at least 0"
    done = asking.changed(code, said, "limit_value", variable="total", minimum="0")
    assert done == code.replace("sum(rows) - 1", "max(0, sum(rows) - 1)")


def test_an_argument_of_a_method_of_the_standard_library_is_found() -> None:
    code = "from pathlib import Path\n\n\ndef load(name):\n    return Path(name).read_text()\n"
    said = "load: read the file as utf-8"
    done = asking.changed(code, said, "set_argument", value="utf-8", function="load")
    assert 'read_text(encoding="utf-8")' in done


def test_a_verb_that_a_class_has_as_a_method_leaves_no_mark() -> None:
    code = "class Cart:\n    def add(self, line):\n        return line\n"
    said = 'add a docstring to Cart: "A cart."'
    (way, *_) = asking.answer_to(code, said, "set_docstring", text="A cart.", **{"class": "Cart"}).ways
    assert not any("not used" in mark for mark in way.marked)


def test_an_argument_is_replaced_where_it_is_passed_if_no_call_is_named() -> None:
    code = (
        "class Client:\n    def __init__(self, session, timeout=5):\n"
        "        self.session, self.timeout = session, timeout\n\n"
        "    def get(self, url):\n        return self.session.get(url, timeout=self.timeout)\n\n\n"
        "client = Client(None)\n"
    )
    said = "pass the timeout as (3, self.timeout)"
    done = asking.changed(code, said, "set_argument", argument="timeout", value="(3, self.timeout)")
    assert done == code.replace("timeout=self.timeout)", "timeout=(3, self.timeout))")


def test_a_tuple_keeps_its_brackets_as_an_argument() -> None:
    done = asking.changed(
        'UNITS = (FIRST, "a")\n', "sort UNITS", "apply_function", transform="sort", variable="UNITS"
    )
    assert done == 'UNITS = sorted((FIRST, "a"))\n'


def test_a_dictionary_has_no_largest_value() -> None:
    words = {"variable": "CACHE", "maximum": "100"}
    assert not answered({PATH: "CACHE = {}\n"}, ("limit_value", words)).ways


def test_a_parameter_is_moved_to_the_place_that_is_named() -> None:
    code = "def export(conn, path, to):\n    return conn, path, to\n"
    slots = {"parameter": "conn", "function": "export"}
    second = asking.changed(code, "make conn the second parameter of export", "move_parameter_first", **slots)
    assert "def export(path, conn, to):" in second
    last = asking.changed(code, "make conn the last parameter of export", "move_parameter_last", **slots)
    assert "def export(path, to, conn):" in last


@pytest.mark.parametrize(("value", "marked"), [("1", True), ("a + 1", False)])
def test_a_name_that_is_set_anew_below_what_is_inserted_leaves_a_mark(value: str, marked: bool) -> None:
    code = f"def fibo(n):\n    a = {value}\n    return a\n"
    said = "fibo should start with a = 0"
    (way, *_) = asking.answer_to(code, said, "insert_at_start", code="a = 0", function="fibo").ways
    assert ("a is set again below" in way.marked) is marked


SHELF = """class SoldOut(Exception):
    pass


class Item:
    reorder_at: int = 5

    def __init__(self, stock):
        self.stock = stock


class Shelf:
    def __init__(self, items):
        self.items = items

    def count(self):
        return len(self.items)

    def restock(self, sku, qty):
        self.items[sku].stock += qty

    def value(self):
        total = 0
        for item in self.items.values():
            total += item.stock
        return total

    def listed(self):
        for sku, item in sorted(self.items.items()):
            print(sku, item)


def parsed(text):
    sku, _, qty = text.partition(":")
    return sku, int(qty) if qty else 1
"""


def test_a_name_that_is_short_for_several_things_is_meant_by_them() -> None:
    said = "restock should refuse negative quantities"
    done = asking.changed(SHELF, said, "guard_raise", function="restock", condition="negative quantities")
    assert '        if qty < 0:\n            raise ValueError("qty must not be negative")\n' in done


def test_an_item_is_not_asked_for_being_an_exception() -> None:
    said = "value should skip items that are sold out"
    words = {"function": "value", "condition": "items that are sold out"}
    assert "isinstance" not in str(asking.answer_to(SHELF, said, "skip_in_loop", **words))


def test_the_default_of_an_attribute_is_its_value() -> None:
    said = "the default of reorder_at should be 10"
    done = asking.changed(SHELF, said, "set_default", parameter="reorder_at", default="10")
    assert done == SHELF.replace("reorder_at: int = 5", "reorder_at: int = 10")


def test_another_order_takes_the_place_of_the_plain_one() -> None:
    said = "sort the items in listed by item"
    done = asking.changed(SHELF, said, "sort_loop", key="item", function="listed")
    assert "in sorted(self.items.items(), key=lambda item: item[1]):" in done


def test_a_length_may_be_what_a_method_counts() -> None:
    words = {"class": "Shelf", "method": "__len__", "attribute": "count"}
    done = changed(SHELF, "add_special_method", **words)
    assert "    def __len__(self):\n        return self.count()\n" in done


def test_a_function_that_returns_no_text_strips_what_it_is_given() -> None:
    done = asking.changed(SHELF, "parsed should strip whitespace", "strip_value", function="parsed")
    assert "def parsed(text):\n    text = text.strip()\n" in done
