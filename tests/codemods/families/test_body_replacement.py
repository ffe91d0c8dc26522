"""A body that is replaced keeps the docstring."""

from __future__ import annotations

import pytest

from spark_tui.codemods.plan import Plan
from spark_tui.codemods.registry import from_json
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

HEAD = 'def f(a):\n    """Say a."""\n'


@pytest.mark.parametrize(
    "code, after",
    [
        ("return []", f"{HEAD}    return []\n"),
        ('"""Other."""\nreturn a', 'def f(a):\n    """Other."""\n    return a\n'),
    ],
)
def test_a_docstring_stays_unless_another_is_given(code: str, after: str) -> None:
    repo = Repository(DictTree({"a.py": f"{HEAD}    print(a)\n    return a\n"}))
    plan = from_json({"op": "replace_statements", "place": "in a.py::f", "code": code}).plan(repo)
    assert isinstance(plan, Plan)
    assert plan.texts(repo)["a.py"] == after
