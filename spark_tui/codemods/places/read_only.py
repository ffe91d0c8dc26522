"""Lists, sets and dictionaries that code only reads, so that all may share one."""

from __future__ import annotations

import ast

from spark_tui.pysource.names.scopes import ScopeKind
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source
from spark_tui.pysource.words import word_set

_READING_METHODS = word_set("choice choices sample join")
_READING = _READING_METHODS | word_set(
    "len sorted min max sum any all enumerate zip reversed list tuple set frozenset dict isinstance"
)
"""Functions that leave what they are given as it is, and give nothing back that is it."""
_ASKING = word_set("get items keys values index count copy isdisjoint issubset issuperset union intersection")


def is_only_read(repo: Repository, source: Source, node: ast.expr) -> bool:
    """Whether a display holds nothing that can change, and is read where it stands, or under the one local
    name that it is given."""
    mutable = (ast.List, ast.Dict, ast.Set)
    if any(isinstance(inner, mutable) for inner in ast.walk(node) if inner is not node):
        return False
    outer = source.parents.get(node)
    goal = outer.targets[0] if isinstance(outer, ast.Assign) and len(outer.targets) == 1 else None
    if not isinstance(goal, ast.Name):
        return _reads(source, node)
    scopes = repo.index.scopes(source.path)
    variable = scopes.resolve(scopes.by_node[goal])
    scope = variable.scope
    if scope is None or scope.kind is not ScopeKind.FUNCTION or len(variable.bindings) != 1:
        return False
    return bool(variable.loads) and all(
        isinstance(load.node, ast.expr) and _reads(source, load.node) for load in variable.loads
    )


def _reads(source: Source, node: ast.expr) -> bool:
    """Whether what stands around a value only reads it."""
    outer = source.parents.get(node)
    if isinstance(outer, ast.For | ast.comprehension):
        return outer.iter is node
    if isinstance(outer, ast.Compare):
        return isinstance(outer.ops[-1], ast.In | ast.NotIn) and outer.comparators[-1] is node
    if isinstance(outer, ast.Subscript):
        return outer.value is node and isinstance(outer.ctx, ast.Load)
    if isinstance(outer, ast.Call):
        reading = _READING_METHODS if isinstance(outer.func, ast.Attribute) else _READING
        return node in outer.args and last_name(outer.func) in reading
    called = source.parents.get(outer) if isinstance(outer, ast.Attribute) else None
    return isinstance(outer, ast.Attribute) and isinstance(called, ast.Call) and outer.attr in _ASKING
