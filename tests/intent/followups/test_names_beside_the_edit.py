"""Follow-ups that name something that the last edit was not about, though it stands in its lines."""

from __future__ import annotations

from dataclasses import replace

import pytest
from intent.support import PATH, situation

from spark_tui.intent.answering.answer import Answer, answer
from spark_tui.intent.reading.reader import Reader
from spark_tui.intent.reading.symbol_roles import RepositoryRoles

CHECK = "def check(x, lo=0, hi=10):\n    return lo <= x < hi\n"
CART = """class Cart:
    def __init__(self, items, owner=None):
        self.items = items
        self.owner = owner
"""


def behind(code: str, *said: str) -> tuple[Answer, str]:
    """The answer to the last message, and the file after it; the edits before it are written."""
    where, found, text = situation({PATH: code}), Answer("nothing"), code
    for message in said:
        where = replace(where, instruction=message)
        found = answer(message, Reader.load(), where, RepositoryRoles().of(where.repo.index, (PATH,)))
        if not found.ways:
            break
        way = found.ways[0]
        base = where.before if way.from_before and where.before is not None else where.repo
        after = base.with_changes(way.plan.texts(base))
        where = replace(where, repo=after, before=base, earlier=way.done, asked=message)
        text = after.index.text(PATH) or ""
    return found, text


@pytest.mark.parametrize(
    ("said", "new"),
    [
        (("rename x to value in check", "and lo to low"), "def check(value, low=0, hi=10):"),
        (("rename x to value in check", "lo to low"), "def check(value, low=0, hi=10):"),
        (("rename check to verify", "and lo to low"), "def verify(x, low=0, hi=10):"),
        (("rename x to value in check", "no, number"), "def check(number, lo=0, hi=10):"),
    ],
)
def test_another_name_for_another_thing_is_a_rename_of_that(said: tuple[str, ...], new: str) -> None:
    assert new in behind(CHECK, *said)[1]


@pytest.mark.parametrize("asked", ["add __repr__ to Cart", "add __eq__ to Cart"])
def test_an_edit_is_not_taken_back_for_a_field_that_is_to_be_left_out(asked: str) -> None:
    assert behind(CART, asked, "without owner")[0].kind != "undo"
    assert behind(CART, asked, "undo that")[0].kind == "undo"


LEG = """from dataclasses import dataclass


@dataclass
class LegEnd:
    reason: str = ""
    author: str = ""


class Leg:
    def __init__(self, updates, stop):
        self.stop = stop


def in_thread(work):
    return run(work, "acp")
"""


@pytest.mark.parametrize(
    "said", ['in_thread: accept a name parameter, default "acp"', 'use "stop" for LegEnd.reason']
)
def test_a_value_beside_a_name_in_code_is_none_for_the_last_edit(said: str) -> None:
    _, text = behind(LEG, "make stop optional in Leg.__init__", said)
    assert "def __init__(self, updates, stop=None):" in text
