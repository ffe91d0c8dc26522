"""What of two texts has to be compared."""

import ast
import random

import pytest

from spark_tui.pysource import tree_comparison
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.parsing import compile_error
from spark_tui.pysource.tree_comparison import changed_members, changed_statements, still_compiles

OLD = """import os

def one(a):
    return a

@cached
def two(): pass

x = 1; y = 2

class C:
    z = 1
"""


def changed(old: str, new: str) -> tuple[list[str], list[str]]:
    sources = Source(old), Source(new)
    found = changed_statements(*sources)
    first, second = (
        [source.segment(item) for item in each] for source, each in zip(sources, found, strict=True)
    )
    return first, second


@pytest.mark.parametrize(
    ("old", "new", "first", "second"),
    [
        ("return a", "return a + 1", ["def one(a):\n    return a"], ["def one(a):\n    return a + 1"]),
        ("@cached", "@cache", ["def two(): pass"], ["def two(): pass"]),
        ("x = 1; y = 2", "x = 1; y = 3", ["x = 1", "y = 2"], ["x = 1", "y = 3"]),
        ("import os\n", "import os\nimport re\n", [], ["import re"]),
        ("import os\n", "# A comment.\nimport os\n", [], []),
        ("    ", "  ", ["def one(a):\n    return a", "class C:\n    z = 1"], None),
    ],
)
def test_only_statements_that_changed_are_compared(old, new, first, second):
    found = changed(OLD, OLD.replace(old, new))
    assert found[0] == first
    assert second is None or found[1] == second


def test_what_does_not_parse_is_compared_whole():
    assert changed(OLD, "def (")[1] == []
    assert len(changed(OLD, "def (")[0]) == 6


@pytest.mark.parametrize("seed", range(40))
def test_what_is_left_out_stands_alike_in_both(seed):
    """The texts of the statements that are left out are the same, in the same order."""
    chance = random.Random(seed)
    parts = [f"v{at} = {at}" if at % 3 else f"def f{at}():\n    return {at}" for at in range(12)]
    others = [chance.choice([part, part, part, part + "  # new", "added = 1\n" + part, ""]) for part in parts]
    old, new = Source("\n".join(parts) + "\n"), Source("\n".join(others) + "\n")
    left = [
        [source.segment(stmt) for stmt in source.tree.body if stmt not in found]
        for source, found in zip((old, new), changed_statements(old, new), strict=True)
    ]
    assert left[0] == left[1]


INSIDE = """class Outer(Base):
    \"\"\"Text.\"\"\"

    def first(self): return 1

    class Inner:
        x = 1

        @cached
        def second(self):
            return 2


class One: y = 1
"""


@pytest.mark.parametrize(
    ("old", "new", "where", "left"),
    [
        ("return 2", "return 3", "Outer.Inner.", "def second(self):\n            return 3"),
        ("x = 1", "x = 1\n        z = 2", "Outer.Inner.", "z = 2"),
        ("return 1", "return 3", "Outer.", "def first(self): return 3"),
        ("class Inner:", "class Inner(Base):", "Outer.", None),
        ("(Base)", "(Other)", "", None),
        ("y = 1", "y = 2", "", "class One: y = 2"),
        ("class Outer", "@kept\nclass Outer", "", None),
    ],
)
def test_members_that_changed_are_those_of_the_class_that_keeps_its_head(old, new, where, left):
    sources = Source(INSIDE), Source(INSIDE.replace(old, new))
    found = changed_members(*sources)
    assert found[0] == where
    assert left is None or [sources[1].segment(item) for item in found[2]] == [left]


_METHODS = "class A:\n    x = 1\n    def f(self):\n        return 1\n    def g(self):\n        return 2\n"


@pytest.mark.parametrize(
    "put",
    [
        "        self.x = 3\n",
        "        break\n",
        "        global x\n",
        "        nonlocal x\n",
        "    global x\n",
        "    x: int = 2\n    nonlocal x\n",
        "    return 1\n",
        "    from a import *\n",
        "    from __future__ import annotations\n",
        "    @property\n",
        "    class B:\n        def g(self, a, a): pass\n",
    ],
)
def test_what_still_compiles_by_its_changed_members_compiles(put: str) -> None:
    lines = _METHODS.splitlines(keepends=True)
    for at in range(1, len(lines) + 1):
        new = Source("".join((*lines[:at], put, *lines[at:])))
        if new.tree is not None and still_compiles(Source(_METHODS), new):
            assert compile_error(new.text) is None


def test_of_a_class_only_the_changed_members_are_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = list[str]()
    monkeypatch.setattr(tree_comparison, "compiles", lambda tree, _: [seen.append(ast.unparse(tree))] != [])
    new = Source(_METHODS.replace("return 2", "return 3"))
    assert still_compiles(Source(_METHODS), new)
    assert seen == ["class A:\n\n    def g(self):\n        return 3"]
