"""Types of several names under one order are done together."""

from __future__ import annotations

import pytest
from intent.support import PATH, result

from spark_tui.intent.answering.answer import Answer, answer
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.reading.reader import Reader
from spark_tui.intent.reading.symbol_roles import repository_roles
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

CODE = {PATH: "LIMIT = 3\n\n\ndef scale(value, rows):\n    return [value * row for row in rows]\n"}
TYPED = "def scale(value: int, rows: list[int]) -> list[int]:\n"


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader.load()


def asked(reader: Reader, text: str) -> Answer:
    repo = Repository(DictTree(CODE))
    return answer(text, reader, Situation(repo, PATH), repository_roles(repo.index, (PATH,)))


@pytest.mark.parametrize(
    "text",
    [
        "add type hints to scale: value is an int, rows is list[int], returns list[int]",
        "the types in scale are: value: int, rows is a list of int, the result is list[int]",
        "annotate scale: value is int, rows: list[int] and it gives back list of int",
    ],
)
def test_each_name_gets_its_type_and_the_function_what_it_returns(reader: Reader, text: str) -> None:
    assert TYPED in result(asked(reader, text), CODE)


def test_orders_beside_the_types_are_done_too(reader: Reader) -> None:
    types = "the types in scale are: value: int, rows: list[int], returns list[int]"
    for text in (f"{types}; set LIMIT to 4", f"set LIMIT to 4. {types}"):
        changed = result(asked(reader, text), CODE)
        assert "LIMIT = 4\n" in changed and TYPED in changed


def test_a_type_of_one_name_is_no_list_of_types(reader: Reader) -> None:
    changed = result(asked(reader, "annotate value in scale as int"), CODE)
    assert "def scale(value: int, rows):\n" in changed


def test_conditions_that_name_types_are_no_annotations(reader: Reader) -> None:
    found = asked(reader, "raise TypeError in scale if value is str or rows is dict")
    assert "value: str" not in (result(found, CODE) if found.ways else "")
