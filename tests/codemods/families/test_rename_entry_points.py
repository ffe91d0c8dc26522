"""A rename follows into settings that name a function as an object of its module."""

from __future__ import annotations

from spark_tui.codemods.checks.harm import check
from spark_tui.codemods.plan import Plan
from spark_tui.codemods.registry import parse
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

FILES = {
    "shop/__init__.py": "",
    "shop/cli.py": "def main():\n    return 0\n",
    "shop/other.py": "def main():\n    return 1\n",
    "pyproject.toml": '[project.scripts]\na = "shop.cli:main"\nb = "shop.other:main"\n',
    "setup.cfg": "[options.entry_points]\nconsole_scripts =\n    a = shop.cli:main\n  b = shop.cli:main2\n",
}


def test_an_entry_point_follows_the_function() -> None:
    repo = Repository(DictTree(FILES))
    plan = parse("rename shop/cli.py::main run").plan(repo)
    assert isinstance(plan, Plan)
    texts = plan.texts(repo)
    assert texts["pyproject.toml"] == FILES["pyproject.toml"].replace('"shop.cli:main"', '"shop.cli:run"')
    assert texts["setup.cfg"] == FILES["setup.cfg"].replace("cli:main\n", "cli:run\n")
    assert set(texts) == {"shop/cli.py", "pyproject.toml", "setup.cfg"}
    assert plan.unmarked
    assert check(repo, repo.with_changes(texts), plan.paths) == []


def planned(call: str, files: dict[str, str]) -> Plan:
    plan = parse(call).plan(Repository(DictTree(files)))
    assert isinstance(plan, Plan)
    return plan


def test_a_text_that_names_a_module_and_what_is_in_it_follows() -> None:
    files = {"apps.py": "app = 1\n", "main.py": "serve('apps:app')\n", "b.py": ""}
    found = planned("rename apps.py::app site", files)
    assert found.unmarked
    assert found.texts(Repository(DictTree(files)))["main.py"] == "serve('apps:site')\n"
    moved = planned("move_definition apps.py::app b.py", files)
    assert moved.texts(Repository(DictTree(files)))["main.py"] == "serve('b:app')\n"
