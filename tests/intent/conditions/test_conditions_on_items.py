"""Tests of what a collection holds: objects are told apart by an attribute, a class holds nothing."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed, edited

CODE = """class Cart:
    def __init__(self, lines):
        self.lines = lines

    def remove(self, sku):
        self.lines = [line for line in self.lines if line.sku != sku]

    def serve(self, data, carts):
        if data["path"] == "/":
            self.lines.append(carts[data["customer"]])
"""


def test_a_name_is_not_in_a_collection_of_objects_but_one_of_them_has_it() -> None:
    text = "raise KeyError in remove if sku is not in lines"
    words = {"function": "remove", "condition": "sku is not in lines", "exception": "KeyError"}
    new = "        if not any(line.sku == sku for line in self.lines):\n            raise KeyError(sku)\n"
    head = "    def remove(self, sku):\n"
    assert changed(CODE, text, "guard_raise", **words) == CODE.replace(head, head + new)


def test_nothing_is_in_a_class() -> None:
    text = "raise KeyError in remove if the sku isn't in the cart"
    words = {"function": "remove", "condition": "the sku isn't in the cart", "exception": "KeyError"}
    found = answer_to(CODE, text, "guard_raise", **words)
    assert not any("in Cart" in str(call.condition) for way in found.ways for call in way.calls[:1])


def test_a_word_for_an_item_that_the_test_does_not_say_is_marked() -> None:
    text = "raise KeyError in remove if there is no line with that sku"
    words = {"function": "remove", "condition": "there is no line with that sku", "exception": "KeyError"}
    found = answer_to(CODE, text, "guard_raise", **words)
    marks = [mark for way in found.ways for mark in way.marked]
    assert "not sku does not say line" in marks


def test_a_message_names_an_entry_by_its_key() -> None:
    text = "raise KeyError in serve if the customer is not in carts"
    words = {"function": "serve", "condition": "the customer is not in carts", "exception": "KeyError"}
    written = changed(CODE, text, "guard_raise", **words)
    new = (
        '            if data["customer"] not in carts:\n                raise KeyError("unknown customer")\n'
    )
    line = '            self.lines.append(carts[data["customer"]])\n'
    assert written == CODE.replace(line, new + line)  # other paths need no customer


def test_nothing_is_in_an_object_that_holds_nothing() -> None:
    code = "class Box:\n    size = 1\n\n\ndef pack(box: Box, item):\n    box.size += 1\n    return item\n"
    words = {"function": "pack", "condition": "item is not in box", "exception": "KeyError"}
    found = answer_to(code, "raise KeyError in pack if item is not in box", "guard_raise", **words)
    assert not any("in box" in str(call.condition) for way in found.ways for call in way.calls[:1])


def test_what_counts_the_rounds_of_a_loop_is_no_text() -> None:
    code = "def clean(rows):\n    for i in range(len(rows)):\n        print(rows[i])\n"
    words = {"function": "clean", "condition": "rows are empty"}
    found = answer_to(code, "skip in clean where rows are empty", "skip_in_loop", **words)
    assert not any("i.strip" in str(way.calls) for way in found.ways)


def test_an_object_is_no_text_that_may_be_blank() -> None:
    code = "def dump(orders):\n    for order in orders:\n        print(order.id)\n"
    words = {"function": "dump", "condition": "empty orders"}
    found = answer_to(code, "skip empty orders in dump", "skip_in_loop", **words)
    assert not any("strip" in str(way.calls) for way in found.ways)


def test_a_round_is_not_asked_for_what_is_only_set_in_it() -> None:
    code = """def read(paths):
    for path in paths:
        with open(path) as lines:
            for line in lines:
                print(line)
"""
    words = {"function": "read", "condition": "empty lines"}
    guard = "                if not line.strip():\n                    continue\n"
    wanted = code.replace("in lines:\n", f"in lines:\n{guard}")
    assert changed(code, "skip empty lines in read", "skip_in_loop", **words) == wanted


def test_an_object_of_a_comprehension_is_not_asked_if_it_is_true() -> None:
    code = "def failing(jobs):\n    return [job for job in jobs if job.error]\n"
    words = {"function": "failing", "condition": "disabled jobs"}
    found = answer_to(code, "skip disabled jobs in failing", "skip_in_loop", **words)
    assert not any("and job" in str(way.calls) for way in found.ways)


@pytest.mark.parametrize(
    ("words", "test"),
    [
        ("attributes that start with an underscore", 'k.startswith("_")'),
        ("names ending with '_id'", "k.endswith('_id')"),
        ("values that are None", "v is None"),
    ],
)
def test_of_keys_with_their_values_the_one_is_tested_that_is_said(words: str, test: str) -> None:
    code = """def dump(node):
    for k, v in vars(node).items():
        print(k, v)
"""
    guard = f"        if {test}:\n            continue\n        print"
    text = f"skip {words} in dump"
    new = edited(text, "skip_in_loop", {"function": "dump", "condition": words}, code)
    assert new == code.replace("        print", guard)


def test_items_of_which_a_loop_asks_the_kind_are_not_taken_for_texts() -> None:
    code = """def join(*urls):
    for url in urls:
        if not isinstance(url, str):
            url = str(url)
        load(url)
"""
    guard = "        if not url:\n            continue\n        if not isinstance"
    words = {"function": "join", "condition": "empty urls"}
    new = edited("skip empty urls in join", "skip_in_loop", words, code)
    assert new == code.replace("        if not isinstance", guard)


@pytest.mark.parametrize(
    ("said", "marked"), [("empty lines", True), ("empty items", False), ("empty args", False)]
)
def test_items_that_the_code_calls_otherwise_are_marked_in_no_named_function(said: str, marked: bool) -> None:
    code = "def check(*args):\n    for arg in args:\n        use(arg)\n"
    (way, *_) = answer_to(code, f"skip {said}", "skip_in_loop", condition=said).ways
    assert any("was taken for" in mark for mark in way.marked) is marked


def test_none_stays_none_of_a_value_that_becomes_a_text_later_in_the_round() -> None:
    code = (
        "def show(given):\n    for name, value in sorted(given.items()):\n"
        '        value = quoted(value).replace("a", "b")\n        print(name, value)\n'
    )
    done = changed(
        code,
        "show: skip those whose value is None",
        "skip_in_loop",
        function="show",
        condition="value is None",
    )
    assert "        if value is None:\n            continue\n" in done
