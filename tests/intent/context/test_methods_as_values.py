"""What is meant by the name of a method where a value is looked at."""

from __future__ import annotations

import ast

import pytest

from spark_tui.intent.context.visible import Visible
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.syntax.walking import find_nodes

CODE = """class Emitter:
    def listeners(self, event):
        return self.known[event]

    def emit(self, event):
        pass

    def close(self):
        pass
"""


@pytest.mark.parametrize(("function", "code"), [("emit", "len(self.listeners(event))"), ("close", None)])
def test_a_number_is_one_of_what_a_method_returns(function: str, code: str | None) -> None:
    repo = Repository(DictTree({"bus.py": CODE}))
    methods = find_nodes(repo.index.source("bus.py").tree, ast.FunctionDef)
    node = next(one for one in methods if one.name == function)
    assert Visible(repo, "bus.py", node).expression("the number of listeners") == code
