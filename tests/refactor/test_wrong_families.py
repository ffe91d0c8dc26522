"""Edits that were plain and wrong once, one family after the other."""

from __future__ import annotations

import re

import pytest
from test_wrong_turns import plain

from spark_tui.refactor import known as rooms

CODE = """\
import argparse
import functools
from dataclasses import dataclass
from typing import Dict, List

LIVES = 3
LAST_BAD = 500


class Shape:
    def area(self):
        return 0


class Circle(Shape):
    def __init__(self, radius, delay=1):
        self.radius = radius


class Square(Shape):
    @property
    def name(self):
        return "square"


class ShopError(Exception):
    pass


def spread(values, timeout=30):
    count = len(values)
    for value in values:
        print(value)
    result = sum(values) / count
    return result


def wait(seconds):
    time.sleep(5)


def fetch(url, items: List[str], found: Dict[str, int]):
    try:
        return load(url)
    except OSError as e:
        print("error", e)
    print("done")
    return [item for item in items if item.ok == True]


def move(direction):
    match direction:
        case "north":
            return (0, 1)
        case other:
            raise ValueError(other)


def outer(func):
    def inner(*args):
        return func(*args)
    return inner


def test_fetch():
    assert fetch("") is None


parser = argparse.ArgumentParser()
parser.add_argument("--timeout", type=int, default=30)
"""


@pytest.mark.parametrize(
    "say",
    [
        "lives should be 5 for the circle",
        "wait should have a default of 1",
        "sleep for 2 ** attempt in wait",
        'fetch("") should not be None',
        'fetch("") should be 0',
        "timeout should be a float",
        "the timeout parameter should be optional",
        "make Shape abstract",
        "add functools.wraps to inner",
        "make name a normal method",
        "use is True instead of == True",
        "use assert instead of assertEqual",
        "inline count in spread",
        "delete move",
        "move should return a Point",
        "value should start at 1",
        "fetch only on code 2",
        "area of what?",
        "time.sleep(5) -> return 5",
    ],
)
def test_nothing_is_plain(say: str) -> None:
    text = plain(say, CODE)
    assert text is None or (say == "delete move" and "def move" not in text)


@pytest.mark.parametrize(
    ("say", "becomes"),
    [
        ("ShopError should inherit from ValueError", "class ShopError(ValueError):"),
        ("use list instead of List", "def fetch(url, items: list[str], found: Dict[str, int]):"),
        ("inline result in spread", "return sum(values) / count"),
        ("LIVES should be 5", "LIVES = 5"),
    ],
)
def test_only_what_is_meant_changes(say: str, becomes: str) -> None:
    text = plain(say, CODE)
    assert text is not None and becomes in text


def test_one_of_two_prints_is_the_error() -> None:
    text = plain("log the error instead of printing", CODE)
    assert text is not None and 'logger.error("error %s", e)' in text and 'print("done")' in text


ORDERS = """
delete X; remove X; rename X to other; add a docstring to X; X should return None; X should be 5; inline X
move X to the top; comment out X; add a print to X; make X private; add a parameter limit to X; X -> 7
remove the decorator from X; add type hints to X; raise ValueError if X is empty; wrap X in a try; use f-strings in X
log X; sort X; swap X and Y; return X in Y; add X to Y; X not Y; delete the body of X; add a case to X
turn X into a property; make X a dataclass; add __repr__ to X; remove everything but X; why is X so?; X except in Y
"""


@pytest.mark.parametrize(
    "name", ["move", "Shape", "count", "radius", "north", "result", "inner", "parser", "1", "the loop"]
)
def test_no_rule_stumbles(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rooms, "raises", True)
    for order in re.split(r"[;\n]\s*", ORDERS.strip()):
        for source in (CODE, CODE.replace("    ", "\t"), CODE[60:], "\n".join(CODE.split("\n")[9:40])):
            rooms.known(source.split("\n"), order.replace("X", name).replace("Y", "spread"))
