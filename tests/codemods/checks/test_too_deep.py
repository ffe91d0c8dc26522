"""What the checks cannot look at is marked, not offered as if it was checked."""

from __future__ import annotations

import pytest
from codemods.repositories import refusal

from spark_tui.codemods.checks import harm
from spark_tui.codemods.plan import Edit, Plan
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository


def test_a_plan_about_code_that_is_nested_too_deeply_is_marked(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_deep(*_: object) -> list[harm.Finding]:
        raise RecursionError

    repo = Repository(DictTree({"a.py": "x = 1\n"}))
    plan = Plan((Edit("a.py", 4, 5, "2"),))
    assert harm.checked(plan, repo).unmarked
    monkeypatch.setattr(harm, "check", too_deep)
    found = harm.checked(Plan((Edit("a.py", 4, 5, "3"),)), repo)
    assert not found.unmarked and not found.checked
    assert harm.checked(found, repo) == found


def test_a_file_with_a_chain_that_is_too_deep_is_refused_like_one_that_does_not_parse() -> None:
    chain = "x = a" + ".b()" * 900 + "\n"
    found = refusal("rename f g", {"m.py": "def f():\n    pass\n\n\n" + chain})
    assert "m.py does not parse" in found.reason
