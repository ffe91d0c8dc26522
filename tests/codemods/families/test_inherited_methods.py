"""A method that goes although it is called: where a base class has the same one."""

from __future__ import annotations

import pytest
from codemods.repositories import plan, refusal, texts_after

BASE = """class Field:
    def read(self, value):
        self.data = value


"""
OWN = """class Text(Field):
    def read(self, value):
        self.data = value

    def show(self):
        return self.data


"""
USE = "def run():\n    Text().read(1)\n"


def test_what_calls_it_finds_that_of_the_base() -> None:
    files = {"m.py": BASE + OWN + USE}
    own = OWN.replace("    def read(self, value):\n        self.data = value\n\n", "")
    assert texts_after("remove_definition Text.read", files)["m.py"] == BASE + own + USE
    assert any(
        "overrides that of Field" in one.reason
        for one in plan("remove_definition Text.read", files).unfollowed
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("def read(self, value):\n        self.data = value\n\n\n", "def read(self):\n        pass\n\n\n"),
        ("    def read", "    @abstractmethod\n    def read"),
        ("        self.data = value\n\n\n", "        raise NotImplementedError\n\n\n"),
        ("        self.data = value\n\n\n", "        ...\n\n\n"),
        ("        self.data = value\n\n\n", '        """Keep it."""\n\n\n'),
        ("class Field:\n    def read", "class Field:\n    def write"),
    ],
)
def test_it_stays_where_the_base_does_not_do_the_same(old: str, new: str) -> None:
    assert old in BASE
    files = {"m.py": "from abc import abstractmethod\n" + BASE.replace(old, new) + OWN + USE}
    assert "Text.read is used" in refusal("remove_definition Text.read", files).reason


def test_the_method_of_the_base_itself_is_used() -> None:
    assert "Field.read is used" in refusal("remove_definition Field.read", {"m.py": BASE + OWN + USE}).reason


@pytest.mark.parametrize(
    ("inherited", "lines"), [("pass", [13, 22]), ("return None", [13, 22]), ("return 0", []), ("yield 0", [])]
)
def test_callers_that_take_a_result_which_the_base_does_not_give_are_marked(
    inherited: str, lines: list[int]
) -> None:
    code = f"""\
class Base:
    def size(self):
        {inherited}


class Box(Base):
    def size(self):
        return 3


class Lid(Base):
    def twice(self, box: Box):
        return box.size() * 2


def shown(base: Base):
    return base.size()


def main():
    box = Box()
    n = box.size()
    box.size()
    return n
"""
    found = plan("remove_definition Box.size", {"m.py": code}).unfollowed
    assert [one.line for one in found if "gives None" in one.reason] == lines
