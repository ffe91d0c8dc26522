"""Parts of an edit that built expressions in another way: no piece of one goes alone."""

from __future__ import annotations

import pytest
from intent.following import answer_behind

WAS = """import os


def touch(path):
    base = os.path.dirname(path)
    if base and not os.path.exists(base):
        os.makedirs(base)
"""
NOW = """import os
from pathlib import Path


def touch(path):
    base = Path(path).parent
    if base and not Path(base).exists():
        Path(base).mkdir(parents=True)
"""


@pytest.mark.parametrize(
    ("message", "old", "new"),
    [
        ("but keep makedirs", "os.makedirs(base)", "Path(base).mkdir(parents=True)"),
        ("leave dirname alone", "os.path.dirname(path)", "Path(path).parent"),
        ("leave os.path.exists", "os.path.exists(base)", "Path(base).exists()"),
    ],
)
def test_all_of_an_expression_stays_as_it_was(message: str, old: str, new: str) -> None:
    _, text = answer_behind(WAS, NOW, message, "amend.except")
    assert text == NOW.replace(new, old)


def test_what_all_of_an_edit_lies_in_takes_nothing_back() -> None:
    answer, _ = answer_behind(WAS, NOW, "only in touch", "amend.only_here")
    assert not answer.ways


def test_an_argument_of_a_call_still_goes_alone() -> None:
    was = "def f(*rows):\n    return rows\n\n\ndef h(a, size, limit):\n    return f(a)\n"
    _, text = answer_behind(was, was.replace("f(a)", "f(a, size, limit)"), "without limit", "amend.except")
    assert text == was.replace("f(a)", "f(a, size)")
