# ruff: noqa: E501 - cases read better unbroken
"""Decorators are put on, taken off, and bring what they need."""

from __future__ import annotations

import pytest
from signature_texts import made

from spark_tui.refactor import signatures


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """What other families make of the same words is theirs."""
    monkeypatch.setattr("spark_tui.refactor.known.RULES", signatures.RULES)


LAMP = """import functools


class Lamp:
    def is_on(self):
        return self.mode > 0

    def parse(self, text):
        return text.split(",")

    def default(self):
        return self.table["default"]

    @functools.cache
    @staticmethod
    def table(size):
        return size


def main():
    lamp = Lamp()
    if lamp.is_on():
        print(lamp.parse("a,b"))
"""


@pytest.mark.parametrize(
    ("instruction", "changes"),
    [
        ("make is_on a property", [("    def is_on", "    @property\n    def is_on"), ("lamp.is_on()", "lamp.is_on")]),
        ("is_on should be a cached property", [("    def is_on", "    @functools.cached_property\n    def is_on"), ("lamp.is_on()", "lamp.is_on")]),
        ("put @retry(3) on main", [("def main", "@retry(3)\ndef main")]),
        ("decorate main with `@app.command()`", [("def main", "@app.command()\ndef main")]),
        ("main + @timed", [("def main", "@timed\ndef main")]),
        ("memoize main", [("def main", "@functools.cache\ndef main")]),
        ("parse should be a static method", [("    def parse(self, text)", "    @staticmethod\n    def parse(text)")]),
        ("parse doesn't use self, make it static", [("    def parse(self, text)", "    @staticmethod\n    def parse(text)")]),
        ("turn default into a classmethod", [("    def default(self)", "    @classmethod\n    def default(cls)"), ('self.table["', 'cls.table["')]),
        ("remove the @staticmethod from table", [("    @staticmethod\n", "")]),
        ("drop functools.cache from table", [("    @functools.cache\n", "")]),
        ("table without any decorators", [("    @functools.cache\n    @staticmethod\n", "")]),
    ],
)  # fmt: skip
def test_decorators_come_and_go(instruction: str, changes: list[tuple[str, str]]) -> None:
    wanted = LAMP
    for old, new in changes:
        assert old in wanted
        wanted = wanted.replace(old, new)
    assert made(LAMP, instruction) == [(wanted, 2)]


@pytest.mark.parametrize(
    "instruction",
    [
        "make is_on static",
        "make parse a property",
        "table should be a staticmethod",
        "remove the @property from is_on",
        "is_on should return a property",
        "don't make is_on a property",
        "should is_on be a property?",
    ],
)
def test_what_may_not_be_or_is_so_is_left(instruction: str) -> None:
    assert made(LAMP, instruction) == []


@pytest.mark.parametrize(
    ("top", "instruction", "line"),
    [
        ("import unittest\n\n\n", 'skip test_old with the reason "outdated"', '    @unittest.skip("outdated")\n'),
        ("import pytest\n\n\n", "skip test_old, reason 'slow'", "    @pytest.mark.skip(reason='slow')\n"),
    ],
)
def test_a_test_is_skipped_in_the_way_of_the_file(top: str, instruction: str, line: str) -> None:
    text = top + "class TestAll(unittest.TestCase):\n    def test_old(self):\n        pass\n"
    assert made(text, instruction) == [(text.replace("    def", line + "    def"), 2)]


def test_an_import_comes_with_it() -> None:
    text = "import sys\n\n\nprint(sys.argv)\n\n\ndef fib(n):\n    return n if n < 2 else fib(n - 1) + fib(n - 2)\n"
    wanted = text.replace("import sys\n", "import sys\nfrom functools import lru_cache\n").replace(
        "def", "@lru_cache(maxsize=None)\ndef", 1
    )
    assert made(text, "put @lru_cache(maxsize=None) on fib") == [(wanted, 2)]
