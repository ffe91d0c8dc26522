"""Names that a file binds for type checkers only, under `if TYPE_CHECKING`: it runs without them."""

from __future__ import annotations

import ast

from spark_tui.pysource.names.scopes import Scopes
from spark_tui.pysource.source import Source
from spark_tui.pysource.summary import dotted
from spark_tui.pysource.syntax.parsing import walk


def type_only(scopes: Scopes) -> dict[str, int]:
    """The names of a module that are bound for types only, each with the line in which it is used all the
    same; 0 where it is not."""
    if "TYPE_CHECKING" not in scopes.source.text:
        return {}
    out = {}
    for_types = _for_types(scopes.source)
    for name in scopes.module.bound:
        variable = scopes.variable(name, scopes.module)
        bound = [binding.node for binding in variable.bindings] if variable is not None else []
        if variable is None or not for_types.issuperset(bound):
            continue
        loads = (load.node for load in variable.loads if load.node not in for_types)
        used = [load for load in loads if _runs(scopes.source, load)]
        out[name] = min((getattr(load, "lineno", 0) for load in used), default=0)
    return out


def _for_types(source: Source) -> set[ast.AST]:
    """The nodes in code for types."""
    ifs = (statement for statement in source.statements if isinstance(statement, ast.If))
    asking = (statement for statement in ifs if dotted(statement.test).rpartition(".")[2] == "TYPE_CHECKING")
    return {node for statement in asking for below in statement.body for node in walk(below)}


def _runs(source: Source, node: ast.AST) -> bool:
    """Whether a name is read when the file runs: not in an annotation or a text."""
    if source.parents.get(node) is None:
        return False
    return not any(
        below in (getattr(one, "annotation", None), getattr(one, "returns", None))
        for below, one in source.climb(node)
    )
