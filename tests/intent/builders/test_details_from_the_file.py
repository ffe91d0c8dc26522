"""What an order leaves to the file: its constants, its statements of SQL, its methods and its loops."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed
from intent.support import PATH

CODE = """import argparse
import csv
import time

VERSION = "3.1"
SIZES = {"s": 1, "l": 2}
BASE = {"depth": 3}


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--size")
    return parser


def merged(extra):
    kept = BASE
    kept.update(extra)
    return kept


def newest(db):
    return db.execute("select day from dives order by day limit 5")


def of_diver(db, diver, deep=False):
    query = "select * from dives where diver = '%s'" % diver
    if deep:
        query += " and depth > 40"
    return db.execute(query)


def send(line, port):
    port.send(line)


def twice(line, port):
    send(line, port)
    send(line, port)
    paint(line)


def paint(line, colour="red"):
    print(line, colour)


def cleaned(raw):
    return raw.strip()


class Clock:
    def __init__(self):
        self.start = time.time()

    def age(self):
        return time.time() - self.start


def load(tank, dive):
    tank["air"] -= dive["air"]
    return tank["air"] > dive["air"]


def listed(db):
    for diver, day, depth in db.fetchall():
        print(diver, day, depth)


def rows(stream):
    return csv.reader(stream, delimiter=";")
"""


@pytest.mark.parametrize(
    ("intent", "text", "slots", "old", "new"),
    [
        (
            "set_option",
            "--size should accept only what SIZES has",
            {"name": "--size"},
            '"--size"',
            '"--size", choices=list(SIZES)',
        ),
        (
            "add_option",
            "--version tells what stands in VERSION",
            {"name": "--version"},
            '("--size")',
            '("--size")\n    parser.add_argument("--version", action="version", version=VERSION)',
        ),
        (
            "add_option",
            "a --verbose please",
            {"name": "--verbose"},
            '("--size")',
            '("--size")\n    parser.add_argument("--verbose", action="store_true")',
        ),
        ("copy_first", "take a copy of BASE", {"variable": "BASE"}, "kept = BASE", "kept = dict(BASE)"),
        (
            "pattern.query_parameters",
            "of_diver with a parameter",
            {"function": "of_diver"},
            "'%s'\" % diver",
            '?"',
        ),
        (
            "replace_call",
            "sendall in place of send",
            {"new": "sendall", "old": "send"},
            "port.send(",
            "port.sendall(",
        ),
        (
            "replace_call",
            "time.monotonic for time.time in Clock",
            {"new": "time.monotonic", "old": "time.time", "function": "Clock"},
            "time.time",
            "time.monotonic",
        ),
        (
            "value_if_empty",
            "a dive without air counts as 12 in load",
            {"variable": "air", "default": "12", "function": "load"},
            'dive["air"]',
            'dive.get("air", 12)',
        ),
        (
            "sort_loop",
            "listed by days",
            {"key": "days", "function": "listed"},
            "db.fetchall()",
            "sorted(db.fetchall(), key=lambda item: item[1])",
        ),
    ],
)
def test_the_file_says_the_rest(intent: str, text: str, slots: dict[str, str], old: str, new: str) -> None:
    expected = CODE.replace(old, new)
    if intent == "pattern.query_parameters":
        expected = expected.replace("execute(query)", "execute(query, (diver,))")
    assert changed(CODE, text, intent, **slots) == expected


@pytest.mark.parametrize(
    ("intent", "text", "slots"),
    [
        ("set_argument", 'the csv delimiter is ";"', {"call": "csv", "argument": "delimiter", "value": ";"}),
        (
            "add_argument",
            "twice passes the colour on to paint",
            {"call": "paint", "value": "colour", "function": "twice"},
        ),
        (
            "apply_function",
            "raw goes through cleaned",
            {"variable": "raw", "transform": "cleaned"},
        ),
        ("sort_loop", "listed by weather", {"key": "weather", "function": "listed"}),
    ],
)
def test_what_is_so_or_unknown_is_left(intent: str, text: str, slots: dict[str, str]) -> None:
    assert not answer_to(CODE, text, intent, **slots).ways


OPTION = """from argparse import ArgumentParser

from kinds import KINDS, LEVELS

LIMITS: tuple[int, ...] = (10, 20)
parser = ArgumentParser()
parser.add_argument("--kind", default="all")
"""
KINDS = 'KINDS = ["all", "some"]\nLEVELS = {"low": 1}\n'


@pytest.mark.parametrize(
    ("text", "slots", "new"),
    [
        ("--kind should only accept KINDS", {"default": "KINDS"}, "choices=KINDS"),
        ("restrict --kind to KINDS", {"default": "KINDS"}, "choices=KINDS"),
        ("--kind is KINDS", {"default": "KINDS"}, "choices=KINDS"),
        ("--kind takes only the keys of LEVELS", {"default": "LEVELS"}, "choices=list(LEVELS)"),
        ("only accept LIMITS for --kind", {}, "choices=LIMITS"),
        ("--kind may only be all or some", {"text": "all or some"}, 'choices=["all", "some"]'),
        ("--kind may only be all, some", {"default": "all, some"}, 'choices=["all", "some"]'),
        ("--kind is some by default", {"default": "some"}, 'default="some"'),
    ],
)
def test_the_choices_of_an_option_are_a_collection_or_the_listed_words(
    text: str, slots: dict[str, str], new: str
) -> None:
    written = changed({PATH: OPTION, "kinds.py": KINDS}, text, "set_option", name="--kind", **slots)
    assert new in written
    assert ('default="all"' in written) == ("choices" in new)
