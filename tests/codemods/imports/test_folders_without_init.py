"""The names of modules in folders without an `__init__.py`: as the rest of the repository imports them."""

from __future__ import annotations

from codemods.repositories import texts_after

from spark_tui.pysource.files.index import Index
from spark_tui.pysource.files.tree import DictTree

APP = {
    "app/main.py": "from app import crud\n\nLIFETIME = 60\n\n\ndef run():\n    return crud.load(LIFETIME)\n",
    "app/crud.py": "def load(seconds):\n    return seconds\n",
    "scripts/go.py": "import steps\n\nLIMIT = 3\nsteps.go(LIMIT)\n",
    "scripts/steps.py": "def go(limit):\n    return limit\n",
    "tools/plain.py": "SIZE = 1\nprint(SIZE)\n",
}


def test_a_folder_is_named_where_others_name_it() -> None:
    modules = Index(DictTree(APP)).modules
    assert modules.name("app/main.py") == "app.main"
    assert modules.name("scripts/go.py") == "go"
    assert modules.name("tools/plain.py") == "plain"


def test_a_file_that_is_new_is_imported_like_those_beside_it() -> None:
    after = texts_after("move_definition(app/main.py::LIFETIME, app/settings.py)", APP)
    assert "from app.settings import LIFETIME\n" in (after["app/main.py"] or "")
    after = texts_after("move_definition(scripts/go.py::LIMIT, scripts/limits.py)", APP)
    assert "from limits import LIMIT\n" in (after["scripts/go.py"] or "")


def test_another_reading_asks_its_own_imports() -> None:
    before = Index(DictTree(APP))
    assert before.modules.name("scripts/go.py") == "go"
    after = before.with_changes({"scripts/go.py": "from scripts import steps\nsteps.go(3)\n", "new.py": ""})
    assert after.modules.name("scripts/go.py") == "scripts.go"
