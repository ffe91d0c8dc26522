"""The order of imports, in groups and without."""

from __future__ import annotations

from spark_tui.codemods.plan import Plan
from spark_tui.codemods.registry import from_json
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

TEXT = (
    "import os\nimport httpx\nimport ast\n\nimport zlib\nimport json\n\nprint(os, httpx, ast, zlib, json)\n"
)


def test_without_groups_only_lines_that_stand_together_are_sorted() -> None:
    repo = Repository(DictTree({"a.py": TEXT}))
    plan = from_json({"op": "sort_imports", "path": "a.py", "groups": "no"}).plan(repo)
    assert isinstance(plan, Plan)
    assert (plan.texts(repo)["a.py"] or "").startswith(
        "import ast\nimport httpx\nimport os\n\nimport json\nimport zlib\n\nprint"
    )


def _sorted(text: str) -> str:
    repo = Repository(DictTree({"a.py": text}))
    plan = from_json({"op": "sort_imports", "path": "a.py"}).plan(repo)
    assert isinstance(plan, Plan), plan
    return plan.texts(repo)["a.py"] or ""


def test_several_modules_on_one_line_become_a_line_each() -> None:
    assert (
        _sorted("import sys, os as o\n\nprint(sys, o)\n") == "import os as o\nimport sys\n\nprint(sys, o)\n"
    )
    kept = "import re\nimport sys, os  # all\n\nprint(sys, os, re)\n"
    assert "import sys, os  # all\n" in _sorted("import zlib\n" + kept)
