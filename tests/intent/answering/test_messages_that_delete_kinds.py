"""A message that only says that all of a kind of definition goes removes each of them but the exceptions."""

from __future__ import annotations

import re

import pytest
from intent.support import PATH, result, situation

from spark_tui.intent.answering.answer import answer
from spark_tui.intent.planning.answers import Answer
from spark_tui.intent.reading.reader import Reader
from spark_tui.intent.reading.symbol_roles import RepositoryRoles

CODE = """class Cart:
    def add(self, item):
        return item

    def total(self):
        return 3


class Order:
    def size(self):
        return 1


# how it is read
def load():
    def inner():
        return 1

    return inner()


def save():
    return 2
"""


def answered(said: str) -> Answer:
    where = situation({PATH: CODE}, instruction=said)
    return answer(said, Reader.load(), where, RepositoryRoles().of(where.repo.index, (PATH,)))


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("delete all functions except load", "Cart add total Order size load inner"),
        ("delete all functions", "Cart add total Order size"),
        ("remove every class but Cart", "Cart add total load inner save"),
        ("remove every method except add from Cart", "Cart add Order size load inner save"),
        ("delete all methods except those in Cart", "Cart add total Order load inner save"),
        ("delete all functions except the first one", "Cart add total Order size load inner"),
        ("delete all methods except the last two", "Cart total Order size load inner save"),
        ("lösche alle Methoden", "Cart Order load inner save"),
    ],
)
def test_all_of_a_kind_but_the_exceptions_goes(said: str, left: str) -> None:
    after = result(answered(said), {PATH: CODE})
    assert " ".join(re.findall(r"(?:class|def) (\w+)", after)) == left


def test_nothing_goes_where_all_are_excepted() -> None:
    found = answered("delete all functions except save and load")
    assert not found.ways and "no other function" in found.reason


@pytest.mark.parametrize(
    "said",
    [
        "delete all functions that call save",
        "check all functions except load",
        "delete all functions except those",
        "delete all classes but the ones in shop.py",
    ],
)
def test_a_message_that_says_more_removes_no_kind(said: str) -> None:
    calls = [str(call) for way in answered(said).ways for call in way.calls]
    assert not any("remove_definition" in one for one in calls)


OVERLOADED = """import sys
from typing import overload


@overload
def parse(x: int) -> int: ...


@overload
def parse(x: str) -> str: ...


def parse(x):
    return x


@overload
def show(x: int) -> None: ...


def show(x):
    sys.stdout.write(x)
"""


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("drop the overloads", 0),
        ("remove the overload stubs of parse", 2),
        ("delete the overloads in show", 3),
    ],
)
def test_overloads_go_and_what_is_run_stays(said: str, left: int) -> None:
    where = situation({PATH: OVERLOADED}, instruction=said)
    found = answer(said, Reader.load(), where, RepositoryRoles().of(where.repo.index, (PATH,)))
    after = result(found, {PATH: OVERLOADED})
    assert after.count("overload") == left and after.count("):\n") == 2 and not found.ways[0].marked


@pytest.mark.parametrize(
    "said",
    [
        "delete all functions, except load, and rename load to read",
        "delete all functions except load and rename load to read",
        "delete all functions (except load) and rename load to read",
        "delete all functions, but not load, and rename load to read",
        "remove all functions other than load; rename load to read",
        "rename load to read and delete all functions, except load",
    ],
)
def test_what_follows_the_exceptions_is_an_order_of_its_own(said: str) -> None:
    found = answered(said)
    after = result(found, {PATH: CODE})
    names = " ".join(re.findall(r"(?:class|def) (\w+)", after))
    assert names == "Cart add total Order size read inner"
    assert not found.ways[0].marked


def test_a_name_that_is_like_a_pronoun_or_an_article_stays() -> None:
    code = "class A:\n    def one(self):\n        return 1\n\n    def two(self):\n        return 2\n\n\n"
    code += "class B:\n    pass\n"
    for said, left in (
        ("delete all classes, except A, and rename A to Top", "class Top def one def two"),
        ("remove all methods of A, except one, and rename one to first", "class A def first class B"),
    ):
        where = situation({PATH: code}, instruction=said)
        found = answer(said, Reader.load(), where, RepositoryRoles().of(where.repo.index, (PATH,)))
        after = result(found, {PATH: code})
        assert " ".join(re.findall(r"(?:class|def) \w+", after)) == left


def test_what_cannot_go_leaves_the_other_order_and_its_exception() -> None:
    code = "def f():\n    return 1\n\n\ndef g():\n    return f()\n"
    said = "delete all functions, except g, and rename g to h"
    where = situation({PATH: code}, instruction=said)
    found = answer(said, Reader.load(), where, RepositoryRoles().of(where.repo.index, (PATH,)))
    assert result(found, {PATH: code}) == code.replace("def g", "def h")
    assert any("not done: delete all functions" in mark for mark in found.ways[0].marked)
