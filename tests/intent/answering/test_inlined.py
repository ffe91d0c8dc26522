"""*inline …* in front of the name of a local, a constant or a function."""

from __future__ import annotations

import pytest
from intent.support import PATH, result, situation

from spark_tui.intent.answering.answer import Answer, answer
from spark_tui.intent.reading.reader import Reader
from spark_tui.intent.reading.symbol_roles import RepositoryRoles

CODE = """\
LIMIT = 3


def fits(rows, function):
    return function(rows) < LIMIT


def load(rows):
    allowed = fits(rows, len)
    return allowed


def grow(rows):
    rows += load(rows)
    return rows


def least(rows):
    value = min(rows)
    return value + 1
"""


def answered(said: str) -> Answer:
    where = situation({PATH: CODE}, instruction=said)
    return answer(said, Reader.load(), where, RepositoryRoles().of(where.repo.index, (PATH,)))


@pytest.mark.parametrize(
    ("said", "new"),
    [
        ("inline fits", "    allowed = len(rows) < LIMIT\n"),
        ("please inline the function fits everywhere", "    allowed = len(rows) < LIMIT\n"),
        ("inline LIMIT", "    return function(rows) < 3\n"),
        ("inline allowed in load", "    return fits(rows, len)\n"),
        ("inline value in least", "    return min(rows) + 1\n"),
    ],
)
def test_what_is_named_goes_in_the_place_of_its_uses(said: str, new: str) -> None:
    found = answered(said)
    assert new in result(found, {PATH: CODE})


def test_a_function_that_does_more_is_refused_with_the_reason() -> None:
    found = answered("inline grow")
    assert "does more than to give one expression" in found.reason


SIZED = """\
class Cart:
    @property
    def size(self):
        return len(self.lines)


def report(cart):
    size = cart.size
    return 1 + size
"""


def asked(said: str, code: str) -> Answer:
    where = situation({PATH: code}, instruction=said)
    return answer(said, Reader.load(), where, RepositoryRoles().of(where.repo.index, (PATH,)))


def test_a_property_is_not_taken_for_a_local_of_its_name() -> None:
    found = asked("inline Cart.size", SIZED)
    assert not found.ways and "Cart.size is a method" in found.reason


def test_a_method_is_refused_and_not_read_as_something_else() -> None:
    found = asked("inline size", SIZED.partition("\n\n\ndef")[0] + "\n")
    assert not found.ways and "is a method" in found.reason
