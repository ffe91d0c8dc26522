"""Splits a variable: from `size = round(size)` on, the value has a name of its own."""

from __future__ import annotations

import ast
from itertools import takewhile

from spark_tui.codemods.plan import Edit
from spark_tui.pysource.names.scope_records import Occurrence, ScopeKind
from spark_tui.pysource.names.scopes import Role, Scopes
from spark_tui.pysource.syntax.walking import LOOPS

_KEPT = (Role.LOAD, Role.ASSIGN, Role.PARAMETER)


def split_variable(scopes: Scopes, statement: ast.stmt, value: ast.expr, name: str) -> list[Edit]:
    """The edits that give a local another name from a statement on which sets it to a value of itself. None
    where the statement does something else, or where what follows may see the value before it."""
    source, function = scopes.source, scopes.source.function_of(statement)
    target = statement.targets[0] if isinstance(statement, ast.Assign) else None
    if function is None or not isinstance(target, ast.Name) or getattr(statement, "value", None) is not value:
        return []
    around = takewhile(lambda one: one is not function, source.ancestors(statement))
    if any(isinstance(one, LOOPS) for one in around):
        return []
    begin, end = source.span(value)
    every = scopes.resolve(scopes.by_node[target]).occurrences
    of_itself = any(begin <= one.span[0] < end for one in every)
    if not of_itself or not all(is_plain(scopes, one) for one in every):
        return []
    later = [one for one in every if one.node is target or one.span[0] >= end]
    holder = source.parents[statement]
    reach = source.span(source.suite(statement)[-1])[1] if holder is not function else None
    if reach is not None and any(one.span[0] >= reach for one in later):
        return []
    return [Edit(source.path, *one.span, name) for one in later]


def is_plain(scopes: Scopes, one: Occurrence) -> bool:
    """Whether a place only reads or sets a name, at once, in the function that the name is of."""
    inner = one.scope
    while inner.kind is ScopeKind.COMPREHENSION and inner.outer is not None:
        inner = inner.outer
    text, (low, high) = scopes.source.text, one.span
    shown = isinstance(scopes.source.parents.get(one.node), ast.FormattedValue)
    written = text[low:high] == one.name and not (shown and text[high:].lstrip().startswith("="))
    home = scopes.resolve(one).scope
    return one.role in _KEPT and inner is home and low >= 0 and written
