"""A literal becomes a constant of its class where the words say so."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed
from intent.support import PATH

from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

CODE = """class Reader:
    SIZE = 3

    def read(self, file):
        return file.read(2048)

    @classmethod
    def peek(cls, file):
        return file.read(16), file.seek(16)

    @staticmethod
    def skip(file):
        file.seek(512)


def drop(file):
    file.seek(99)
"""


@pytest.mark.parametrize(
    ("said", "value", "new"),
    [
        ("extract the {} in read into a class constant CHUNK", "2048", "file.read(self.CHUNK)"),
        ("the {} in read as a class-level constant CHUNK", "2048", "file.read(self.CHUNK)"),
        ("die {} in read als Klassenkonstante CHUNK", "2048", "file.read(self.CHUNK)"),
        ("make {} a class attribute CHUNK", "16", "file.read(cls.CHUNK), file.seek(cls.CHUNK)"),
        ("make {} a constant CHUNK of the class", "2048", "file.read(self.CHUNK)"),
        ("turn {} into a constant `CHUNK` of the Reader class", "2048", "file.read(self.CHUNK)"),
        ("constante de classe CHUNK pour {}", "512", "file.seek(Reader.CHUNK)"),
    ],
)
def test_a_constant_of_the_class(said: str, value: str, new: str) -> None:
    text = said.format(value)
    made = changed(CODE, text, "extract_constant", value=value, name="CHUNK")
    assert f"    SIZE = 3\n    CHUNK = {value}\n" in made and new in made
    assert made.count(value) == 1


def test_defaults_and_decorators_have_no_object() -> None:
    head = "    @keep(8)\n    def read(self, file, size=8):\n"
    code = f"class Reader:\n{head}        return file.read(8 + size)\n"
    text = "make the 8 in read a class constant SIZE"
    found = answer_to(code, text, "extract_constant", value="8", name="SIZE", function="read")
    made = [way.plan.texts(Repository(DictTree({PATH: code})))[PATH] or "" for way in found.ways]
    assert f"class Reader:\n    SIZE = 8\n\n{head}        return file.read(self.SIZE + size)\n" in made
    assert all("=self" not in one and "(self.SIZE)" not in one for one in made)


def test_a_property_with_a_setter_is_a_place() -> None:
    pair = "    @property\n    def at(self):\n        return {} + 1\n\n"
    pair += "    @at.setter\n    def at(self, x):\n        self.x = 1\n"
    code = "class Reader:\n" + pair.format("2048")
    made = changed(code, "make 2048 a class constant SIZE", "extract_constant", value="2048", name="SIZE")
    assert made == "class Reader:\n    SIZE = 2048\n\n" + pair.format("self.SIZE")


def test_without_a_class_it_is_one_of_the_module() -> None:
    answer = answer_to(CODE, "make 99 a class constant FAR", "extract_constant", value="99", name="FAR")
    assert any("constant of the module" in mark for mark in answer.ways[0].marked)
    made = changed(CODE, "make 2048 a constant CHUNK", "extract_constant", value="2048", name="CHUNK")
    assert made.startswith("CHUNK = 2048\n")


def test_not_a_class_constant_is_one_of_the_module() -> None:
    text = "make 2048 a module constant CHUNK, not a class constant"
    assert changed(CODE, text, "extract_constant", value="2048", name="CHUNK").startswith("CHUNK = 2048\n")
