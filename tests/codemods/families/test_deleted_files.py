"""A file goes only if nothing imports it."""

from __future__ import annotations

import pytest

from spark_tui.codemods.families.names.deleted_files import DeleteFile
from spark_tui.codemods.plan import Plan, Refused
from spark_tui.codemods.slots import FilePath
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

CODE = "def total():\n    return 1\n"


def deleted(path: str, files: dict[str, str]) -> Plan | Refused:
    return DeleteFile(FilePath(path)).plan(Repository(DictTree(files)))


def test_a_file_that_nothing_imports_goes_with_its_stub() -> None:
    found = deleted("m.py", {"m.py": CODE, "m.pyi": "def total() -> int: ...\n", "n.py": "x = 1\n"})
    assert isinstance(found, Plan) and found.unmarked
    assert set(found.removed) == {"m.py", "m.pyi"}


@pytest.mark.parametrize("line", ["import m", "from m import total", "from m import *"])
def test_a_file_that_is_imported_is_refused_with_what_imports_it(line: str) -> None:
    found = deleted("m.py", {"m.py": CODE, "a.py": f"{line}\n", "b.py": "x = 1\n"})
    assert isinstance(found, Refused) and found.why == "used"
    assert "m.py is imported by a.py" in found.reason and "b.py" not in found.reason


@pytest.mark.parametrize("path", ["p/__init__.py", "conftest.py"])
def test_a_file_whose_name_has_a_meaning_stays(path: str) -> None:
    assert isinstance(deleted(path, {path: CODE}), Refused)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("Makefile.toml", "run = 'python m.py'\n"),
        ("pyproject.toml", '[project.scripts]\nm = "m:total"\n'),
        ("a.py", "import runpy\n\nrunpy.run_path('m.py')\n"),
        ("a.py", "from importlib import import_module\n\n\ndef load(name):\n    import_module(f'm{name}')\n"),
        ("a.py", "from importlib import import_module\n\nmodule = import_module('m')\n"),
    ],
)
def test_what_may_use_a_file_by_its_name_is_marked(path: str, text: str) -> None:
    found = deleted("m.py", {"m.py": CODE, path: text})
    assert isinstance(found, Plan) and [one.path for one in found.unfollowed] == [path]


@pytest.mark.parametrize(
    ("path", "text", "marked"),
    [
        ("manage.py", 'import os\n\nos.environ["DJANGO_SETTINGS_MODULE"] = "shop.settings"\n', True),
        ("pytest.ini", "[pytest]\nDJANGO_SETTINGS_MODULE = shop.settings\n", True),
        ("notes.txt", "shop.settings_local, workshop.settings and shop/settings\n", False),
    ],
)
def test_a_module_of_a_package_is_named_wherever_its_whole_name_stands(
    path: str, text: str, marked: bool
) -> None:
    found = deleted("shop/settings.py", {"shop/settings.py": CODE, "shop/__init__.py": "", path: text})
    assert isinstance(found, Plan) and [one.path for one in found.unfollowed] == [path] * marked


def test_an_import_by_a_text_is_shown_whole() -> None:
    found = deleted("m.py", {"m.py": CODE, "a.py": "import importlib\n\nimportlib.import_module('m')\n"})
    assert isinstance(found, Plan)
    assert [one.reason for one in found.unfollowed] == ["import_module('m') may be used there"]


@pytest.mark.parametrize(
    ("module", "text"),
    [
        ("shop.urls", 'ROOT_URLCONF = "shop.urls"\n'),
        ("shop.urls", "import importlib\n\nimportlib.import_module('shop.urls')\n"),
        ("urls", "import importlib\n\nimportlib.import_module('urls')\n"),
        ("urls", 'pytest_plugins = ["urls"]\n'),
    ],
)
def test_a_text_that_is_the_name_of_the_module_is_marked(module: str, text: str) -> None:
    path = module.replace(".", "/") + ".py"
    found = deleted(path, {path: CODE, "shop/__init__.py": "", "settings.py": text})
    assert isinstance(found, Plan) and [one.path for one in found.unfollowed] == ["settings.py"]


def test_a_word_in_quotes_is_no_module() -> None:
    found = deleted("m.py", {"m.py": CODE, "a.py": 'KEY = "m"\n'})
    assert isinstance(found, Plan) and found.unmarked


def test_an_import_in_a_file_that_does_not_parse_is_marked() -> None:
    found = deleted("m.py", {"m.py": CODE, "a.py": "from m import f\n\nprint(\n"})
    assert isinstance(found, Plan) and [one.path for one in found.unfollowed] == ["a.py"]


def test_an_import_of_another_module_of_that_name_is_none() -> None:
    files = {
        "shop/m.py": CODE,
        "shop/__init__.py": "",
        "m/__init__.py": "f = 1\n",
        "a.py": "from m import f\n",
    }
    found = deleted("shop/m.py", files)
    assert isinstance(found, Plan) and found.unmarked
