"""Amounts in the unit, and values of the type, of what they replace."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed

CODE = """\
from datetime import timedelta
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from pathlib import Path

POLL_MS = 250
BUFFER_KB = 64
FEE = Decimal("0.50")
RATIO = Fraction(1, 3)
HOME = Path("/srv")
GRACE = timedelta(minutes=5)


class Mode(Enum):
    OLD = "old"
    NEW = "new"


def wait(poll=POLL_MS, timeout=60, mode=Mode.OLD, retries=3):
    for _ in range(retries):
        poll += 1
    return poll, timeout, mode
"""


@pytest.mark.parametrize(
    ("text", "name", "value", "line"),
    [
        ("set BUFFER_KB to 1 MB", "BUFFER_KB", "1 MB", "BUFFER_KB = 1024\n"),
        ("set POLL_MS to 2 seconds", "POLL_MS", "2", "POLL_MS = 2000\n"),
        ("set FEE to 0.75", "FEE", "0.75", 'FEE = Decimal("0.75")\n'),
        ('set HOME to "/opt"', "HOME", "/opt", 'HOME = Path("/opt")\n'),
        ("set GRACE to 2 hours", "GRACE", "2 hours", "GRACE = timedelta(minutes=120)\n"),
    ],
)
def test_a_constant_keeps_its_unit_and_type(text: str, name: str, value: str, line: str) -> None:
    assert line in changed(CODE, text, "set_value", variable=name, value=value)


@pytest.mark.parametrize(
    ("text", "name", "value", "shown"),
    [
        ("poll defaults to 1 second", "poll", "1", "poll=1000"),
        ("timeout defaults to 2 minutes", "timeout", "2", "timeout=120"),
        ('mode defaults to "new"', "mode", "new", "mode=Mode.NEW"),
    ],
)
def test_a_default_does_so_too(text: str, name: str, value: str, shown: str) -> None:
    assert shown in changed(CODE, text, "set_default", parameter=name, default=value)


@pytest.mark.parametrize(
    ("text", "intent", "slots", "mark"),
    [
        ("set RATIO to 0.5", "set_value", {"variable": "RATIO", "value": "0.5"}, "plain value"),
        ("retries defaults to 10 s", "set_default", {"parameter": "retries", "default": "10 s"}, "counts"),
    ],
)
def test_another_type_or_kind_has_a_mark(text: str, intent: str, slots: dict[str, str], mark: str) -> None:
    assert mark in "; ".join(answer_to(CODE, text, intent, **slots).ways[0].marked)


def test_an_attribute_that_is_no_longer_what_is_given_has_a_mark() -> None:
    code = "class Client:\n    def __init__(self, token=None):\n        self.token = token\n"
    answer = answer_to(code, "set token to 5", "set_value", variable="token", value="5")
    assert "of no use" in "; ".join(answer.ways[0].marked)


def test_a_name_in_capitals_is_that_of_another_file_before_one_in_small_letters() -> None:
    files = {
        "shop.py": "from settings import RETRIES as TRIES\n\n\nclass Base:\n    retries = TRIES\n",
        "settings.py": "RETRIES = 3\n",
    }
    answer = answer_to(files, "set RETRIES to 5", "set_value", variable="RETRIES", value="5")
    assert {edit.path for edit in answer.ways[0].plan.edits} == {"settings.py"}


@pytest.mark.parametrize("old", ["64", "64 * 1024", "2 ** 10 + 1"])
def test_a_word_takes_the_place_of_no_number(old: str) -> None:
    code = f"SIZE = {old}\n\n\ndef load(stream):\n    kept = {{'a': 1}}\n    return stream.read(SIZE), kept\n"
    found = answer_to(code, "SIZE = 128k", "set_value", variable="SIZE", value="128k")
    assert not found.ways and "128k was not understood as a value of SIZE" in found.reason
    new = changed(code, "SIZE = 128 kB", "set_value", variable="SIZE", value="128 kB")
    assert new.startswith("SIZE = 128 * 1024\n" if "1024" in old else "SIZE = 131072\n")
