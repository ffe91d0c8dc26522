"""Any or all of a list."""

from __future__ import annotations

import pytest

from spark_tui.codemods.families.patterns import ApplyPattern
from spark_tui.codemods.plan import Plan
from spark_tui.codemods.slots import Place
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository


@pytest.mark.parametrize(
    ("name", "body", "wanted"),
    [
        ("any", "return any([x > 1 for x in xs])", "return any(x > 1 for x in xs)"),
        ("any", "return all([x > 1 for x in xs if x])", "return all(x > 1 for x in xs if x)"),
    ],
)
def test_the_forms_are_written(name: str, body: str, wanted: str) -> None:
    repo = Repository(DictTree({"m.py": f"def f(xs):\n    {body}\n"}))
    plan = ApplyPattern(name, Place(side="in", symbol="m.py::f")).plan(repo)
    assert isinstance(plan, Plan)
    assert plan.texts(repo)["m.py"] == f"def f(xs):\n    {wanted}\n"
