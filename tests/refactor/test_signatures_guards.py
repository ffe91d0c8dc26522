"""A default that is made once becomes None and a guard; a forgotten self is put in."""

from __future__ import annotations

import pytest
from signature_texts import made

from spark_tui.refactor import signatures


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """What other families make of the same words is theirs."""
    monkeypatch.setattr("spark_tui.refactor.known.RULES", signatures.RULES)


COLLECT = '''def collect(names, found=[], day=date.today()):
    """Collect."""
    # all of them
    for name in names:
        found.append(name)
    return found
'''
FOUND = COLLECT.replace("found=[]", "found=None").replace(
    "    # all", "    if found is None:\n        found = []\n    # all"
)
DAY = COLLECT.replace("day=date.today()", "day=None").replace(
    "    # all", "    if day is None:\n        day = date.today()\n    # all"
)


@pytest.mark.parametrize(
    ("instruction", "wanted"),
    [
        ("fix the mutable default of found in collect", FOUND),
        ("found in collect is shared between calls, use None", FOUND),
        ("flake8 B006 in collect", FOUND),
        ("collect remembers found between calls", FOUND),
        ("why does found grow with every call of collect?", FOUND),
        ("the same list is used for found in every call, fix that", FOUND),
        ("day is computed once at import, use None there and fill it in inside", DAY),
    ],
)
def test_the_default_is_made_in_the_body(instruction: str, wanted: str) -> None:
    assert made(COLLECT, instruction) == [(wanted, 2)]


def test_a_hint_says_that_it_may_be_none() -> None:
    text = "def f(a: list[int] = []):\n    return a\n"
    wanted = "def f(a: list[int] | None = None):\n    if a is None:\n        a = []\n    return a\n"
    assert made(text, "fix the mutable default") == [(wanted, 2)]


@pytest.mark.parametrize("instruction", ["found should be shared", "the default day is computed twice"])
def test_other_complaints_make_no_guard(instruction: str) -> None:
    text = "def collect(names, found=(), day=None):\n    return names\n"
    assert made(text, instruction) == []


PEN = """class Pen:
    def __init__(self, ink):
        self.ink = ink

    def write(text):
        print(text)

    @classmethod
    def blue():
        return 1

    @staticmethod
    def cost(sheets):
        return sheets
"""


@pytest.mark.parametrize(
    ("instruction", "old", "new"),
    [
        ("i forgot self in write", "write(text)", "write(self, text)"),
        ("self is missing in Pen.write", "write(text)", "write(self, text)"),
        ("add the missing self to write()", "write(text)", "write(self, text)"),
        ("TypeError: Pen.write() takes 1 positional argument but 2 were given", "write(text)", "write(self, text)"),
        ("i get TypeError: write() takes 1 positional argument but 2 were given", "write(text)", "write(self, text)"),
        ("TypeError: blue() takes 0 positional arguments but 1 was given", "blue()", "blue(cls)"),
    ],
)
def test_self_is_put_in(instruction: str, old: str, new: str) -> None:
    assert made(PEN, instruction) == [(PEN.replace(old, new), 2)]


@pytest.mark.parametrize(
    "instruction",
    [
        "self is missing in cost",
        "i forgot self in __init__",
        "TypeError: Pen.write() takes 1 positional argument but 4 were given",
        "TypeError: cost() takes 1 positional argument but 2 were given",
    ],
)
def test_self_is_not_put_where_none_is_missing(instruction: str) -> None:
    assert made(PEN, instruction) == []
