"""In the place of a file that is not there nothing is done elsewhere."""

from __future__ import annotations

import pytest

from spark_tui.intent.answering.answer import Answer, answer
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.reading.near_roles import MessageRoles
from spark_tui.intent.reading.reader import Reader
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

CODE = "def add(a, b):\n    total = a + b\n    print(total)\n    return total\n"
FILES = {"shop/cart.py": CODE, "shop/stock_lib.py": "x = 1\n"}


def _answer(text: str, path: str = "shop/cart.py") -> Answer:
    repo = Repository(DictTree(FILES))
    roles = MessageRoles().of(text, repo.index, path)
    return answer(text, Reader.load(), Situation(repo, path), roles)


@pytest.mark.parametrize(
    "text",
    [
        "rename total to amount in stocks.py",
        "in stocks.py rename total to amount",
        "remove the print in the file stocks.py",
        "stocks.py: rename total to amount",
        "rename total to amount (stocks.py)",
    ],
)
def test_the_nearest_names_are_told(text: str) -> None:
    found = _answer(text)
    assert found.kind == "cannot" and not found.ways
    assert "there is no file stocks.py. Did you mean shop/stock_lib.py?" in found.reason


@pytest.mark.parametrize(
    "text",
    [
        "move add to stocks.py",
        "rename cart.py to stocks.py",
        "replace print(total) with print('in stocks.py')",
        "rename total to amount in cart.py",
        "rename total to amount everywhere except in stocks.py",
        "rename total to amount, as in stocks.py",
        "rename total to amount for use in stocks.py",
        "rename add to plus since it is in old.py already",
    ],
)
def test_one_that_is_no_place_is_left_as_it_is(text: str) -> None:
    assert _answer(text).ways


@pytest.mark.parametrize("path", ["", "shop/cart.py"])
@pytest.mark.parametrize("text", ["in stocks.js rename a to b2", "web/stocks.ts: rename total to amount"])
def test_so_is_one_of_another_language(text: str, path: str) -> None:
    found = _answer(text, path)
    assert not found.ways and "there is no file " in found.reason


def test_a_member_is_no_file() -> None:
    files = {**FILES, "shop/stock_lib.py": "class Node:\n    def f(self):\n        return self.rs\n"}
    repo, text = Repository(DictTree(files)), "in node.rs rename total to amount"
    roles = MessageRoles().of(text, repo.index, "shop/cart.py")
    found = answer(text, Reader.load(), Situation(repo, "shop/cart.py"), roles)
    assert "there is no file" not in found.reason


@pytest.mark.parametrize("more", ["e.g. in Node.js", "which in Node.js is called so"])
def test_a_word_with_a_point_in_a_clause_of_its_own_is_no_place(more: str) -> None:
    assert _answer(f"rename total to amount in add, {more}").ways
