"""An order that is carried out already is answered so, and nothing near it is done in its place."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, edited
from intent.support import PATH, situation

from spark_tui.intent.answering.answer import answer_orders
from spark_tui.intent.words.readings import Order, Reading, Span

BED = """\
BACKOFF = 2


class Bed:
    def to_dict(self):
        return {"number": self.number, "clean": self.clean}

    def as_row(self):
        return [self.number, self.unit]

    def full(self, held):
        return len(held) >= 6

    def read(self, data):
        return data.decode("utf-8", errors="replace")

    def delay(self, tries):
        return BACKOFF ** tries


def timed(fn):
    @functools.wraps(fn)
    def inner(*args):
        return fn(*args)

    return inner


def other(n):
    return n
"""


@pytest.mark.parametrize(
    ("text", "intent", "slots", "idle"),
    [
        (
            "to_dict forgets clean, put it in too",
            "set_entry",
            {"function": "to_dict", "key": "clean"},
            "it has the key clean already",
        ),
        (
            "as_row lacks the unit, add it at the end",
            "add_item",
            {"function": "as_row", "value": "unit"},
            "self.unit is in it already",
        ),
        (
            "full lets a seventh in, 6 is full already",
            "include_boundary",
            {"function": "full", "value": "6"},
            "every comparison there includes its boundary already",
        ),
        (
            "UnicodeDecodeError: can't decode byte 0xe4, decode with errors='replace'",
            "set_argument",
            {"call": "decode", "argument": "errors", "value": "replace"},
            "it is already passed",
        ),
        (
            "the n parameter of read is really the data, rename it to data",
            "rename",
            {"symbol": "n", "function": "read", "new": "data"},
            "read has data, and no n",
        ),
        (
            "decorated functions lose their name, put functools.wraps(fn) on inner in timed",
            "add_decorator",
            {"decorator": "functools.wraps(fn)", "function": "timed"},
            "the decorator is there already",
        ),
        (
            "delay should be BACKOFF to the power of tries",
            "set_return",
            {"function": "delay", "result": "BACKOFF to the power of tries"},
            "BACKOFF ** tries is already there",
        ),
    ],
)
def test_it_is_not_done_a_second_time(text: str, intent: str, slots: dict[str, str], idle: str) -> None:
    found = answer_to(BED, text, intent, **slots)
    assert (found.kind, found.idle) == ("nothing", idle)


def test_what_is_not_there_yet_is_still_done() -> None:
    code = BED.replace(', "clean": self.clean', "").replace("data)", "data, clean)")
    code = code.replace(">= 6", "> 6").replace(', errors="replace"', "")
    full = edited(
        "full lets a seventh in, 6 is full", "include_boundary", {"function": "full", "value": "6"}, code
    )
    assert full == code.replace("> 6", ">= 6")
    text = "can't decode byte 0xe4, decode with errors='replace'"
    slots = {"call": "decode", "argument": "errors", "value": "replace"}
    assert edited(text, "set_argument", slots, code) == code.replace('"utf-8"', '"utf-8", errors="replace"')


@pytest.mark.parametrize(
    ("said", "there", "after"),
    [
        ("use >= here, not >", ">", ">="),
        ("> must be >= here", ">", ">="),
        ("> must be >= here", ">=", ""),
    ],
)
def test_of_two_signs_the_one_that_includes_the_boundary_is_the_new_one(
    said: str, there: str, after: str
) -> None:
    code = f"def late(day, limit):\n    return day {there} limit\n"
    text = f"late: {said}, limit counts"
    found = edited(text, "include_boundary", {"function": "late", "variable": "limit"}, code)
    assert found == (code.replace(there, after) if after else None)


def test_an_intent_without_counted_words_claims_what_its_reading_says() -> None:
    text = "show the rows in the order of their age, please"
    code = "def show(rows):\n    for row in sorted(rows, key=lambda row: row.age):\n        print(row)\n"

    def span(words: str) -> tuple[Span, ...]:
        return (Span(text.index(words), text.index(words) + len(words), words),)

    sorts = Reading("sort_by", 0.9, {"key": span("age"), "function": span("show")})
    loop = Reading("sort_loop", 0.03, {"function": span("show"), "variable": span("rows")})
    found = answer_orders([Order(0, len(text), (sorts, loop))], situation({PATH: code}, instruction=text))
    assert found.kind == "nothing"


def test_what_is_gone_already_is_not_put_back() -> None:
    text = "and the os import as well"

    def span(words: str) -> tuple[Span, ...]:
        return (Span(text.index(words), text.index(words) + len(words), words),)

    gone = Reading("remove_import", 0.9, {"module": span("os")})
    order = Order(0, len(text), (gone, Reading("add_import", 0.06, {"module": span("os")})))
    found = answer_orders([order], situation({PATH: "import sys\n\nprint(sys.argv)\n"}, instruction=text))
    assert (found.kind, found.idle) == ("nothing", "os is not imported there")


def test_a_not_of_the_value_denies_nothing() -> None:
    text = "hand dry=not apply to rename"
    slots = {"call": "rename", "argument": "dry", "value": "not apply"}
    found = answer_to("rename(name, dry=not apply)\n", text, "set_argument", **slots)
    assert (found.kind, found.idle) == ("nothing", "it is already passed")


def test_what_is_perhaps_done_is_not_called_impossible() -> None:
    text = "to_dict forgets clean, put it in too"
    slots = {"function": (Span(0, 7, "to_dict"),), "key": (Span(16, 21, "clean"),)}
    readings = (Reading("set_entry", 0.2, slots), Reading("write", 0.19, {}), Reading("chat", 0.15, {}))
    found = answer_orders([Order(0, len(text), readings)], situation({PATH: BED}, instruction=text))
    sentence = "It seems to be done already: it has the key clean already."
    assert (found.kind, found.reason) == ("write", sentence)


def test_what_is_to_go_does_not_come_back_where_it_is_gone() -> None:
    text = "remove Optional from the typing import"
    slots = {"module": (Span(25, 31, "typing"),), "name": (Span(7, 15, "Optional"),)}
    readings = (Reading("remove_import", 0.6, slots), Reading("add_import", 0.1, slots))
    code = "from typing import Any\n\nvalues: Any = 1\n"
    found = answer_orders([Order(0, len(text), readings)], situation({PATH: code}, instruction=text))
    assert not found.ways
    near = (readings[0], Reading("add_import", 0.4, slots))
    assert answer_orders([Order(0, len(text), near)], situation({PATH: code}, instruction=text)).ways


def test_what_is_there_as_it_is_to_be_is_not_removed() -> None:
    text = "def reload, just calls load"
    code = (
        "class Store:\n    def load(self):\n        return 1\n\n    def reload(self):\n        self.load()\n"
    )
    named = (Span(4, 10, "reload"),)
    body = Reading("replace_body", 0.36, {"function": named, "code": (Span(17, 27, "calls load"),)})
    order = Order(0, len(text), (body, Reading("remove_definition", 0.11, {"symbol": named})))
    found = answer_orders([order], situation({PATH: code}, instruction=text))
    assert (found.kind, found.reason) == ("write", "It seems to be done already: it is already there.")


def test_a_method_in_the_chain_of_a_value_is_not_called_a_second_time() -> None:
    code = 'def make(data):\n    email = data["email"].strip().lower()\n    return email\n'
    found = answer_to(code, "strip the email in make", "strip_value", variable="email", function="make")
    assert (found.kind, found.idle) == ("nothing", "its value is already like that")
    bare = code.replace(".strip()", "")
    made = edited("strip the email in make", "strip_value", {"variable": "email", "function": "make"}, bare)
    assert made == bare.replace(".lower()", ".lower().strip()")


def test_what_is_said_to_stay_is_not_deleted() -> None:
    text = 'and "pong" stays'
    code = 'def test_ping(out):\n    assert out == "pong"\n    return out\n'
    gone = Reading("delete_statement", 0.5, {"code": (Span(5, 9, "pong", True),)})
    found = answer_orders([Order(0, len(text), (gone,))], situation({PATH: code}, instruction=text))
    assert not found.ways
    found = answer_to(code, 'and "pong" goes', "delete_statement", code="pong")
    assert found.ways
