"""A module gets another path: imports, chains of attributes, strings and `__all__` follow."""

from __future__ import annotations

import itertools

import pytest
from codemods.repositories import changed_lines, plan, refusal, repository

from spark_tui.codemods.checks.harm import checked
from spark_tui.codemods.hunks import hunks_of_plan

FILES = {
    "shop/__init__.py": "from . import cart\nfrom .cart import total\n\n__all__ = ['cart', 'total']\n",
    "shop/cart.py": "from . import tools\nfrom .tools import x\n\n\ndef total(a):\n    return a\n",
    "shop/tools.py": "x = 1\n\n\ndef f():\n    from . import cart\n    return cart.total(1)\n",
    "store/__init__.py": "",
    "app.py": "import shop.cart\nimport shop.cart as sc\nfrom shop import cart\n"
    "from shop.cart import total\n\n"
    "print(shop.cart.total(1), sc.total, cart.total, 'shop.cart.total')\n",
    "clash.py": "from shop import cart\n\nbasket = cart.total(2)\n",
    "solo.py": "y = 2\n",
    "user.py": "import solo\n\nprint(solo.y)\n",
    "pyproject.toml": '[project.scripts]\nshop = "shop.cart:total"\n',
}


def moved(call: str) -> dict[str, str | None]:
    found = checked(plan(call, FILES), repository(FILES))
    assert found.findings == ()
    return found.texts(repository(FILES))


def test_every_form_of_import_follows_a_new_name() -> None:
    texts = moved("rename_module shop/cart.py basket")
    assert texts["shop/cart.py"] is None
    assert texts["shop/basket.py"] == FILES["shop/cart.py"]
    for path in ("shop/__init__.py", "shop/tools.py", "app.py"):
        assert texts[path] == FILES[path].replace("cart", "basket")


def test_a_name_that_is_taken_in_a_file_keeps_the_old_one_there() -> None:
    text = moved("rename_module shop/cart.py basket")["clash.py"]
    assert text == FILES["clash.py"].replace("import cart", "import basket as cart")


def test_in_another_folder_relative_imports_become_absolute() -> None:
    texts = moved("rename_module shop/cart.py store/cart.py")
    assert texts["store/cart.py"] == FILES["shop/cart.py"].replace("from . ", "from shop ").replace(
        "from .tools", "from shop.tools"
    )
    assert str(texts["shop/__init__.py"]).startswith("from store import cart\nfrom store.cart import total\n")
    assert "return store" not in str(texts["shop/tools.py"])
    assert "from store import cart" in str(texts["shop/tools.py"])
    assert "store.cart.total(1), sc.total, cart.total, 'store.cart.total'" in str(texts["app.py"])


def test_a_module_at_the_top_takes_its_uses_along() -> None:
    texts = moved("rename_module solo.py alone")
    assert texts["user.py"] == "import alone\n\nprint(alone.y)\n"


def test_a_package_that_imports_the_module_back_is_named() -> None:
    files = {**FILES, "store/__init__.py": "import app\n"}
    found = plan("rename_module shop/cart.py store/cart.py", files)
    assert "imports it back" in " ".join(unfollowed.reason for unfollowed in found.unfollowed)


def test_other_files_that_mention_it_are_named() -> None:
    found = plan("rename_module shop/cart.py basket", FILES)
    assert [(unfollowed.path, unfollowed.line) for unfollowed in found.unfollowed] == [("pyproject.toml", 2)]


def test_the_plan_becomes_a_move_with_edits_under_the_old_name() -> None:
    files = {**FILES, "shop/cart.py": "import shop.cart\n"}
    found = plan("rename_module shop/cart.py basket", files)
    made = hunks_of_plan(found, repository(files), itertools.count(1).__next__)
    of_file = [(hunk.kind, hunk.new_path, hunk.new_lines) for hunk in made if hunk.path == "shop/cart.py"]
    assert of_file == [("move", "shop/basket.py", ()), ("edit", "", ("import shop.basket",))]
    assert not [hunk for hunk in made if hunk.path == "shop/basket.py"]


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        ("rename_module shop/cart.py tools", "exists already"),
        ("rename_module shop/cart.py class", "not a valid module name"),
        ("rename_module shop/cart.py cart", "already called cart"),
        ("rename_module shop/cart.py ../cart.py", "not the path"),
        ("rename_module shop/cart.py cart.txt", "not a valid module name"),
        ("rename_module shop/__init__.py other", "meaning of its own"),
        ("rename_module solo.py json", "standard library"),
        ("rename_module nothing.py other", "no such file"),
    ],
)
def test_what_cannot_be_renamed_is_refused_with_its_reason(call: str, reason: str) -> None:
    assert reason in str(refusal(call, FILES))


