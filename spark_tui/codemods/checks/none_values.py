"""Parameters that are used as None cannot be, and that nothing asks for None."""

from __future__ import annotations

import ast

from spark_tui.pysource.names.scopes import Scopes
from spark_tui.pysource.names.type_hints import called_name, names_within
from spark_tui.pysource.source import Function
from spark_tui.pysource.syntax.walking import walk
from spark_tui.pysource.words import word_set

_NEEDING = word_set(
    "len iter next int float sorted list tuple set sum min max any all range enumerate zip map"
)
"""What does not take None."""


def fails_with_none(scopes: Scopes, function: Function, name: str) -> int:
    """The line where a parameter that is None fails; 0 where there is none, the function sets the parameter
    or asks for it first."""
    variable = scopes.variable(name, scopes.scope_of[function])
    if variable is None or len(variable.bindings) > 1:
        return 0
    tests = (getattr(one, "test", None) for one in walk(function))
    asked = (one for one in walk(function) if isinstance(one, ast.BoolOp | ast.Match))
    asking = [*(test for test in tests if test is not None), *asked]
    if any(name in names_within(one) for one in asking):
        return 0
    uses = [one.node for one in variable.loads if _needs_value(scopes.source.parents.get(one.node), one.node)]
    return min((getattr(one, "lineno", 0) for one in uses), default=0)


def _needs_value(holder: ast.AST | None, node: ast.AST) -> bool:
    match holder:
        case ast.Attribute() | ast.BinOp() | ast.UnaryOp():
            return not (
                isinstance(holder, ast.BinOp) and isinstance(holder.op, ast.Mod) and holder.right is node
            )
        case ast.Subscript(value=value) | ast.For(iter=value) | ast.comprehension(iter=value):
            return value is node
        case ast.Compare(ops=ops):
            return any(isinstance(one, ast.Lt | ast.LtE | ast.Gt | ast.GtE) for one in ops)
        case ast.AugAssign(value=value):
            return value is node
        case ast.Call():
            return holder.func is node or (called_name(holder) in _NEEDING and holder.args[:1] == [node])
    return False
