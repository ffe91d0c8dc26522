"""Edits that programs of a library, a chat server, an inventory and a log scanner were asked for."""

from __future__ import annotations

from dataclasses import replace

import pytest
from intent.asking import answer_to, changed
from intent.support import PATH, situation

from spark_tui.intent.defects.described import described

SERVER = """\
from dataclasses import dataclass


@dataclass
class Client:
    nick: str
    room: str = None


class Server:
    def __init__(self, default="lobby"):
        self.rooms = {}
        self.clients = set()

    async def broadcast(self, text):
        for member in self.clients:
            await member.send(text)

    async def dispatch(self, client, name):
        await client.send("! unknown command")
"""
STORE = """\
import csv
from dataclasses import dataclass
from datetime import date

DEFAULT_LEVEL = 5


@dataclass
class Movement:
    sku: str
    day: date


@dataclass
class Product:
    sku: str
    level: int = DEFAULT_LEVEL


class Inventory:
    def __init__(self):
        self.products = {}
        self.movements = []

    def record(self, sku):
        if sku not in self.products:
            raise KeyError("unknown product")

    def history(self, sku):
        return [m for m in self.movements if m.sku == sku]


def load(path, inventory):
    with open(path, newline="") as f:
        for row in csv.DictReader(f):
            inventory.level = int(row["level"])


def export(path, inventory):
    with open(path, "w", newline="") as f:
        csv.writer(f).writerow(inventory.products)
"""


def test_a_text_that_any_call_is_given_is_found_by_its_words() -> None:
    said = '"unknown command" is not helpful without the name'
    assert 'send(f"! unknown command: {name}")' in changed(
        SERVER, said, "say_value", message="unknown command", value="name"
    )


def test_what_is_looked_for_is_shown_and_not_where() -> None:
    said = "unknown product does not tell me which product"
    slots = {"message": "unknown product", "value": "which product"}
    assert 'f"unknown product: {sku}"' in changed(STORE, said, "say_value", **slots)


@pytest.mark.parametrize("intent", ["use_optional", "annotate_variable"])
def test_a_type_says_that_its_default_is_none(intent: str) -> None:
    said = "`room: str = None` is lying about its type, use Optional"
    slots = {"variable": "room", "type": "str"} if intent == "annotate_variable" else {}
    assert ("room: Optional[str] = None" in changed(SERVER, said, intent, **slots)) == (not slots)
    assert ("room: str | None = None" in changed(SERVER, said, intent, **slots)) == bool(slots)


def test_nothing_but_the_attributes_that_are_named_is_annotated() -> None:
    answer = answer_to(SERVER, "annotate rooms and clients in __init__", "annotate_all", function="__init__")
    assert not answer.ways and "rooms, clients" in answer.reason


def test_no_text_is_asked_of_an_object() -> None:
    answer = answer_to(SERVER, "skip blank lines in broadcast", "skip_in_loop", condition="blank lines")
    assert not any("member.strip" in str(way.calls) for way in answer.ways)


def test_the_newest_is_told_by_its_day() -> None:
    said = "history should give the newest movement first"
    new = changed(STORE, said, "sort_by", function="history", order="newest movement first")
    assert "            key=lambda m: m.day,\n            reverse=True,\n        )\n" in new


@pytest.mark.parametrize(("said", "value"), [("10", "10"), ("the default", "DEFAULT_LEVEL")])
def test_an_empty_text_gets_its_default_before_it_is_a_number(said: str, value: str) -> None:
    text = f"use {said} when level is empty in load"
    slots = {"variable": "level", "default": said, "function": "load"}
    assert f'int(row.get("level") or {value})' in changed(STORE, text, "value_if_empty", **slots)


def test_a_constant_is_never_empty() -> None:
    answer = answer_to(STORE, "10 when level is empty", "value_if_empty", variable="level", default="10")
    assert not any("DEFAULT_LEVEL or" in str(way.calls) for way in answer.ways)


def test_an_encoding_is_for_what_is_written_where_writing_is_said() -> None:
    new = changed(STORE, "write it as utf-8-sig", "set_argument", value="utf-8-sig")
    assert new.count("utf-8-sig") == 1 and 'open(path, "w", newline="", encoding="utf-8-sig")' in new


def test_a_docstring_takes_the_place_of_pass() -> None:
    code = "class StoreError(Exception):\n    pass\n"
    said = "give StoreError a docstring instead of the pass"
    new = changed(code, said, "write_docstring", **{"class": "StoreError"})
    assert new == 'class StoreError(Exception):\n    """Store error."""\n'


def test_a_kind_that_is_not_in_the_docstring_is_unknown() -> None:
    code = 'def add(kind):\n    """Add a discount, kind is "percent" or "fixed"."""\n    return kind\n'
    said = "unknown kinds must raise ValueError"
    slots = {"condition": "unknown kinds", "exception": "ValueError"}
    assert 'if kind not in ("percent", "fixed"):' in changed(code, said, "guard_raise", **slots)


@pytest.mark.parametrize(
    ("said", "intent", "slots"),
    [
        ("add the duration to the export line", "comment_out", {"code": "export line"}),
        ("open property on Product", "add_decorator", {"decorator": "property", "class": "Product"}),
        ("need a /topic command", "add_option", {"name": "/topic"}),
        ("Round half up in export", "add_retry", {"count": "half", "function": "export"}),
    ],
)
def test_what_is_not_asked_for_is_not_done(said: str, intent: str, slots: dict[str, str]) -> None:
    assert not answer_to(STORE, said, intent, **slots).ways


def test_a_cause_is_looked_for_in_the_function_that_is_spoken_of() -> None:
    code = (
        "def add_item(items, item):\n    items.append(item)\n\n\n"
        "def remove_item(items, name):\n    for item in items:\n        if item == name:\n"
        "            items.remove(item)\n"
    )
    told = replace(
        situation({PATH: code}), instruction="add item keeps one that follows another of the same name"
    )
    assert not any("in list(items)" in str(one.built.calls) for one in described(told))


def test_the_space_stays_at_which_something_is_added() -> None:
    code = 'def show(name):\n    return "Customer: " + name\n'
    said = 'the line should say "Bill to:" instead of "Customer:"'
    assert '"Bill to: " + name' in changed(code, said, "replace_message", message="Bill to:", old="Customer:")


def test_a_text_has_no_job() -> None:
    code = "def cancel(jobs, name: str):\n    jobs.remove(name)\n"
    said = "raise KeyError when there's no job of that name"
    answer = answer_to(
        code, said, "guard_raise", exception="KeyError", condition="there's no job of that name"
    )
    assert not any("name.job" in str(way.calls) for way in answer.ways)
