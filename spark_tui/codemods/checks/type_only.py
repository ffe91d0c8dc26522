"""Names that a file binds for type checkers only, under `if TYPE_CHECKING`: it runs without them."""

from __future__ import annotations

import ast

from spark_tui.pysource.names.scopes import Scopes
from spark_tui.pysource.source import Function, Source, parameters
from spark_tui.pysource.summary import dotted
from spark_tui.pysource.syntax.parsing import walk


def type_only(scopes: Scopes) -> dict[str, int]:
    """The names of a module that are bound for types only, each with the line in which it is used all the
    same; 0 where it is not."""
    if "TYPE_CHECKING" not in scopes.source.text:
        return {}
    out = {}
    annotations: set[ast.AST] | None = None
    for_types = _for_types(scopes.source)
    for name in scopes.module.bound:
        variable = scopes.variable(name, scopes.module)
        bound = [binding.node for binding in variable.bindings] if variable is not None else []
        if variable is None or not for_types.issuperset(bound):
            continue
        loads = [load.node for load in variable.loads if load.node not in for_types and not load.in_string]
        if loads and annotations is None:
            annotations = _annotations(scopes.source)
        used = [load for load in loads if load not in (annotations or ())]
        out[name] = min((getattr(load, "lineno", 0) for load in used), default=0)
    return out


def _for_types(source: Source) -> set[ast.AST]:
    """The nodes in code for types."""
    ifs = (statement for statement in source.statements if isinstance(statement, ast.If))
    asking = (statement for statement in ifs if dotted(statement.test).rpartition(".")[2] == "TYPE_CHECKING")
    return {node for statement in asking for below in statement.body for node in walk(below)}


def _annotations(source: Source) -> set[ast.AST]:
    """The nodes in annotations: what is in them is not read when the file runs."""
    held: list[ast.AST | None] = []
    for one in source.statements:
        if isinstance(one, Function):
            held += [one.returns, *(parameter.annotation for parameter in parameters(one))]
        elif isinstance(one, ast.AnnAssign):
            held.append(one.annotation)
    return {node for one in held if one is not None for node in walk(one)}
