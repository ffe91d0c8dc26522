"""Names mean what Python says."""

from __future__ import annotations

import ast
import builtins
import symtable
import sys

import pytest
from pysource.test_source import stdlib_texts

from spark_tui.pysource.names.scopes import ScopeKind, Scopes
from spark_tui.pysource.names.undefined import undefined
from spark_tui.pysource.source import Source


def groups(text: str, name: str) -> list[list[int]]:
    """The lines on which each variable of a name stands."""
    scopes = Scopes(Source(text))
    found = [variable for variable in scopes.variables if variable.name == name]
    return sorted(
        sorted({scopes.source.line_number(occurrence.span[0]) for occurrence in variable.occurrences})
        for variable in found
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = 1\ndef f():\n    global x\n    x = 2\n", [[1, 3, 4]]),
        ("def f():\n    x = 1\n    def g():\n        nonlocal x\n        x = 2\n", [[2, 4, 5]]),
        ("x = 1\nclass A:\n    x = 2\n    def f(self):\n        return x\n", [[1, 5], [3]]),
        ("x = 1\nclass A:\n    x = x\n", [[1, 3], [3]]),
        ("x = 1\ny = [\n    x\n    for x in\n    range(x)]\n", [[1, 5], [3, 4]]),
        ("def f():\n    [y for y in (x := 1,)]\n    return x\n", [[2, 3]]),
        ("x = 1\ndef f(\n    a=x,\n    x=2):\n    return x\n", [[1, 3], [4, 5]]),
        ("try:\n    pass\nexcept E as x:\n    x\n", [[3, 4]]),
        ("match 1:\n    case [x, *y]:\n        x\n    case {1: 2, **x}:\n        x\n", [[2, 3, 4, 5]]),
        ("class x: ...\ndef f(a: 'list[x]') -> \"x\":\n    pass\n", [[1, 2]]),
        ("x = 1\n__all__ = [\n    'x']\n", [[1, 3]]),
        ("x = 1\n@x\ndef f(x): x\n", [[1, 2], [3]]),
        ("x = 1\ndel x\n", [[1, 2]]),
        ("x = 1\nf = lambda x=x: x\n", [[1, 2], [2]]),
        ("from typing import TypeVar\nclass x: ...\nT = TypeVar('T', bound='x')\n", [[2, 3]]),
    ],
)
def test_occurrences_of_a_name_belong_to_their_variable(text: str, expected: list[list[int]]) -> None:
    assert groups(text, "x") == expected


def test_private_names_of_two_classes_are_distinct() -> None:
    scopes = Scopes(
        Source("class A:\n    __x = 1\n    def f(self): return self.__x\nclass B:\n    __x = 2\n")
    )
    assert {variable.name for variable in scopes.variables if variable.name.endswith("__x")} == {
        "_A__x",
        "_B__x",
    }
    assert [attribute.name for attribute in scopes.attributes] == ["_A__x"]


def names_by_symtable(table: symtable.SymbolTable) -> list[tuple[str, frozenset[str]]]:
    """Function scopes with the names that are bound in them, as the compiler sees them."""
    out = []
    for child in table.get_children():
        if child.get_type() == "function" and child.get_name().strip("<>") not in (
            "lambda",
            "listcomp",
            "genexpr",
            "setcomp",
            "dictcomp",
        ):
            bound = {s.get_name() for s in child.get_symbols() if s.is_local() and not s.is_global()}
            out.append((child.get_name(), frozenset(bound)))
        out += names_by_symtable(child)
    return out


def inlined_names(text: str) -> frozenset[str]:
    """Names of comprehensions, which Python 3.12 and later list with those of the function around them."""
    if sys.version_info < (3, 12):
        return frozenset()
    targets = [node.target for node in ast.walk(ast.parse(text)) if isinstance(node, ast.comprehension)]
    return frozenset(node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name))


def test_functions_bind_the_names_that_the_compiler_says() -> None:
    for name, text in stdlib_texts(15, 2):
        scopes = Scopes(Source(text, name))
        inlined = inlined_names(text)
        ours = [
            (item.node.name, frozenset(item.bound) - inlined)  # type: ignore[attr-defined]
            for item in scopes.scope_of.values()
            if item.kind is ScopeKind.FUNCTION
        ]
        compiled = names_by_symtable(symtable.symtable(text, name, "exec"))
        theirs = [(function, bound - inlined) for function, bound in compiled]
        assert sorted(map(str, map(_sorted, ours))) == sorted(map(str, map(_sorted, theirs))), name


def _sorted(one: tuple[str, frozenset[str]]) -> tuple[str, list[str]]:
    return one[0], sorted(one[1])


def test_only_names_that_nothing_binds_are_undefined() -> None:
    text = (
        "import os\nprint(a, os, __file__)\ndef f(b):\n    return b, c, [d for d in b]\n__all__ = ['f',"
        " 'g']\n"
    )
    assert [occurrence.name for occurrence in undefined(Scopes(Source(text)))] == ["a", "g", "c"]
    assert undefined(Scopes(Source("from m import *\n" + text))) == []
    assert not hasattr(builtins, "a")


def test_a_name_that_is_only_deleted_is_undefined() -> None:
    assert [occurrence.name for occurrence in undefined(Scopes(Source("print(a)\ndel a\n")))] == ["a", "a"]
    assert undefined(Scopes(Source("import a\nprint(a)\ndel a\n"))) == []


def test_what_sets_a_name_is_known_where_it_is_the_whole_target() -> None:
    text = (
        "a = 1\nb: int = 2\nc += 3\nfor d in x: pass\nwith x as e, x as (f, g): pass\n"
        "[h for h in x]\n(i := 4)\nj, k = x\nl.m = 5\n"
    )
    scopes = Scopes(Source(text))
    names = [node for node in ast.walk(scopes.module.node) if isinstance(node, ast.Name | ast.Attribute)]
    found = {
        ast.unparse(node): type(holder).__name__
        for node in names
        if isinstance(node.ctx, ast.Store) and (holder := scopes.setting(node)) is not None
    }
    whole = {name: found[name] for name in found if found[name] != "Tuple"}
    assert whole == {
        "a": "Assign",
        "b": "AnnAssign",
        "c": "AugAssign",
        "d": "For",
        "e": "withitem",
        "h": "comprehension",
        "i": "NamedExpr",
        "l.m": "Assign",
    }
