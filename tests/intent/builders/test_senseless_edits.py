"""Edits that fit the words and that the code makes no sense of are not made."""

import pytest
from intent.asking import edited
from intent.support import PATH, answered, result

PARSE = "def parse(text):\n    result = {}\n    for line in text.split():\n        result[line] = 1\n"
PARSE += "    return result\n"
REMOVE = (
    "def remove(tasks, title):\n    for t in tasks:\n        if t == title:\n            tasks.remove(t)\n"
)
REPORT = (
    "def report(rows):\n    for row in rows:\n        print(row)\n\n\ndef main(rows):\n    report(rows)\n"
)
LOG = """class Log(list):
    _items_field = "items"

    def get(self, index):
        return self[index - 1]
"""


@pytest.mark.parametrize(
    ("code", "intent", "slots", "never"),
    [
        (
            REMOVE,
            "guard_raise",
            {"exception": "KeyError", "condition": "there is no such task", "function": "remove"},
            "if t not in tasks",
        ),
        (
            LOG,
            "guard_raise",
            {"exception": "IndexError", "condition": "there are no items", "function": "get"},
            "not self._items_field",
        ),
        (PARSE, "strip_value", {"variable": "result", "function": "parse"}, "result.strip()"),
        (REPORT, "sort_by", {"variable": "report", "function": "main"}, "sorted(report(rows))"),
    ],
)
def test_it_is_not_offered(code, intent, slots, never):
    found = answered({PATH: code}, (intent, slots))
    assert all(never not in result(found, {PATH: code}, PATH) for _ in found.ways)


def test_of_two_functions_that_may_be_meant_none_is_taken():
    code = "def one(a):\n    return a\n\n\ndef two(b):\n    return b\n"
    assert answered({PATH: code}, ("add_log", {"level": "debug"})).kind != "edit"


CART = """START = 'a'


class Cart:
    def __init__(self, app: App, *_items):
        self.app = app
        clock = Clock()
        self.pair = (START, clock, _items)


class Mail(EmailMessage):
    def body(self, key):
        try:
            return self.known[key]
        except KeyError:
            return None
"""


@pytest.mark.parametrize(
    ("intent", "slots", "doubt"),
    [
        ("add_item", {"value": "'b'", "variable": "START"}, "START is one of the items there"),
        ("strip_value", {"variable": "app", "function": "__init__"}, "App may have no strip"),
        ("convert_value", {"variable": "app", "type": "int", "function": "__init__"}, "App may be no number"),
        ("add_retry", {"exception": "Mail", "function": "body"}, "Mail may be no exception"),
        ("set_except", {"exception": "OSError", "function": "body"}, "KeyError would not be caught any more"),
        (
            "guard_raise",
            {"exception": "KeyError", "condition": "clock is None", "function": "__init__"},
            "clock is never None",
        ),
        (
            "guard_raise",
            {"exception": "KeyError", "condition": "_items is missing", "function": "__init__"},
            "_items is never None",
        ),
    ],
)
def test_what_the_code_makes_little_sense_of_is_marked(intent, slots, doubt):
    found = answered({PATH: CART}, (intent, slots))
    assert any(doubt in mark for mark in found.ways[0].marked)


def test_no_test_is_joined_to_its_opposite() -> None:
    code = """def find(low, high):
    if low is not None and low > high:
        raise ValueError(low)
    return low
"""
    assert edited("unless low is None", "also_require", {"condition": "low is None"}, code) is None
