"""What is done is what was said: besides what is there, in its style, where it was named, and not again."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed


def test_a_result_is_returned_besides_the_one_that_is_there() -> None:
    code = "def total(rows):\n    return sum(rows)\n"
    for text in ("also return `len(rows)` in total", "total should return `len(rows)` as well"):
        made = changed(code, text, "set_return", function="total", result="len(rows)")
        assert made.endswith("return sum(rows), len(rows)\n")
        again = answer_to(made, text, "set_return", function="total", result="len(rows)")
        assert again.kind == "nothing"
    text = "also let total return 5"
    assert changed(code, text, "set_return", function="total", result="5").endswith("return 5\n")


@pytest.mark.parametrize(
    ("other", "wanted", "guessed"),
    [
        (":param b: it", ":param a: the a", False),
        ("Parameters\n    ----------\n    b\n        it", "a\n        the a", False),
        ("", "Args:\n        a: the a", True),
    ],
)
def test_a_parameter_is_described_in_the_style_of_the_file(other: str, wanted: str, guessed: bool) -> None:
    code = f'def go(a):\n    """Go."""\n\n\ndef run(b):\n    """Run.\n\n    {other}\n    """\n'
    text = "describe a in go: 'the a'"
    answer = answer_to(code, text, "document_parameter", parameter="a", function="go", text="the a")
    assert wanted in changed(code, text, "document_parameter", parameter="a", function="go", text="the a")
    assert any("style" in mark for mark in answer.ways[0].marked) is guessed


def test_digits_stay_with_the_letters_around_them_in_a_docstring() -> None:
    code = "def dos2unix_dir(path):\n    pass\n"
    made = changed(code, "document dos2unix_dir", "write_docstring", function="dos2unix_dir")
    assert '"""Dos2unix dir."""' in made


@pytest.mark.parametrize(
    ("text", "turned"), [("rename old to new_name", True), ("call it old, not new_name", False)]
)
def test_a_rename_is_not_turned_around_where_it_was_made(text: str, turned: bool) -> None:
    code = "def new_name():\n    return 1\n"
    answer = answer_to(code, text, "rename", symbol="new_name", new="old")
    assert (answer.kind == "nothing") is turned


def test_what_is_not_at_the_place_that_is_named_is_removed_nowhere_else() -> None:
    code = "def size(x):\n    return max(x, 2)\n\n\ndef total(x):\n    return sum(x, start=2)\n"
    text = "drop start from sum in size"
    answer = answer_to(code, text, "remove_argument", argument="start", call="sum", function="size")
    assert answer.kind != "edit"


def test_a_call_is_the_first_value_of_an_attribute_and_no_type() -> None:
    code = "class Cart:\n    def __init__(self, n):\n        self.n = n\n"
    text = "Cart should have an attribute `seen`, `set()` at first"
    made = changed(code, text, "add_field", name="seen", type="set()", **{"class": "Cart"})
    assert made == code + "        self.seen = set()\n"


def test_the_special_method_is_the_one_that_is_called() -> None:
    code = "class Cart:\n    def __init__(self, logs):\n        self.logs = logs\n"
    text = "let len() of a Cart be the len of its `logs`"
    made = changed(code, text, "add_special_method", attribute="logs", **{"class": "Cart"})
    assert made.endswith("    def __len__(self):\n        return len(self.logs)\n")


def test_an_operator_is_read_from_a_span_with_another_word() -> None:
    code = "def go(x):\n    return x is 1\n"
    text = "swap `is` for == in line 2"
    assert changed(code, text, "replace_operator", operator="is", new="== in").endswith("x == 1\n")


def test_code_goes_to_the_start_of_the_handler_that_is_meant() -> None:
    code = "def go(x):\n    try:\n        run(x)\n    except OSError:\n        return None\n"
    slots = {"function": "go", "code": "fail(x)"}
    made = changed(code, "the except in go should do `fail(x)` first", "insert_at_start", **slots)
    assert made == code.replace("        return", "        fail(x)\n        return")
    other = changed(code, "start go with `fail(x)`, whatever except does", "insert_at_start", **slots)
    assert other == code.replace("    try", "    fail(x)\n    try")


def test_a_number_is_replaced_behind_a_tilde_too() -> None:
    code = "def go(x):\n    a = x & 0x80\n    return a, x & ~0x80\n"
    text = "replace all 0x80 with 0x40"
    assert changed(code, text, "replace_value", old="0x80", new="0x40") == code.replace("0x80", "0x40")


@pytest.mark.parametrize(
    ("text", "name", "new"),
    [
        ("unlink is not public", "unlink", "_unlink"),
        ("unlink should no longer be part of the public API", "unlink", "_unlink"),
        ("unlink soll nicht öffentlich sein", "unlink", "_unlink"),
        ("make _unlink public", "_unlink", "unlink"),
        ("_unlink is public, not private", "_unlink", "unlink"),
    ],
)
def test_what_is_not_public_becomes_private(text: str, name: str, new: str) -> None:
    code = f"class Memory:\n    def {name}(self):\n        return 1\n"
    assert changed(code, text, "make_private", symbol=name) == code.replace(f"def {name}", f"def {new}")


def test_only_the_comprehension_of_the_name_that_is_said_becomes_a_loop() -> None:
    code = "def go(xs):\n    a = [x for x in xs]\n    b = [x for x in xs]\n    return a, b\n"
    made = changed(code, "no comprehension for b, use a loop", "pattern.loop", variable="b")
    assert made == code.replace("b = [x for x in xs]", "b = []\n    for x in xs:\n        b.append(x)")


ORDERS = """OPEN = "open"
DONE = "done"


