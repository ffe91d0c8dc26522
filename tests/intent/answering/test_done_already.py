"""An order that is carried out already is answered so, and nothing near it is done in its place."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, edited
from intent.support import PATH, result, situation

from spark_tui.intent.answering.answer import answer, answer_orders
from spark_tui.intent.reading.reader import Reader
from spark_tui.intent.reading.symbol_roles import repository_roles
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
        (
            "full should compare with 6 instead of 2",
            "replace_value",
            {"function": "full", "new": "6", "old": "2"},
            "6 is there already, and no 2",
        ),
    ],
)
def test_it_is_not_done_a_second_time(text: str, intent: str, slots: dict[str, str], idle: str) -> None:
    found = answer_to(BED, text, intent, **slots)
    assert (found.kind, found.idle) == ("nothing", idle)


def test_what_is_left_in_front_of_a_name_is_not_done() -> None:
    code = "def total(rows):\n    print(len(rows))\n    count = len(rows)\n    return count\n"
    text = "replace len(rows) by count in total"
    slots = {"old": "len(rows)", "new": "count", "function": "total"}
    assert answer_to(code, text, "replace_expression", **slots).kind != "nothing"


SAID = {"call": "get", "argument": "depth", "value": "6"}


def span_of(text: str, words: str) -> Span:
    return Span(text.index(words), text.index(words) + len(words), words)


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


NEARLY = """\
import argparse
import re


class Base:
    def send(self, message, retries=3):
        raise NotImplementedError


class Sms(Base):
    def send(self, message):
        return message


def read(path):
    with open(path, encoding="utf-8") as handle:
        return handle.read()


def lines(path):
    with open(path) as handle:
        return list(handle)


def settings(env):
    conf = {"env": env, "debug": True}
    other = {"env": env}
    return conf, other


def parser():
    main = argparse.ArgumentParser()
    commands = main.add_subparsers()
    add = commands.add_parser("add")
    rem = commands.add_parser("rem")
    rem.add_argument("--force", action="store_true")
    return main
"""


@pytest.mark.parametrize(
    ("text", "intent", "slots", "new"),
    [
        (
            "pass encoding='utf-8' to open",
            "set_argument",
            {"call": "open", "argument": "encoding", "value": "utf-8"},
            'def lines(path):\n    with open(path, encoding="utf-8") as handle:',
        ),
        (
            "remove the imports of re, json",
            "remove_import",
            {"module": "re + json"},
            "import argparse\n\n\nclass Base:",
        ),
        (
            "add a parameter retries=3 to Sms.send",
            "add_parameter",
            {"function": "Sms.send", "name": "retries", "default": "3"},
            "class Sms(Base):\n    def send(self, message, retries=3):",
        ),
        (
            "add --force to the add parser",
            "add_option",
            {"name": "--force"},
            '    add.add_argument("--force", action="store_true")\n',
        ),
    ],
)
def test_what_is_so_only_near_it_is_not_done(text: str, intent: str, slots: dict[str, str], new: str) -> None:
    found = edited(text, intent, slots, NEARLY)
    assert found is not None
    assert new in found
    assert new not in NEARLY


def test_a_key_is_there_only_where_each_dictionary_has_it() -> None:
    found = answer_to(NEARLY, "settings lacks debug", "set_entry", function="settings", key="debug")
    assert found.kind != "nothing"


def test_of_several_keys_those_that_are_missing_are_put_in() -> None:
    code = """\
class Item:
    def __init__(self, name, price, stock):
        self.name = name
        self.price = price
        self.stock = stock

    def to_dict(self):
        return {"name": self.name, "price": self.price}