def test_a_file_in_place_of_a_symbol_names_what_renames_files() -> None:
    assert "rename_module" in str(refusal("rename app.py application.py", FILES))


PACKAGE = {"pkg/__init__.py": "", "pkg/worker.py": "X = 1\n", "other/__init__.py": ""}


@pytest.mark.parametrize(
    ("call", "files", "said"),
    [
        ("worker.py runner", {"main.py": "run(['python', '-m', 'worker'])\n"}, "a string mentions -m worker"),
        ("worker.py runner", {"main.py": "run('python -m worker')\n"}, "a string mentions -m worker"),
        ("worker.py runner", {"Makefile": "run:\n\tpython -m worker\n"}, "it mentions -m worker"),
        ("worker.py runner", {"main.py": "run('worker.py')\n"}, "a string mentions worker.py"),
        ("pkg/worker.py runner", {"main.py": "run(HERE / 'worker.py')\n"}, "a string mentions worker.py"),
        (
            "worker.py requests",
            {"main.py": "import requests.auth\n"},
            "requests is imported there, which would be this file",
        ),
        (
            "pkg/worker.py runner",
            {"pkg/__init__.py": "def runner():\n    return 1\n"},
            "runner is another name of the package",
        ),
        (
            "pkg/worker.py runner",
            {"pkg/__init__.py": "def __getattr__(n):\n    return n == 'worker'\n"},
            "the string 'worker' may mean it",
        ),
        (
            "pkg/worker.py runner",
            {"pkg/__init__.py": "__all__ = ['worker']\n", "main.py": "from pkg import *\nprint(worker)\n"},
            "import * brings worker by its name",
        ),
        (
            "pkg/worker.py other/worker.py",
            {"pkg/worker.py": "X = __file__\n"},
            "__file__ is another one there",
        ),
        (
            "worker.py runner",
            {"worker.py": "import pickle\n\n\nclass C:\n    pass\n"},
            "what is stored of C names its module and the class as they were",
        ),
    ],
)
def test_who_knows_a_module_by_text_or_has_its_new_name_is_named(call, files, said) -> None:
    top = {"worker.py": "X = 1\n"} if call.startswith("worker") else {}
    found = plan(f"rename_module {call}", {**PACKAGE, **top, **files})
    assert said in {one.reason for one in found.unfollowed}


def test_the_list_of_a_package_and_a_module_that_is_run_by_name_follow() -> None:
    files = {
        **PACKAGE,
        "pkg/__init__.py": "__all__ = ['worker']\n",
        "worker.py": "X = 1\n",
        "main.py": "import runpy\n\nrunpy.run_module('worker')\n",
    }
    found = plan("rename_module pkg/worker.py runner", files)
    assert found.unmarked
    assert found.texts(repository(files))["pkg/__init__.py"] == "__all__ = ['runner']\n"
    found = plan("rename_module worker.py runner", files)
    assert "run_module('runner')" in str(found.texts(repository(files))["main.py"])


def test_a_module_that_a_package_offers_by_a_star_import_of_its_importer_keeps_its_name() -> None:
    files = {
        "shop/__init__.py": "from shop.tools import *\n",
        "shop/tools.py": "from shop import checks\n\n\ndef f():\n    return checks.g()\n",
        "shop/checks.py": "def g():\n    return 1\n",
        "use.py": "import shop\n\nshop.checks.g()\n",
    }
    assert changed_lines("rename shop/tools.py::checks tests", files) == {
        "shop/tools.py": ["from shop import checks as tests", "return tests.g()"]
    }
