"""The names that are bound on every path to a node, so that code written there may use them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from spark_tui.pysource.source import Function, Source, parameters
from spark_tui.pysource.syntax.walking import LEAVING, walk


def bound_at(source: Source, node: ast.AST) -> set[str]:
    """Parameters, and what is set on every way to a node in its function, or in the file outside of all."""
    out: set[str] = set()
    child: ast.AST = node
    for outer in source.ancestors(node):
        if isinstance(outer, Function):
            out |= {one.arg for one in parameters(outer)}
            out |= {one.arg for one in (outer.args.vararg, outer.args.kwarg) if one is not None}
        elif isinstance(outer, ast.For | ast.AsyncFor) and child in outer.body:
            out |= _names(outer.target)
        elif isinstance(outer, ast.With | ast.AsyncWith) and child in outer.body:
            out |= _opened(outer)
        elif isinstance(outer, ast.ExceptHandler) and outer.name:
            out.add(outer.name)
        elif isinstance(outer, ast.Try) and child in outer.orelse:
            out |= _after(outer.body)
        elif isinstance(outer, ast.If | ast.While) and child is not outer.test:
            out |= {one.target.id for one in walk(outer.test) if isinstance(one, ast.NamedExpr)}
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
    """What is set behind statements."""
    return {name for one in rows for name in _set(one)}


def _set(one: ast.stmt) -> Iterator[str]:
    if isinstance(one, ast.Assign):
        yield from (name for goal in one.targets for name in _names(goal))
    elif isinstance(one, ast.AnnAssign | ast.AugAssign) and one.value is not None:
        yield from _names(one.target)
    elif isinstance(one, ast.With | ast.AsyncWith):
        yield from _opened(one) | _after(one.body)
    elif isinstance(one, ast.If):
        branches = [_after(rows) for rows in (one.body, one.orelse) if not _leaves(rows)]
        yield from set.intersection(*branches) if branches else ()
    elif isinstance(one, ast.Try):
        ways = [_after(rows) for rows in (each.body for each in one.handlers) if not _leaves(rows)]
        yield from set.intersection(_after([*one.body, *one.orelse]), *ways) | _after(one.finalbody)


def _leaves(rows: Sequence[ast.stmt]) -> bool:
    return bool(rows) and isinstance(rows[-1], LEAVING)


def _opened(one: ast.With | ast.AsyncWith) -> set[str]:
    return {name for item in one.items if item.optional_vars for name in _names(item.optional_vars)}


def _names(goal: ast.AST) -> set[str]:
    return {one.id for one in walk(goal) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