"""
    slots = {"function": "to_dict", "key": "price + stock"}
    found = edited("to_dict forgets price and stock", "set_entry", slots, code)
    assert found == code.replace('"price": self.price', '"price": self.price, "stock": self.stock')


def test_the_section_of_a_docstring_is_no_comment_that_is_missing() -> None:
    code = 'def ping(host):\n    """Ping.\n\n    Raises:\n        ValueError: if it is empty\n    """\n'
    slots = {"function": "ping", "text": "Raises section"}
    assert answer_to(code, "drop the Raises section from ping", "remove_comments", **slots).kind != "nothing"


@pytest.mark.parametrize("every", [True, False])
def test_every_call_is_given_what_one_has_with_another_value(every: bool) -> None:
    text, code = "pass depth=6 to get", "get(a, depth=5)\nget(b)\n"
    slots = {slot: (span_of(text, words),) for slot, words in SAID.items()}
    reading = Reading("set_argument", 0.95, slots, everywhere=every)
    found = answer_orders([Order(0, len(text), (reading,))], situation({PATH: code}, instruction=text))
    assert result(found, {PATH: code}) == code.replace("5", "6").replace(
        "b)", "b, depth=6)" if every else "b)"
    )


@pytest.mark.parametrize(
    ("lines", "after"),
    [
        ("Args:\n        host: the host", "Args:\n        host: the host\n        port: The port."),
        (":param str host: the host", ":param str host: the host\n    :param port: The port."),
        (":param str host: the host\n    :param port: it", None),
        ("Args:\n        host: the host\n        port (int): it", None),
    ],
)
def test_parameters_without_a_description_get_one(lines: str, after: str | None) -> None:
    code = f'def ping(host, port):\n    """Ping the port.\n\n    {lines}\n    """\n'
    text = "document the parameters of ping"
    found = answer_to(code, text, "document_parameters", function="ping")
    if after is None:
        assert (found.kind, found.idle) == ("nothing", "its docstring already has sections")
    else:
        assert result(found, {PATH: code}) == code.replace(lines, after)


DECORATED = '''\
"""Nodes."""


@dataclass(frozen=True)
class Edge:
    left: str


@dataclass
class Node:
    name: str

    def label(self):
        return self.name


def save(node, out):
    json.dump(node, out, indent=2)
'''


def test_an_argument_for_what_is_defined_is_not_that_of_another_call() -> None:
    slots = {"call": "Node", "argument": "frozen", "value": "True"}
    made = edited("add frozen=True to Node", "set_argument", slots, DECORATED)
    assert made == DECORATED.replace("@dataclass\n", "@dataclass(frozen=True)\n")
    slots = {"call": "label", "argument": "indent", "value": "2"}
    assert answer_to(DECORATED, "pass indent=2 to label", "set_argument", **slots).kind != "nothing"
    slots = {"call": "save", "argument": "indent", "value": "4"}
    made = edited("pass indent=4 to save", "set_argument", slots, DECORATED)
    assert made == DECORATED.replace("indent=2", "indent=4")


def test_of_docstrings_to_remove_those_that_are_there_are_meant() -> None:
    made = edited("remove the docstring", "remove_docstring", {}, DECORATED)
    assert made == DECORATED.replace('"""Nodes."""\n\n\n', "")


def test_a_text_in_quotes_is_no_item_with_that_name() -> None:
    found = answer_to(BED, 'add "unit" at the end of as_row', "add_item", value="unit", function="as_row")
    assert result(found, {PATH: BED}) == BED.replace("self.unit]", 'self.unit, "unit"]')


def test_a_part_that_lacks_the_verb_is_not_turned_around() -> None:
    code, text = 'STATES = {"open", "done"}\n', 'remove "done" and "closed" from STATES'
    now = situation({PATH: code}, instruction=text)
    found = answer(text, Reader.load(), now, repository_roles(now.repo.index))
    assert result(found, {PATH: code}) == 'STATES = {"open"}\n'
    assert any("closed" in mark for mark in found.ways[0].marked)


def test_a_method_in_the_chain_of_a_value_is_not_called_a_second_time() -> None:
    code = 'def make(data):\n    email = data["email"].strip().lower()\n    return email\n'
    found = answer_to(code, "strip the email in make", "strip_value", variable="email", function="make")
    assert (found.kind, found.idle) == ("nothing", "its value is already like that")
    bare = code.replace(".strip()", "")
    made = edited("strip the email in make", "strip_value", {"variable": "email", "function": "make"}, bare)
    assert made == bare.replace(".lower()", ".lower().strip()")


@pytest.mark.parametrize(
    ("handler", "done"),
    [("raise LookupError(kind) from None", False), ("log(kind)", True)],
    ids=["the handler leaves", "beds may not be set"],
)
def test_a_name_stands_for_what_it_is_set_to_below_its_try(handler: str, done: bool) -> None:
    code = (
        "def find(kind):\n    try:\n        with lock:\n            beds = WARDS[kind]\n"
        f"    except KeyError:\n        {handler}\n    return WARDS[kind][0]\n"
    )
    slots = {"old": "WARDS[kind]", "new": "beds", "function": "find"}
    found = edited("replace WARDS[kind] by beds in find", "replace_expression", slots, code)
    assert found == (None if done else code.replace("return WARDS[kind]", "return beds"))


def test_what_a_block_that_goes_on_after_an_error_sets_may_not_be_set_below_it() -> None:
    code = "def find(kind):\n    with suppress(KeyError):\n        beds = WARDS[kind]\n"
    code += "    return WARDS[kind][0]\n"
    slots = {"old": "WARDS[kind]", "new": "beds", "function": "find"}
    assert edited("replace WARDS[kind] by beds in find", "replace_expression", slots, code) is None
