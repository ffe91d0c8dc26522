"""A definition that is not the only one of its name is named with its line."""

from __future__ import annotations

import ast

from intent.asking import edited

from spark_tui.intent.building.symbol_texts import symbol_text
from spark_tui.pysource.source import Function, Source

BOX = """class Box:
    @property
    def size(self):
        return self._size

    @size.setter
    def size(self, value):
        self._size = value

    def clear(self):
        self.size = 0
"""
WAYS = """import os

if os.name == "nt":

    def stop(a):
        use(a)

else:

    def stop(a):
        pass
"""


def test_only_what_is_there_twice_has_its_line() -> None:
    source = Source(BOX, "m.py")
    functions = [node for node in ast.walk(source.tree or ast.Module()) if isinstance(node, Function)]
    assert [symbol_text(source, node) for node in functions] == [
        "m.py::Box.size@3",
        "m.py::Box.size@7",
        "m.py::Box.clear",
    ]


def test_the_first_of_two_functions_of_a_name_is_changed() -> None:
    new = edited("print(a) first in stop", "insert_at_start", {"code": "print(a)", "function": "stop"}, WAYS)
    assert new == WAYS.replace("        use(a)", "        print(a)\n        use(a)")
