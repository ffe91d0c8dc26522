"""A Python file that cannot be read may use whatever an edit takes away."""

from __future__ import annotations

from pathlib import Path

import pytest

from spark_tui.codemods import registry
from spark_tui.codemods.checks.harm import check
from spark_tui.codemods.plan import Plan
from spark_tui.pysource.files.tree import DiskTree
from spark_tui.pysource.repository import Repository


@pytest.mark.parametrize(
    ("call", "name"),
    [("rename(total, add)", "total"), ("remove_parameter(total, b)", "total"), ("rename(total.b, c)", "b")],
)
@pytest.mark.parametrize(("data", "unread"), [(b"# \xff\nimport a\n", True), (b"import a\n", False)])
def test_it_is_named_with_the_edit(tmp_path: Path, call: str, name: str, data: bytes, unread: bool) -> None:
    (tmp_path / "a.py").write_text("def total(a, b=0):\n    return a\n")
    (tmp_path / "b.py").write_bytes(data)
    repo = Repository(DiskTree(tmp_path))
    plan = registry.parse(call).plan(repo)
    assert isinstance(plan, Plan)
    changes = plan.texts(repo)
    told = [*plan.unfollowed, *check(repo, repo.with_changes(changes), list(changes), ("hidden uses",))]
    assert [item.reason for item in told if item.path == "b.py"] == (
        [f"the file cannot be read and may use {name}"] if unread else []
    )