class Book:
    def since(self, moment):
        return [order for order in self.orders if order.at >= moment]

    def find(self, text):
        text = text.lower()
        return [order for order in self.orders if text in order.name.lower()]

    def report(self):
        lines = ["orders"]
        for order in self.orders:
            lines.append(order.name)
        return "\\n".join(lines)
"""


def test_a_result_is_sorted_where_no_loop_is() -> None:
    said = "sort the result of since by at"
    done = changed(ORDERS, said, "sort_loop", function="since", key="at")
    assert "key=lambda order: order.at,\n" in done


def test_the_lines_that_a_function_shows_are_limited_where_they_are_returned() -> None:
    said = "report should show at most 10 lines"
    done = changed(ORDERS, said, "limit_loop", function="report", count="10", variable="lines")
    assert done == ORDERS.replace("join(lines)", "join(lines[:10])")


def test_case_matters_again() -> None:
    done = changed(ORDERS, "find should be case sensitive", "ignore_case", function="find")
    assert done == ORDERS.replace("        text = text.lower()\n", "").replace(
        "order.name.lower()", "order.name"
    )


def test_a_constant_goes_below_the_others() -> None:
    done = changed(ORDERS, 'add PAID = "paid"', "add_field", name="PAID", default='"paid"')
    assert done == ORDERS.replace('DONE = "done"\n', 'DONE = "done"\nPAID = "paid"\n')


NOTES = """SHIPPED = "shipped"


class Notes:
    def __init__(self):
        self.rows = {}

    def number(self):
        return max(self.rows, default=0) + 1

    def add(self, when):
        self.rows[when] = "shipped on " + when
"""


def test_the_only_result_of_a_function_is_replaced_by_what_is_shown() -> None:
    said = "number: use len(self.rows) + 1 instead"
    done = changed(NOTES, said, "replace_expression", function="number", new="len(self.rows) + 1")
    assert done == NOTES.replace("max(self.rows, default=0) + 1", "len(self.rows) + 1")


def test_a_text_in_quotes_keeps_its_blanks_and_gets_a_name_that_is_free() -> None:
    said = 'replace the magic string "shipped on " with a constant'
    done = changed(NOTES, said, "extract_constant", value='"shipped on "')
    assert 'SHIPPED_ON = "shipped on "\n' in done
    assert "= SHIPPED_ON + when" in done


def test_a_list_that_is_filled_elsewhere_does_not_lack_an_item() -> None:
    said = "rows without stock should not be listed"
    assert answer_to(NOTES, said, "remove_item", variable="rows", value="stock").kind != "nothing"


def test_the_variable_that_a_message_names_is_given_to_the_error() -> None:
    code = "import os\n\n\ndef read(path):\n    return open(path).read()\n"
    said = "raise FileNotFoundError in read with the path if there is no such file"
    words = {"function": "read", "condition": "there is no such file", "exception": "FileNotFoundError"}
    done = changed(code, said, "guard_raise", message="the path", **words)
    assert "        raise FileNotFoundError(path)\n" in done


FEED = """class FeedError(Exception):
    pass


class Feed:
    def __init__(self):
        self.cache = {}

    def get(self, path, tries=3):
        for _ in range(tries):
            if path in self.cache:
                return self.cache[path]
        return None
"""


def test_what_is_raised_is_not_returned() -> None:
    said = "raise FeedError at the end of get instead of returning None"
    found = answer_to(FEED, said, "set_return", function="get", result="FeedError")
    assert "return FeedError" not in str(found)


def test_what_holds_items_does_not_become_a_number() -> None:
    said = "the cache grows forever, limit it to 100 entries"
    assert not answer_to(FEED, said, "set_value", variable="cache", value="100").ways


STEP = """import re


def step(command):
    match = re.match("(north|south)", command)
    if match:
        direction = match.group(1)
        print(direction)
    else:
        print("unknown command")
"""


@pytest.mark.parametrize("said", ["an unknown command", "unknown commands"])
def test_an_error_goes_where_its_condition_is_told(said: str) -> None:
    words = {"function": "step", "condition": said, "exception": "ValueError"}
    done = changed(STEP, f"step should raise ValueError for {said}", "guard_raise", **words)
    assert done == STEP.replace('print("unknown command")', 'raise ValueError("unknown command")')


def test_a_part_of_all_things_is_that_of_each() -> None:
    code = "class Shop:\n    def items(self):\n        return sorted(self.rows)\n\n\n"
    code += "class Item:\n    def __init__(self, name):\n        self.name = name\n"
    said = "add to Shop a method names that returns the names of all items"
    words = {"name": "names", "result": "the names of all items", "class": "Shop"}
    done = changed(code, said, "add_method", **words)
    assert "        return [item.name for item in self.items()]\n" in done


@pytest.mark.parametrize(
    ("text", "old", "sign"),
    [("is not !=", "!=", "is not"), ("is not ==", "==", "is"), ("is, not !=", "!=", "is")],
)
def test_not_belongs_to_the_operator_that_denies_as_the_old_one_did(text: str, old: str, sign: str) -> None:
    code = f"def f(x):\n    return x {old} MISSING\n\n\nMISSING = object()\n"
    made = changed(code, f"compare with {text}", "replace_operator", new="is", operator=old)
    assert made == code.replace(old, sign)
