"""Methods that give back how many there are."""

from __future__ import annotations

import ast

from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.walking import find_nodes


def gives_count(source: Source, method: Function) -> bool:
    """Whether a method gives back a whole number, as its annotation or all its results show."""
    if method.returns is not None:
        return ast.unparse(method.returns) == "int"
    results = source.returned(method) or (None,)
    return all(
        called_name(result) in ("len", "sum", "int") or _is_int(result) or _is_counted(method, result)
        for result in results
    )


def _is_int(node: ast.AST | None) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is int


def adds_unknown(method: Function) -> bool:
    """Whether a method adds up something that may be no whole number: prices, as well as rows."""
    added = [one.value for one in find_nodes(method, ast.AugAssign)]
    return not all(_is_int(one) or called_name(one) == "len" for one in added)


def _is_counted(method: Function, result: ast.expr | None) -> bool:
    """Whether a name begins as a whole number in a method, as what is counted does."""
    if not isinstance(result, ast.Name):
        return False
    begun = [one.value for one in find_nodes(method, ast.Assign) if ast.unparse(one.targets[0]) == result.id]
    return bool(begun) and all(map(_is_int, begun))
