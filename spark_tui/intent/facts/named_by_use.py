"""The parameter that a kind word names, by how the code uses it: *the list* is iterated over."""

from __future__ import annotations

import ast

from spark_tui.intent.words.phrases import table
from spark_tui.pysource.syntax.walking import walk

_METHODS = {
    "list": ("append", "extend", "sort", "insert", "index", "reverse"),
    "dict": ("items", "keys", "values", "get", "setdefault", "update"),
    "str": ("strip", "split", "lower", "upper", "replace", "startswith", "endswith", "rstrip", "lstrip"),
}


def used_as(root: ast.AST, names: list[str], word: str) -> str | None:
    """The only one of some names that code uses as the kind that a word says."""
    kind = next((kind for kind, listed in table()["kinds_of_values"].items() if word.lower() in listed), "")
    found = {name for node in walk(root) for name in _used(node, kind)} & set(names) if kind else set()
    return found.pop() if len(found) == 1 else None


def _used(node: ast.AST, kind: str) -> list[str]:
    """The names that one node uses as a kind of value."""
    out: list[ast.expr] = []
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in _METHODS[kind]
    ):
        out.append(node.func.value)
    elif isinstance(node, ast.For | ast.comprehension) and kind == "list":
        out.append(node.iter)
    elif isinstance(node, ast.Subscript):
        index = node.slice.value if isinstance(node.slice, ast.Constant) else None
        counted = isinstance(index, int) or isinstance(node.slice, ast.Slice | ast.UnaryOp)
        if kind == ("list" if counted else "dict" if isinstance(index, str) else ""):
            out.append(node.value)
    return [inner.id for inner in out if isinstance(inner, ast.Name)]
