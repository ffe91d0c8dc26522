"""Which uses of a function run it while a module is imported."""

from __future__ import annotations

import pytest
from codemods.repositories import plan, repository

from spark_tui.codemods.checks.harm import checked

MARK = "it may run when the module is imported, which is not tried"


def is_marked(call: str, files: dict[str, str]) -> bool:
    return MARK in [one.reason for one in checked(plan(call, files), repository(files)).unfollowed]


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("import n\n\nREADY = n.find()", False),
        ("ACTIONS = {'find': lambda host: host.finder.find()}", False),
        ("def shown(host):\n    return host.finder.find()", False),
        ("import other\n\nREADY = other.finder.find()", True),
        ("import shop\n\nREADY = shop.Shelf().find()", True),
        ("import deco\n\nREADY = deco.find()", True),
        ("import made\n\nREADY = made.find()", True),
        ("import ext\n\nREADY = sorted(ext.load(), key=lambda one: one.find())", True),
        ("import ext\n\nREADY = (lambda one: one.find())(ext.load())", True),
    ],
)
def test_only_a_use_that_may_mean_the_function_runs_it_on_import(text: str, marked: bool) -> None:
    files = {
        "shop.py": "import sys\n\n\nclass Shelf:\n    def find(self):\n        return 1\n",
        "n.py": "from functools import cache, partial\n\nfind = cache(partial(int, 3))\n",
        "box.py": "class Box:\n    def find(self):\n        return 2\n",
        "deco.py": "from shop import Shelf\n\nfind = Shelf().find\n",
        "made.py": "import ext\n\nfind = ext.load().find\n",
        "user.py": f"{text}\n",
        "main.py": "import user, box, shop\n",
    }
    assert is_marked("set_return Shelf.find 7", files) is marked


def test_the_setter_of_a_property_does_not_run_its_getter() -> None:
    text = "class A:\n    @property\n    def size(self):\n        return 1 + 2\n\n"
    text += "    @size.setter\n    def size(self, size):\n        pass\n"
    files = {"m.py": text, "user.py": "import m\n"}
    assert not is_marked("change_operator m.py:4 + -", files)
