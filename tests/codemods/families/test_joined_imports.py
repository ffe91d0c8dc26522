"""Imports of one module become one, and an import of several names becomes one for each."""

from __future__ import annotations

import pytest

from spark_tui.codemods.plan import Plan, Refused
from spark_tui.codemods.registry import from_json
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository


def _plan(text: str, op: str, module: str = "", **others: str) -> tuple[Plan | Refused, Repository]:
    repo = Repository(DictTree({"a.py": text, **others}))
    given = {"module": module} if module else {}
    return from_json({"op": op, "path": "a.py", **given}).plan(repo), repo


def _after(text: str, op: str, module: str = "") -> str:
    plan, repo = _plan(text, op, module)
    assert isinstance(plan, Plan), plan
    assert not plan.unfollowed
    return plan.texts(repo)["a.py"] or ""


@pytest.mark.parametrize(
    ("text", "merged"),
    [
        (
            "from json import loads\nimport os\nfrom json import dumps, loads\n\nprint(os)\n",
            "from json import dumps, loads\nimport os\n\nprint(os)\n",
        ),
        ("from m import b, a\nfrom m import c as d\n", "from m import b, a, c as d\n"),
        (
            "from m import (\n    a,\n    c,\n)\nfrom m import b\n",
            "from m import (\n    a,\n    b,\n    c,\n)\n",
        ),
        (
            f"from m import {'a' * 40}\nfrom m import {'b' * 40}\n",
            f"from m import (\n    {'a' * 40},\n    {'b' * 40},\n)\n",
        ),
        (
            "def f():\n    from m import a\n    from m import b\n    return a, b\n",
            "def f():\n    from m import a, b\n    return a, b\n",
        ),
    ],
)
def test_names_of_one_module_are_imported_by_one_statement(text: str, merged: str) -> None:
    assert _after(text, "merge_imports") == merged


def test_a_named_module_alone_is_joined() -> None:
    text = "from m import a\nfrom n import c\nfrom m import b\nfrom n import d\n"
    assert _after(text, "merge_imports", "n") == "from m import a\nfrom n import c, d\nfrom m import b\n"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("from m import a\nfrom m import b  # why\n", "'# why' would be lost"),
        ("from m import a\nfrom n import b\nfrom m import b\n", "b is imported from elsewhere there, too"),
        ("from m import a\nimport b.c\nfrom m import d as b\n", "b is imported from elsewhere there, too"),
        ("import m\nfrom m import b\n", "no two statements of a.py import names from one module"),
    ],
)
def test_what_cannot_be_joined_is_refused(text: str, reason: str) -> None:
    plan, _ = _plan(text, "merge_imports")
    assert isinstance(plan, Refused)
    assert reason in plan.reason


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("from m import a\nprint(a)\nfrom m import b\n", "it runs behind the import of all names now"),
        ("from m import a\nimport n\nfrom m import b\n", "in another order now"),
    ],
)
def test_what_may_do_something_else_then_is_named(text: str, reason: str) -> None:
    files = {"m/__init__.py": "", "m/a.py": "", "m/b.py": "import n\nn.held = 2\n", "n.py": "held = 1\n"}
    plan, _ = _plan(text, "merge_imports", "m", **files)
    assert isinstance(plan, Plan)
    assert any(reason in one.reason for one in plan.unfollowed)


@pytest.mark.parametrize(
    ("text", "module", "parted"),
    [
        ("import os, sys as s  # noqa\n", "", "import os  # noqa\nimport sys as s  # noqa\n"),
        ("from m import (a,\n    b)\n", "m", "from m import a\nfrom m import b\n"),
        ("from . import a, b\nimport c, d\n", "c", "from . import a, b\nimport c\nimport d\n"),
        ("if x:\n    import a, b\n", "b", "if x:\n    import a\n    import b\n"),
    ],
)
def test_an_import_is_parted(text: str, module: str, parted: str) -> None:
    assert _after(text, "split_import", module) == parted


@pytest.mark.parametrize("text", ["import a\n", "from m import a, b\n", "x = 1; import a, b\n"])
def test_nothing_is_parted_where_there_are_no_lines_for_it(text: str) -> None:
    assert isinstance(_plan(text, "split_import")[0], Refused)


def test_of_two_imports_that_give_one_name_the_last_stays_the_last() -> None:
    after = _after("from m import z as a\nfrom m import b as a\n", "merge_imports")
    assert after == "from m import z as a, b as a\n"


def test_a_relative_module_may_be_named_without_its_dots() -> None:
    apart = "from .m import a\nfrom .m import b\n"
    assert _after("from .m import a, b\n", "split_import", "m") == apart
    assert _after(apart, "merge_imports", "m") == "from .m import a, b\n"
    assert _after("from .m import a, b\n", "split_import", ".m") == apart
