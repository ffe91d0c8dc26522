"""The built-in model, told two things in one instruction: it does both, and a stop changes nothing of it."""

from __future__ import annotations

import threading

import pytest

from spark_tui.backends.base import FilePart, Request
from spark_tui.backends.factory import built_in_models
from spark_tui.backends.local.backend import LocalBackend
from spark_tui.events import PrefillProgress, Token

TEXT = """\
import json


def load(path, limit=10):
    with open(path) as file:
        rows = json.load(file)
    print(len(rows))
    return rows[:limit]


class Basket:
    def add(self, sku, count=1):
        self.items[sku] = self.items.get(sku, 0) + count

    def total(self):
        if self.items == None:
            return 0
        return sum(self.items.values())
"""
FILE = FilePart("shop/basket.py", TEXT)


@pytest.fixture(scope="module")
def backend():
    made = LocalBackend.open(built_in_models()[0])
    made.programs = False
    yield made
    made.close()


def said(backend, instruction, stop=None, **more):
    return list(
        backend.stream(Request(instruction, (FILE,), max_tokens=400, **more), stop or threading.Event())
    )


def ids(events):
    return [event.id for event in events if isinstance(event, Token)]


def written(events):
    """What the hunks write, and how many there are."""
    lines = "".join(event.text for event in events if isinstance(event, Token)).splitlines()
    return sum(line.startswith("@@") for line in lines), "\n".join(
        line[1:] for line in lines if line[:1] == "+"
    )


@pytest.mark.parametrize(
    ("instruction", "wanted"),
    [
        ("remove the print and change the default of limit to 25", ["def load(path, limit=25):"]),
        ("rename sku to code in add. Also remove the print", ["def add(self, code, count=1):"]),
        ("1. change the default of count to 2\n2. remove the print", ["def add(self, sku, count=2):"]),
    ],
)
def test_both_of_two_things_are_done(backend, instruction, wanted):
    hunks, text = written(said(backend, instruction))
    assert hunks == 2
    assert all(piece in text for piece in wanted)


def test_an_answer_in_parts_that_was_stopped_anywhere_goes_on_as_if_it_had_not_been(backend):
    instruction = "remove the print and change the default of limit to 25"
    whole = ids(said(backend, instruction))
    for cut in range(1, len(whole), 5):
        assert ids(said(backend, instruction, emitted=tuple(whole[:cut]))) == whole[cut:]


def test_a_stop_while_the_parts_are_asked_ends_it_within_a_pass(backend):
    instruction = "remove the print and change the default of count to 3"
    passes, after = [], []
    stop = threading.Event()

    def count(step):
        (after if stop.is_set() else passes).append(step)

    backend.on_step = count
    try:
        whole = ids(said(backend, instruction))
        most = len(passes)
        for at in range(2, most, 3):
            passes.clear()
            after.clear()
            stop.clear()
            heard = said(backend, instruction, _Stop(stop, passes, at))
            assert ids(heard) == []
            assert len(after) <= 1
    finally:
        backend.on_step = None
    assert ids(said(backend, instruction)) == whole


class _Stop:
    """Set behind so many passes."""

    def __init__(self, flag, passes, at):
        self._flag, self._passes, self._at = flag, passes, at

    def is_set(self):
        if len(self._passes) >= self._at:
            self._flag.set()
        return self._flag.is_set()


def test_what_was_said_in_parts_is_warm_for_what_is_said_next(backend):
    instruction = "remove the print and change the default of limit to 30"
    answered = ids(said(backend, instruction))
    next_ = said(backend, instruction, emitted=tuple(answered), steer="no, make it 40")
    read = [event for event in next_ if isinstance(event, PrefillProgress)]
    assert read[-1].total - read[-1].reused < 30
