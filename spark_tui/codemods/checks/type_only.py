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
        bound = [one.node for one in variable.bindings] if variable is not None else []
        if variable is None or not for_types.issuperset(bound):
            continue
        loads = (one.node for one in variable.loads if one.node not in for_types)
        used = [one for one in loads if _runs(scopes.source, one)]
        out[name] = min((getattr(one, "lineno", 0) for one in used), default=0)
    return out


def _for_types(source: Source) -> set[ast.AST]:
    """The nodes in code for types."""
    ifs = (one for one in source.statements if isinstance(one, ast.If))
    asking = (one for one in ifs if dotted(one.test).rpartition(".")[2] == "TYPE_CHECKING")
    return {node for one in asking for below in one.body for node in walk(below)}


def _runs(source: Source, node: ast.AST) -> bool:
    """Whether a name is read when the file runs: not in an annotation or a text."""
    if source.parents.get(node) is None:
        return False
    return not any(
        below in (getattr(one, "annotation", None), getattr(one, "returns", None))
        for below, one in source.climb(node)
    )
