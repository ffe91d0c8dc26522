"""An expression that stands at very many places of one statement is replaced with one look at it."""

from __future__ import annotations

from typing import Any

import pytest

from spark_tui.codemods.families.values.replacement import ReplaceExpression
from spark_tui.codemods.plan import Plan
from spark_tui.codemods.rewriting import edits
from spark_tui.codemods.slots import Expression, Place
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository


def replaced(code: str, old: str, new: str) -> str:
    call = ReplaceExpression(Place.parse("in a.py"), Expression(old), Expression(new), every=True)
    repo = Repository(DictTree({"a.py": code}))
    plan = call.plan(repo)
    assert isinstance(plan, Plan)
    return plan.texts(repo)["a.py"] or ""


def test_many_places_are_checked_together(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = []
    parses_to = edits.parses_to

    def counted(*given: Any) -> bool:
        looks.append(given)
        return parses_to(*given)

    monkeypatch.setattr(edits, "parses_to", counted)
    line = ", ".join(["1"] * 200)
    assert replaced(f"X = [{line}]\n", "1", "2") == f"X = [{line.replace('1', '2')}]\n"
    assert len(looks) == 1


def test_each_of_several_places_has_the_brackets_that_it_needs() -> None:
    assert replaced("x = f(a) * a\n", "a", "b + 1") == "x = f(b + 1) * (b + 1)\n"
