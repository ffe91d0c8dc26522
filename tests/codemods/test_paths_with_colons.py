"""Symbols and places in files whose names have a colon."""

from __future__ import annotations

import pytest
from codemods.repositories import plan

from spark_tui.codemods.plan import Plan
from spark_tui.codemods.slots import Place, Symbol


def test_a_symbol_and_lines_of_one_are_read_as_they_are_printed() -> None:
    assert Symbol.parse("x/a:b.py::Cart.add@3") == Symbol("Cart.add", "x/a:b.py", 3)
    assert Place.parse("x/a:b.py:3-4") == Place("x/a:b.py", 3, 4)
    assert Place.parse("in x/a:b.py::Cart.add") == Place(side="in", symbol="x/a:b.py::Cart.add")


@pytest.mark.parametrize("call", ["set_value a:b.py::LIMIT 4", "replace_expression a:b.py:1 3 4"])
def test_it_is_edited(call: str) -> None:
    assert isinstance(plan(call, {"a:b.py": "LIMIT = 3\n"}), Plan)
