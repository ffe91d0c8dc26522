"""Quotes of docstrings that are said in an order about one."""

from __future__ import annotations

import pytest
from intent.support import PATH, result, situation

from spark_tui.intent.answering.answer import answer
from spark_tui.intent.reading.reader import Reader
from spark_tui.intent.reading.symbol_roles import RepositoryRoles

CODE = "def load(path):\n    'Load a cart.'\n    return path\n\n\ndef save(path):\n    'Save it.'\n"


def _after(said: str) -> str:
    where = situation({PATH: CODE}, instruction=said)
    found = answer(said, Reader.load(), where, RepositoryRoles().of(where.repo.index, (PATH,)))
    return result(found, {PATH: CODE})


@pytest.mark.parametrize(
    "said",
    [
        "convert the docstring of load to triple quotes",
        "the docstring of load should be triple quoted",
        "make the docstring of load double-quoted",
    ],
)
def test_the_docstring_stays_and_gets_the_quotes(said: str) -> None:
    quotes = '"' if "double" in said else '"""'
    assert _after(said) == CODE.replace("'Load a cart.'", f"{quotes}Load a cart.{quotes}")


def test_a_docstring_that_is_told_apart_by_its_quotes_is_removed() -> None:
    assert _after("remove the single-quoted docstring of load") == CODE.replace("    'Load a cart.'\n", "")
