"""The texts that a plan makes are made once for each repository."""

from __future__ import annotations

from spark_tui.codemods.plan import Edit, Plan
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository


def test_texts_are_made_once_for_a_repository_and_anew_for_another() -> None:
    repo = Repository(DictTree({"a.py": "x = 1\n"}))
    plan = Plan((Edit("a.py", 0, 1, "y"),))
    first = plan.texts(repo)
    assert first == {"a.py": "y = 1\n"}
    assert plan.texts(repo) is first
    assert plan.texts(repo.with_changes({"a.py": "x = 1  # one\n"})) == {"a.py": "y = 1  # one\n"}
