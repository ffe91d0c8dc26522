"""Which expressions are open files, or readers of them: they go from line to line."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import walk

_OPENED = ("open", "stdin")


def is_file(source: Source, inside: ast.AST, node: ast.expr, also: Sequence[str] = ()) -> bool:
    """Whether an expression is an open file where `inside` stands, or what a call of `also` gave."""
    around = source.function_of(inside) or source.tree
    names: set[str] = set()
    for inner in walk(around):
        if isinstance(inner, ast.withitem) and inner.optional_vars is not None:
            names |= {ast.unparse(inner.optional_vars)} if _opens(inner.context_expr, also) else set()
        elif isinstance(inner, ast.Assign):
            names |= {ast.unparse(inner.targets[0])} if _opens(inner.value, also) else set()
    return ast.unparse(node) in names or _opens(node, also)


def _opens(node: ast.expr, also: Sequence[str]) -> bool:
    if isinstance(node, ast.Attribute):
        return node.attr in _OPENED
    func = node.func if isinstance(node, ast.Call) else None
    last = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
    return last in (*_OPENED, *also)
