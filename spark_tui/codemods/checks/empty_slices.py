"""Slices that end at 0: `rows[:0]`, and `rows[:-skip]`, which is empty where `skip` is 0."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from spark_tui.codemods.checks.value_uses import changed_lines
from spark_tui.codemods.plan import Finding
from spark_tui.pysource.calls.signatures import defaults
from spark_tui.pysource.names.scopes import Scopes
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function
from spark_tui.pysource.syntax.parsing import walk_lines
from spark_tui.pysource.syntax.walking import walk


def empty_slices(before: Repository, after: Repository, paths: Collection[str]) -> Iterator[Finding]:
    """Says where a change takes a slice that is always empty, or is empty by default."""
    for path in paths:
        lines, tree = changed_lines(before, after, path), after.index.source(path).tree
        for node in walk_lines(tree, lines) if lines and tree is not None else ():
            is_read = isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load)
            if not isinstance(node, ast.Subscript) or not is_read or node.lineno not in lines:
                continue
            if why := _why_empty(after.index.scopes(path), node.slice):
                yield Finding(path, node.lineno, "empty slices", f"{ast.unparse(node)} is {why}", sure=False)


def _why_empty(scopes: Scopes, part: ast.expr) -> str:
    match part:
        case ast.Slice(upper=ast.Constant(value=int(end)), step=None) if end == 0:
            return "always empty"
        case ast.Slice(lower=None, upper=ast.UnaryOp(op=ast.USub(), operand=ast.Name() as end), step=None):
            return f"empty where {end.id} is 0, as by default" if _is_zero_by_default(scopes, end) else ""
    return ""


def _is_zero_by_default(scopes: Scopes, name: ast.Name) -> bool:
    """Whether a name is a parameter whose default is 0, and no condition of its function asks for it."""
    used = scopes.by_node.get(name)
    function = used.scope.node if used is not None else None
    if not isinstance(function, Function):
        return False
    default = defaults(function).get(name.id)
    tests = (
        node.test for node in walk(function) if isinstance(node, ast.If | ast.IfExp | ast.While | ast.Assert)
    )
    chosen = (node for node in walk(function) if isinstance(node, ast.BoolOp))
    asked = any(
        isinstance(inner, ast.Name) and inner.id == name.id
        for test in (*tests, *chosen)
        for inner in walk(test)
    )
    variable = scopes.variable(name.id, used.scope) if used is not None else None
    alone = variable is not None and len(variable.bindings) == 1
    is_zero = isinstance(default, ast.Constant) and type(default.value) is int and default.value == 0
    return is_zero and alone and not asked
