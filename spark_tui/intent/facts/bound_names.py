"""The names that are bound on every path to a node, so that code written there may use them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from spark_tui.pysource.source import Function, Source, parameters
from spark_tui.pysource.syntax.walking import LEAVING, find_nodes


def bound_at(source: Source, node: ast.AST) -> set[str]:
    """Parameters, and what is set on every way to a node in its function, or in the file outside of all."""
    out: set[str] = set()
    child: ast.AST = node
    for outer in source.ancestors(node):
        if isinstance(outer, Function):
            out |= {parameter.arg for parameter in parameters(outer)}
            out |= {item.arg for item in (outer.args.vararg, outer.args.kwarg) if item is not None}
        elif isinstance(outer, ast.For | ast.AsyncFor) and child in outer.body:
            out |= _names(outer.target)
        elif isinstance(outer, ast.With | ast.AsyncWith) and child in outer.body:
            out |= _opened(outer)
        elif isinstance(outer, ast.ExceptHandler) and outer.name:
            out.add(outer.name)
        elif isinstance(outer, ast.Try) and child in outer.orelse:
            out |= _after(outer.body)
        elif isinstance(outer, ast.If | ast.While) and child is not outer.test:
            out |= {inner.target.id for inner in find_nodes(outer.test, ast.NamedExpr)}
        if not isinstance(outer, ast.ClassDef):
            out |= _after(_before(outer, child))
        child = outer
    return out


def _before(outer: ast.AST, child: ast.AST) -> list[ast.stmt]:
    for name in ("body", "orelse", "finalbody"):
        rows = getattr(outer, name, None)
        if isinstance(rows, list) and child in rows:
            return rows[: rows.index(child)]
    return []


def _after(rows: Sequence[ast.stmt]) -> set[str]:
    """What is set after statements."""
    return {name for row in rows for name in _set(row)}


def _set(stmt: ast.stmt) -> Iterator[str]:
    if isinstance(stmt, ast.Assign):
        yield from (name for goal in stmt.targets for name in _names(goal))
    elif isinstance(stmt, ast.AnnAssign | ast.AugAssign) and stmt.value is not None:
        yield from _names(stmt.target)
    elif isinstance(stmt, ast.With | ast.AsyncWith):
        yield from _opened(stmt) | _after(stmt.body)
    elif isinstance(stmt, ast.If):
        branches = [_after(rows) for rows in (stmt.body, stmt.orelse) if not _leaves(rows)]
        yield from set.intersection(*branches) if branches else ()
    elif isinstance(stmt, ast.Try):
        ways = [_after(rows) for rows in (handler.body for handler in stmt.handlers) if not _leaves(rows)]
        yield from set.intersection(_after([*stmt.body, *stmt.orelse]), *ways) | _after(stmt.finalbody)


def _leaves(rows: Sequence[ast.stmt]) -> bool:
    return bool(rows) and isinstance(rows[-1], LEAVING)


def _opened(node: ast.With | ast.AsyncWith) -> set[str]:
    return {name for item in node.items if item.optional_vars for name in _names(item.optional_vars)}


def _names(goal: ast.AST) -> set[str]:
    return {node.id for node in find_nodes(goal, ast.Name) if isinstance(node.ctx, ast.Store)}
